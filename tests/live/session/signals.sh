# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# How it ends: Ctrl-C prints what there is, a closed pipe is no error, SIGKILL leaves nothing the next one does not
# clean; two at once, and others' tracing on the same events, all go on.
. "${0%/*}/../lib.sh"

# ends NAME FILE SIGNAL PATTERN: the running one ends by the signal with status 0 and has printed what it had.
ends() {
	stop s "$3"
	equal "$1-$3" 0 "$STATUS" || notes "$TMP/s.err"
	contains "$1-$3-partial" "$2" "$4"
}

for b in $ENGINES; do
	# No interval: all of it at the end.
	for signal in INT TERM HUP; do
		start_or_skip runqlat-$b-$signal '' s runqlat --backend $b || continue
		"$WORK" sleeps 20 >/dev/null
		ends runqlat-$b "$TMP/s.out" $signal '^     usecs               : count     distribution$'
	done
	# An interval that has only begun.
	start s cachestat --backend $b 1000
	ends cachestat-$b "$TMP/s.out" INT '^ +([0-9]+|-) +([0-9]+|-) +([0-9]+|-) '
	start s tcpconnect --backend $b -c
	"$WORK" connects 3 7030 4 >/dev/null
	ends tcpconnect-$b "$TMP/s.out" INT '^127\.0\.0\.1 +127\.0\.0\.1 +7030 +3$'
	# Rows of what happened just before.
	start s tcpconnect --backend $b --json -P 7031
	"$WORK" connects 40 7031 4 >/dev/null
	stop s
	equal last-rows-$b 40 "$(fields "$TMP/s.out" dport | wc -l)"

	# Twice Ctrl-C, by someone in a hurry.
	start s runqlat --backend $b
	kill -INT "$(pid s)"
	kill -INT "$(pid s)" 2>/dev/null
	await s
	equal twice-$b 0 "$STATUS"
	clean ended-$b-left

	# Below nohup(1) the terminal's end is not sonde's.
	(trap '' HUP; exec "$SONDE" tcpconnect --backend $b --json -P 7034 --verbose) >"$TMP/h.out" 2>"$TMP/h.err" </dev/null &
	pid_h=$!
	running="$running $pid_h"
	wait_for 20 grep -q '^sonde: tracing' "$TMP/h.err"
	kill -HUP $pid_h
	"$WORK" connects 5 7034 4 >/dev/null
	kill -INT $pid_h
	await h
	equal nohup-$b 0 "$STATUS"
	equal nohup-rows-$b 5 "$(fields "$TMP/h.out" dport | wc -l)"

	# Nobody reads any more.
	mkfifo "$TMP/pipe"
	head -n 1 <"$TMP/pipe" >"$TMP/head" &
	"$SONDE" tcpconnect --backend $b --duration 20 --verbose >"$TMP/pipe" 2>"$TMP/reader.err" </dev/null &
	pid_reader=$!
	running="$running $pid_reader"
	wait_for 20 grep -q '^sonde: tracing' "$TMP/reader.err"
	for i in 1 2 3; do
		"$WORK" connects 1 7032 4 >/dev/null
		sleep 0.5
	done
	await reader 10
	equal closed-pipe-$b 0 "$STATUS"
	grep -vE '^(sonde: (engine|tracing|seen|unavailable|tcp\.)|bpf:|perf:|ftrace:)' "$TMP/reader.err" >"$TMP/complaints"
	: >"$TMP/none"
	same closed-pipe-quiet-$b "$TMP/none" "$TMP/complaints"
	rm -f "$TMP/pipe"
	clean closed-pipe-$b-left

	# Somebody reads late: signals and children's ends come while it waits, and all rows are there, and the end.
	mkfifo "$TMP/late"
	"$SONDE" exitsnoop --backend $b --json --verbose --name sh >"$TMP/late" 2>"$TMP/late.err" </dev/null &
	pid_late=$!
	running="$running $pid_late"
	exec 7<"$TMP/late"
	if wait_for 20 grep -q '^sonde: tracing' "$TMP/late.err"; then
		sh -c 'i=0; while [ $i -lt 600 ]; do (:); i=$((i + 1)); done'
		sleep 1
		for signal in WINCH CHLD INT; do
			kill -$signal $pid_late
			sleep 0.2
		done
		cat <&7 >"$TMP/late.out"
		await late 20
		equal late-$b 0 "$STATUS"
		between late-rows-$b 601 "$(($(fields "$TMP/late.out" pid | wc -l) + $(unseen "$TMP/late.out")))" 100000
		contains late-end-$b "$TMP/late.out" '^{"end":'
	else
		cat <&7 >/dev/null
		await late 20
		skip late-$b "$(grep -v '^sonde: not' "$TMP/late.err" | head -n 2 | tail -n 1)"
	fi
	exec 7<&-
	rm "$TMP/late"

	# A full disk is an error.
	if [ -c /dev/full ]; then
		timeout $((20 * SLOW)) "$SONDE" runqlat --backend $b 1 1 >/dev/full 2>"$TMP/err"
		equal full-disk-$b 1 $?
		contains full-disk-why-$b "$TMP/err" '[Ww]rite'
	fi
