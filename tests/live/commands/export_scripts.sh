# SPDX-License-Identifier: GPL-2.0
#
# sonde export bt: maps of scripts as metrics, exact numbers of a known workload on each engine, also where the script clears
# its maps; scripts of others; what is left out is told.
. "${0%/*}/../lib.sh"
. "${0%/*}/../exporter.sh"

PORT=9438
# Its own name: others run the workload beside this test, also under the name of another test.
OWN=$TMP/own-scripts
cp "$WORK" "$OWN"

# begin WORDS...: exports bt with these.
begin() {
	exports --listen 127.0.0.1:$PORT bt "$@"
	wait_for 30 values_are 'sonde_tool_up{tool="bt"} 1'
}

cat >"$TMP/own.bt" <<'EOS'
BEGIN { @begun = count(); }
t:syscalls:sys_enter_getsid /comm == "own-scripts"/ {
	@ = count();
	@calls[comm, (uint64)args.pid] = count();
	@bytes[comm] = sum((uint64)args.pid);
	@mean_us = avg((uint64)args.pid);
	@pids = hist((uint64)args.pid);
	@most = max(args.pid);
	@last = args.pid;
	@last_at[comm] = nsecs;
	@steps = lhist(args.pid, 0, 9, 3);
	if (@last_at[comm]) { printf("%d\n", args.pid); }
}
interval:ms:100 { print(@calls); clear(@calls); zero(@); clear(@pids); @ticks = count(); }
END { clear(@calls); }
EOS
for b in $ENGINES; do
	if ! timeout 60 "$SONDE" bt --backend $b --duration 1 -e 't:syscalls:sys_enter_getsid { @ = count() }' >"$TMP/try.out" 2>"$TMP/try.err"; then
		absent values-$b $b "$TMP/try.err" || fail values-$b "$(head -n 1 "$TMP/try.err")"
		continue
	fi
	if ! begin --backend $b "$TMP/own.bt"; then
		fail begins-$b "$(tail -n 5 "$TMP/e.err")"
		stop e
		continue
	fi
	served=$b
	for i in 1 2 3; do
		"$OWN" calls 4 >"$TMP/calls"
		sleep 0.3
	done
	pid=$("$SONDE" trace --backend $b --duration 2 -n own-scripts 't:syscalls:sys_enter_getsid "%d", args->pid' 2>/dev/null >"$TMP/trace" &
		sleep 1.2
		"$OWN" calls 3 >"$TMP/calls"
		wait
		awk '/getsid/ { print $NF; exit }' "$TMP/trace")
	if wait_for 20 values_are 'sonde_bt_total 15' "sonde_bt_calls_total{comm=\"own-scripts\",pid=\"$pid\"} 15" \
		"sonde_bt_bytes_total{comm=\"own-scripts\"} $((15 * pid))" 'sonde_bt_mean_count_total 15' \
		'sonde_bt_pids_bucket{le="+Inf"} 15' 'sonde_bt_pids_bucket{le="1.0"} 0' "sonde_bt_most $pid" "sonde_bt_last $pid" \
		'sonde_bt_begun_total 1' 'sonde_lost_events_total{tool="bt"} 0' 'sonde_missed_events_total{tool="bt"} 0'; then
		pass values-$b
	else
		fail values-$b "pid $pid: $(grep ^sonde_bt "$TMP/page" | grep -v bucket)"
	fi
	sum=$(awk '/^sonde_bt_mean_seconds_total/ { printf "%.0f", $2 * 1000000 }' "$TMP/page")
	equal sum-$b $((15 * pid)) "$sum"
	ticks() { page && awk '/^sonde_bt_ticks_total/ { n = $2 } END { exit !(n > 10) }' "$TMP/page"; }
	wait_for 20 ticks
	equal ticks-$b 0 $?
	# What prints is no metric, nor what the script keeps for itself.
	equal others-$b 0 "$(grep '^sonde_bt' "$TMP/page" | grep -c -e last_at -e steps -e printf -e events)"
	contains told-$b "$TMP/e.err" '^sonde: export: bt: @steps is left out: lhist.. has bounds of its own'
	contains told-memory-$b "$TMP/e.err" '^sonde: export: bt: @last_at is left out: the script reads it back'
	stop e
	equal ends-$b 0 "$STATUS"
done
clean left
[ -n "${served:-}" ] || exit

