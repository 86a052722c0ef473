# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# funcgraph: trees of the calls of a known workload; what it changes for the whole machine is put back, also when it is
# killed; what others have set is left alone.
. "${0%/*}/../lib.sh"

calls=50
settings() {
	for file in set_graph_function max_graph_depth current_tracer trace_clock tracing_on set_event options/sleep-time; do
		echo "$file $(cat "$TRACEFS/$file" 2>/dev/null)"
	done
}
unchanged() { settings >"$TMP/now" && cmp -s "$TMP/before" "$TMP/now"; }
put_back() {
	wait_for 20 unchanged && pass "$1" || { fail "$1" "settings of ftrace changed:"; diff "$TMP/before" "$TMP/now" | sed 's/^/#   /'; }
}
lacking="$(absences ftrace)|no function graph tracer|set_graph_function: No such file|set_graph_function: Permission|tracefs"

for misuse in 'vfs_raed	did you mean' '/bin/sh:main	user space\|no function\|no symbols\|no longer' 't:sched:*	only functions take time' 'no_such_function_at_all	no function'; do
	"$SONDE" funcgraph "${misuse%%	*}" >"$TMP/out" 2>"$TMP/err"
	equal "misuse-${misuse%%	*}" 1 $(($? > 0))
	contains "says-${misuse%%	*}" "$TMP/err" "$(echo "${misuse#*	}" | sed 's/\\|/|/g')"
done
for b in bpf perf; do
	"$SONDE" funcgraph --backend $b vfs_read >"$TMP/out" 2>"$TMP/err"
	equal refused-$b 1 $?
done

settings >"$TMP/before"
load w "$WORK" sleeps $calls
if start_or_skip rows "$lacking" s funcgraph --json --flame="$TMP/f.svg" -p "$(pid w)" hrtimer_nanosleep; then
	"$SONDE" funcgraph vfs_read >"$TMP/out" 2>"$TMP/err"
	equal second 1 $?
	contains second-says "$TMP/err" 'another sonde'
	go w
	stop s && equal ends 0 "$STATUS"
	equal lost 0 "$(reported "$TMP/s.out" lost)"
	fields "$TMP/s.out" depth function duration_ns self_ns pid gap >"$TMP/rows"
	equal calls $calls "$(grep -c '^0	' "$TMP/rows")"
	equal named $calls "$(grep -c "^0	hrtimer_nanosleep	.*	$(pid w)	0$" "$TMP/rows")"
	equal within $calls "$(grep -c '^1	do_nanosleep	' "$TMP/rows")"
	# No call is longer than the one it is in, and what is left of each is its own. Between the end of a call and its record
	# the kernel may show an interrupt as within the call: then what is its own is not known.
	awk -F '\t' '
		function done(from,  i) {
			for (i = depth; i >= from; i--)
				if (own[i] < 0 ? self[i] != "-" : own[i] != self[i])
					print "own time", i, own[i], self[i]
				else if (own[i] < 0 && ++late > 5)
					print "more than five such interrupts"
		}
		{ done($1); depth = $1; all[$1] = own[$1] = $3; self[$1] = $4
		  if ($1 > 0) own[$1 - 1] -= $3 }
		END { done(0) }' "$TMP/rows" >"$TMP/wrong"
	: >"$TMP/none"
	same times "$TMP/none" "$TMP/wrong"
	# A sleep of 3 ms.
	equal sleeps $calls "$(awk -F '\t' '$1 == 0 && $3 >= 1000000' "$TMP/rows" | grep -c .)"
	contains flame "$TMP/f.svg" 'do_nanosleep'
	put_back settings

	load w "$WORK" sleeps $calls
	start t funcgraph -m 2 -a -T -p "$(pid w)" hrtimer_nanosleep
	go w
	stop t
	contains heads "$TMP/t.out" '^TIME\(s\) +CPU +TID COMM +DURATION FUNCTION$'
	equal begins $calls "$(grep -cE "^[0-9.]+ +[0-9]+ +$(pid w) work +hrtimer_nanosleep\(\) \{$" "$TMP/t.out")"
	equal tails $calls "$(grep -cE ' us \} /\* hrtimer_nanosleep \*/$' "$TMP/t.out")"
	equal leaves $calls "$(grep -cE ' us   do_nanosleep\(\);$' "$TMP/t.out")"
	equal levels 0 "$(grep -cE ' us    ' "$TMP/t.out")"

	load w "$WORK" sleeps $calls
	start c funcgraph --json -C -m 1 -p "$(pid w)" hrtimer_nanosleep
	go w
	stop c
	fields "$TMP/c.out" duration_ns >"$TMP/awake"
	equal awake-calls $calls "$(grep -c . "$TMP/awake")"
	between awake 0 "$(awk '{ n += $1 } END { print int(n / NR / 1000) }' "$TMP/awake")" $((1000 * SLOW))
	put_back settings-awake

	# Calls that have not ended when tracing stops have no time.
	load w "$WORK" sleeps 1 5000
	start u funcgraph -m 1 -p "$(pid w)" hrtimer_nanosleep
	start_work=1
	: >"$TMP/w.go"
	sleep 1
	stop u
	kill "$(pid w)" 2>/dev/null
	wait "$(pid w)" 2>/dev/null
	forget w
	between unended 0 "$(grep -c ' - hrtimer_nanosleep(); /\* it did not end \*/$' "$TMP/u.out")" 1

	start k funcgraph vfs_read
	kill -KILL "$(pid k)"
	wait "$(pid k)" 2>/dev/null
	forget k
	put_back killed

	# Its command is followed by events, which go to the main ring where instances have no tracer; read to the end or not.
	"$SONDE" funcgraph -m 2 hrtimer_nanosleep --exec "$WORK" sleeps 5 >"$TMP/x.out" 2>"$TMP/x.err"
	equal exec 0 $?
	contains exec-rows "$TMP/x.out" 'hrtimer_nanosleep'
	put_back exec-settings
	"$SONDE" funcgraph -m 2 hrtimer_nanosleep --exec "$WORK" sleeps 500 2>"$TMP/x.err" | head -n 2 >"$TMP/x.out"
	put_back head-settings
	start k funcgraph vfs_read --exec "$WORK" sleeps 1 30000
	kill -KILL "$(pid k)"
	wait "$(pid k)" 2>/dev/null
	forget k
	put_back exec-killed
	"$SONDE" funcgraph -m 2 hrtimer_nanosleep --exec "$WORK" sleeps 5 >"$TMP/x.out" 2>"$TMP/x.err"
	equal exec-again 0 $?
	notes "$TMP/x.err"
	put_back exec-again-settings

	# A ring that somebody switched off is no use of the tracer, and stays off.
	echo 0 >"$TRACEFS/tracing_on"
	settings >"$TMP/before-off"
	"$SONDE" funcgraph -m 2 hrtimer_nanosleep --exec "$WORK" sleeps 5 >"$TMP/x.out" 2>"$TMP/x.err"
	equal off 0 $?
	contains off-rows "$TMP/x.out" 'hrtimer_nanosleep'
	off_unchanged() { settings | cmp -s "$TMP/before-off" -; }
	expect off-settings wait_for 20 off_unchanged
	echo 1 >"$TRACEFS/tracing_on"

	echo vfs_write >"$TRACEFS/set_graph_function"
	"$SONDE" funcgraph vfs_read >"$TMP/out" 2>"$TMP/err"
	equal used 1 $?
	contains used-says "$TMP/err" 'set_graph_function'
	equal used-kept vfs_write "$(cat "$TRACEFS/set_graph_function")"
	: >"$TRACEFS/set_graph_function"
	put_back used-settings
fi
clean left
quiet kernel-log
