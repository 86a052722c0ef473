# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# stacksnoop: each hit of a known workload is a row with its stack, on every engine; text; tracepoints.
. "${0%/*}/../lib.sh"

for b in $ENGINES; do
	load w "$WORK" sleeps 100
	start_or_skip rows-$b "$(absences_of_stacks $b)" s stacksnoop --backend $b --json -p "$(pid w)" hrtimer_nanosleep || { go w; continue; }
	start t stacksnoop --backend $b -v -K -s -p "$(pid w)" hrtimer_nanosleep
	start f stacksnoop --backend $b -f -K -p "$(pid w)" hrtimer_nanosleep
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop t
	stop f
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	fields "$TMP/s.out" pid tid comm func kernel_stack >"$TMP/rows"
	equal rows-$b 100 "$(grep -c "^$(pid w)	$(pid w)	work	hrtimer_nanosleep	.*;hrtimer_nanosleep$" "$TMP/rows")"
	contains text-head-$b "$TMP/t.out" '^TIME\(s\) +COMM +PID +CPU FUNC$'
	equal text-rows-$b 100 "$(grep -cE "^[0-9]+\.[0-9]{9} +work +$(pid w) +[0-9]+ +hrtimer_nanosleep$" "$TMP/t.out")"
	equal text-stacks-$b 100 "$(grep -cE '^    hrtimer_nanosleep(\+0x[0-9a-f]+)? \[kernel\]$' "$TMP/t.out")"
	equal folded-$b 100 "$(grep -c '^work;.*;hrtimer_nanosleep$' "$TMP/f.out")"

	# Of a tracepoint.
	if has_event sched sched_process_exit; then
		load w "$WORK" noop
		start e stacksnoop --backend $b --json -K -p "$(pid w)" t:sched:sched_process_exit
		go w
		stop e
		fields "$TMP/e.out" func kernel_stack >"$TMP/rows"
		equal tracepoint-$b 1 "$(grep -c '^sched:sched_process_exit	.*do_exit' "$TMP/rows")"
	fi
done
clean left
quiet kernel-log