# Sums of histograms: all calls have the same argument, and times are not rounded to microseconds.
number() { awk -v name="$1" 'index($0, name) == 1 { n += $NF } END { printf "%.0f", n * '"${2:-1}"' }' "$TMP/page"; }
for b in $ENGINES; do
	exports --listen 127.0.0.1:$PORT softirqs --backend $b -d, \
		argdist --backend $b -H 't:syscalls:sys_enter_getsid():u64:(u64)args->pid' \
		-H 't:syscalls:sys_enter_getsid():int:args->pid%4-2'
	if wait_for 30 values_are 'sonde_tool_up{tool="argdist"} 1' 'sonde_tool_up{tool="softirqs"} 1'; then
		"$OWN" calls 6 >"$TMP/calls"
		called() { page && [ "$(number 'sonde_argdist_distribution_count{spec="t:syscalls:sys_enter_getsid():u64')" -ge 6 ]; }
		wait_for 20 called
		equal argument-sum-$b 0 $?
		n=$(number 'sonde_argdist_distribution_count')
		equal argument-mean-$b $((n * 2147480000)) "$(number 'sonde_argdist_distribution_sum')"
		has_softirqs() { page && [ "$(number 'sonde_softirqs_time_seconds_count')" -gt 0 ]; }
		wait_for 20 has_softirqs
		expect softirqs-exact-$b [ $(($(number 'sonde_softirqs_time_seconds_sum' 1000000000) % 1000)) -ne 0 ]
	else
		absent argument-sum-$b $b "$TMP/e.err" || fail argument-sum-$b "$(tail -n 3 "$TMP/e.err")"
	fi
	stop e
done

# More keys than a metric has series: the sum of all is what was counted.
if begin --backend $served -e 't:syscalls:sys_enter_getsid /comm == "own-scripts"/ { @k++; @[@k] = count(); @g[@k] = max(1); }'; then
	"$OWN" calls 700 >"$TMP/calls"
	sum_is() { page && [ "$(awk '/^sonde_bt_total/ { n += $NF } END { print n + 0 }' "$TMP/page")" = 700 ]; }
	wait_for 20 sum_is
	equal many-keys 0 $?
	equal many-series 501 "$(grep -c '^sonde_bt_total' "$TMP/page")"
	equal many-gauges 500 "$(grep -c '^sonde_bt_g{' "$TMP/page")"
	contains many-told "$TMP/e.err" 'entries of @g are left out: a metric has 500 series at most'
else
	fail many-keys "$(tail -n 3 "$TMP/e.err")"
fi
stop e

# Scripts as bpftrace's own: counts, and a histogram of one that keeps times in a map.
bench=${0%/*}/../../bench/scripts
others() {
	if begin --backend $served "$bench/syscount.bt"; then
		"$OWN" calls 9 >"$TMP/calls"
		has() { page && grep -q "$1" "$TMP/page"; }
		wait_for 20 has '^sonde_bt_processes_total{comm="own-scripts"} [1-9]'
		equal others-counts 0 $?
	else
		absent others-counts $served "$TMP/e.err" || fail others-counts "$(tail -n 3 "$TMP/e.err")"
	fi
	stop e
	if begin --backend $served "$bench/runqlat.bt"; then
		has() { page && grep -q "$1" "$TMP/page"; }
		wait_for 20 has '^sonde_bt_seconds_bucket{le="+Inf"} [1-9]'
		equal others-histogram 0 $?
		contains others-told "$TMP/e.err" '@start is left out: the script reads it back'
	else
		absent others-histogram $served "$TMP/e.err" || fail others-histogram "$(tail -n 3 "$TMP/e.err")"
	fi
	stop e
}
if [ -d "$bench" ]; then
	others
else
	skip others "the scripts are not here"
fi

# What a tool can't see here is a metric, too: what the end object of JSON has as missing.
"$SONDE" opensnoop --backend $served --json --duration 1 2>"$TMP/try.err" | sed -n '$s/.*"missing": *\[\([^]]*\)\].*/\1/p' |
	grep -o '"[^"]*"' | sort >"$TMP/wanted"
exports --listen 127.0.0.1:$PORT opensnoop --backend $served
wait_for 30 values_are 'sonde_tool_up{tool="opensnoop"} 1'
sed -n 's/^sonde_tool_degraded{tool="opensnoop",what=\("[^"]*"\)} 1$/\1/p' "$TMP/page" | sort >"$TMP/got"
same degraded "$TMP/wanted" "$TMP/got"
stop e

# Nothing to export is told, with what helps; so are options that end.
"$SONDE" export --listen 127.0.0.1:$PORT bt -e 't:syscalls:sys_enter_getsid { printf("%d", pid); }' >"$TMP/n.out" 2>"$TMP/n.err" &
pid_n=$! running="$running $!"
wait_for 20 grep -q 'is tried again' "$TMP/n.err"
contains nothing "$TMP/n.err" 'bt: no map of the script is a metric'
stop n TERM
clean left-at-end
