# SPDX-License-Identifier: GPL-2.0
# timeout: 400
#
# Loops of bt's probes have each turn, on each engine, whatever is in them; or the script is refused.
. "${0%/*}/../lib.sh"

expect library "$WORK" library "$TMP/bash" || exit 1

# The turns are known.
body='@done = 1;
	$i = 0; while ($i < 5000) { $i++; } printf("%d\n", $i);
	$a = 0; while ($a < 900) { $a++; @each[$a] = count(); } printf("%d\n", $a);
	$s = 0; for $k : 0..3000 { $s += $k; @sum[$k % 3] += $k; } printf("%d\n", $s);
	$z = 0; for $x : 0..100 { for $y : 0..$x { if ($y == 50) { break; } if ($y % 2) { continue; } $z++; } }
	printf("%d\n", $z);
	for $p : 0..3 { printf("turn %d\n", $p); }
	$u = 0; unroll (100) { $u += 2; } printf("%d\n", $u);'
# They are not: what computes their number is known when the event comes.
unknown='@done = 1;
	$n = 300000 * (pid > 0); $m = 0; for $k : 0..$n { $m++; @odd[$k % 2]++; } printf("%d\n", $m);
	$w = 0; while (1) { $w++; if ($w == $n) { break; } } printf("%d\n", $w);
	for $k : 0..$n { if ($k == 2999) { printf("left %d\n", $k); return; } }
	printf("never\n");'
at_end='END { printf("%d\n", len(@each)); clear(@each); clear(@done); }'

printf '5000\n900\n4498500\n1875\nturn 0\nturn 1\nturn 2\n200\n' >"$TMP/printed"
{
	cat "$TMP/printed"
	printf '900\n\n\n@sum[0]: 1498500\n@sum[1]: 1499500\n@sum[2]: 1500500\n'
} >"$TMP/wanted"
sed 's/^5000$/500/; s/^900$/90/; s/4498500/44850/; s/1498500/14850/; s/1499500/14950/; s/1500500/15050/' "$TMP/wanted" >"$TMP/wanted.few"
printf '300000\n300000\nleft 2999\n\n\n@odd[0]: 150000\n@odd[1]: 150000\n' >"$TMP/wanted.unknown"

# loops NAME ENGINE LAST WANTED PROBE ABSENCES: the probe's action runs once, and prints LAST at last.
loops() {
	start_or_skip "$1" "$6" s bt --backend "$2" -q -e "$5" || return
	"$WORK" noop
	[ -z "$caller" ] || go w
	wait_for 60 grep -q "^$3" "$TMP/s.out"
	stop s && equal "$1-ends" 0 "$STATUS"
	same "$1" "$4" "$TMP/s.out"
}

for b in $ENGINES; do
	caller=
	# Without bpf_loop() the verifier follows each turn, and keeps the branches that it has still to follow.
	turns=$body wanted=$TMP/wanted
	if [ $b = bpf ] && ! has bpf-loop; then
		refused many-turns 'no loops .since 5.3|a loop has more iterations than its verifier follows' \
			bt --backend bpf -e "tracepoint:sched:sched_process_exec { $body }"
		turns=$(printf '%s' "$body" | sed 's/5000/500/; s/900/90/; s/0\.\.3000/0..300/') wanted=$TMP/wanted.few
	fi
	for probe in 'tracepoint:sched:sched_process_exec /comm == "work" && !@done/' \
		'kprobe:do_exit /comm == "work" && !@done/'; do
		kind=${probe%%:*}
		absences=$(absences $b)
		[ "$kind" != kprobe ] || absences="$absences|no kprobes"
		loops "$kind-$b" $b 200 "$wanted" "$probe { $turns } $at_end" "$absences"
		if [ $b != bpf ] || has bpf-loop; then
			loops "$kind-unknown-$b" $b left "$TMP/wanted.unknown" \
				"$probe { $unknown } END { clear(@done); }" "$absences"
		elif ! has kprobes && [ "$kind" = kprobe ]; then
			:
		else
			refused "$kind-unknown-$b" 'no loops \(since 5.3\)|refused the program' \
				bt --backend $b -e "$probe { $unknown }"
		fi
	done

	# A function of a program.
	load w "$WORK" nests "$TMP/bash" 3 4
	caller=w
	loops "uprobe-$b" $b 200 "$wanted" \
		"uprobe:$TMP/bash:getaddrinfo /!@done/ { $turns } $at_end" "$(absences $b)"
done

# Sonde's own events; the loop may have more than a million turns.
timeout $((30 * SLOW)) "$SONDE" bt -q -e "BEGIN { $body \$m = 0; while (\$m < 1500000) { \$m++; } printf(\"%d\n\", \$m); }
	interval:ms:10 { for \$i : 0..2000 { @turns++; } exit(); } END { clear(@each); clear(@done); clear(@sum); }" \
	>"$TMP/out" 2>"$TMP/err"
equal own-status 0 $?
{
	cat "$TMP/printed"
	printf '1500000\n\n\n@turns: 2000\n'
} >"$TMP/wanted"
same own "$TMP/wanted" "$TMP/out"

# A loop without an end: what is behind it prints nothing, and the run has failed. Ctrl-C ends it where sonde runs it.
endless='tracepoint:sched:sched_process_exec /comm == "work"/ { @before = 1; $i = 0; while (1) { $i++; } printf("wrong %d\n", $i); }'
for b in $ENGINES; do
	[ $b != bpf ] || has bpf-loop || continue
	start_or_skip endless-$b "$(absences $b)" s bt --backend $b -q -e "$endless" || continue
	"$WORK" noop
	sleep 2
	stop s && equal endless-status-$b 1 "$STATUS"
	contains endless-said-$b "$TMP/s.err" 'left before its end.*not complete: @before'
	expect endless-prints-nothing-$b sh -c '! grep wrong "$1"' - "$TMP/s.out"
done
"$WORK" signals "$SONDE" bt -q -e 'BEGIN { @n = 1; while (1) { @n++; } printf("wrong\n"); }' \
	>"$TMP/b.out" 2>"$TMP/b.err" </dev/null &
pid_b=$!
running="$running $!"
# A guest may need that long to begin.
sleep $((2 * SLOW))
stop b && equal endless-own-status 1 "$STATUS"
contains endless-own-said "$TMP/b.err" 'while a loop of BEGIN.*not complete: @n'
expect endless-own-prints-nothing sh -c '! grep wrong "$1"' - "$TMP/b.out"
clean end