done

# Killed while it starts, runs and ends: the next one cleans up after it.
for run in $(engines_for_strings | tr ' ' '\n' | sed 's/^/opensnoop:/') tcpconnect:perf tcpconnect:ftrace; do
	tool=${run%:*}
	b=${run#*:}
	for after in 0.01 0.05 0.1 0.2 0.5; do
		"$SONDE" $tool --backend $b >"$TMP/killed.out" 2>&1 </dev/null &
		pid_killed=$!
		running="$running $!"
		sleep $after
		[ $after != 0.5 ] || { kill -INT $pid_killed 2>/dev/null; sleep 0.02; }
		kill -KILL $pid_killed 2>/dev/null
		wait $pid_killed 2>/dev/null
		forget killed
	done
	start_or_skip killed-$tool-$b '' s $tool --backend $b && stop s
	clean killed-$tool-$b
done

# Two at once see the same, and neither takes the other's things away; nor does a third that comes and goes.
for b in $ENGINES; do
	start_or_skip two-$b '' one tcpconnect --backend $b --json -P 7033 || continue
	start two tcpconnect --backend $b --json -P 7033
	start three tcpconnect --backend $b --json
	stop three
	"$WORK" connects 25 7033 4 >"$TMP/said"
	stop two
	"$WORK" connects 25 7033 4 >>"$TMP/said"
	stop one
	cut -f 2,9 "$TMP/said" >"$TMP/wanted"
	fields "$TMP/one.out" pid dport >"$TMP/got"
	same two-first-$b "$TMP/wanted" "$TMP/got"
	head -n 25 "$TMP/wanted" >"$TMP/wanted-25"
	fields "$TMP/two.out" pid dport >"$TMP/got"
	same two-second-$b "$TMP/wanted-25" "$TMP/got"
	clean two-$b-left
done

# Beside others on the same event: an ftrace user in an instance, and a perf user. All see all.
instance=$TRACEFS/instances/signals-test-$$
cleanup_hook() { [ ! -d "$instance" ] || rmdir "$instance"; }
mkdir "$instance"
port=$((10000 + $$ % 20000))	# others' tests on this machine have others
for b in $ENGINES; do
	echo "sport == $port || dport == $port" >"$instance/events/sock/inet_sock_set_state/filter"
	echo 1 >"$instance/events/sock/inet_sock_set_state/enable"
	start_or_skip beside-$b '' s tcpconnect --backend $b --json -P $port || continue
	: >"$TMP/perf.said"
	"$WORK" samples "$TRACEFS/events/sock/inet_sock_set_state/id" $((60000 * SLOW)) "sport == $port || dport == $port" \
		>"$TMP/perf.said" &
	pid_perf=$!
	running="$running $!"
	wait_for 10 grep -q counting "$TMP/perf.said"
	"$WORK" connects 50 $port 4 >/dev/null
	kill -TERM $pid_perf
	wait $pid_perf
	forget perf
	stop s
	echo 0 >"$instance/events/enable"
	equal beside-$b 50 "$(fields "$TMP/s.out" dport | wc -l)"
	equal beside-ftrace-$b 50 "$(grep -c " dport=$port .*newstate=TCP_SYN_SENT" "$instance/trace")"
	between beside-perf-$b 150 "$(said perf 4)" 100000
	echo >"$instance/trace"
done
if command -v bpftrace >/dev/null; then
	start s tcpconnect --json -P $port
	# It says so when it begins, which is before its probe is on; connections to the next port show that it is.
	: >"$TMP/bpftrace"
	timeout 120 bpftrace -e 'BEGIN { printf("ready\n"); }
		tracepoint:sock:inet_sock_set_state / args->newstate == 2 / {
			if (args->dport == '$((port + 1))') { printf("on\n"); }
			if (args->dport == '$port') { @n = count(); }
		}' \
		>"$TMP/bpftrace" 2>"$TMP/bpftrace.err" &
	pid_bpftrace=$!
	running="$running $!"
	on() {
		"$WORK" connects 1 $((port + 1)) 4 >/dev/null
		sleep 0.2
		grep -q "^on" "$TMP/bpftrace"
	}
	if wait_for 30 grep -q ready "$TMP/bpftrace" && wait_for 30 on; then
		"$WORK" connects 30 $port 4 >/dev/null
		kill -INT $pid_bpftrace
		wait $pid_bpftrace
		stop s
		equal beside-bpftrace 30 "$(fields "$TMP/s.out" dport | wc -l)"
		contains bpftrace-beside "$TMP/bpftrace" '^@n: 30$'
	else
		skip beside-bpftrace "bpftrace does not run here: $(head -n 1 "$TMP/bpftrace.err")"
		kill $pid_bpftrace 2>/dev/null
		wait $pid_bpftrace
		stop s
	fi
	forget bpftrace
else
	skip beside-bpftrace "bpftrace is not installed"
fi
clean left
# mkdir of an instance allocates its rings; the kernel stops that for a SIGKILL, and warns that it failed.
quiet kernel-log trace_rb_cpu_prepare "sonde was killed while the kernel made its instance, which the kernel warns of"
