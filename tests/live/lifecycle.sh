# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# Every tool on every engine: starts, ends by Ctrl-C with status 0, and leaves nothing behind; also after SIGKILL, with
# another one beside it, and when its reader goes away.
. "${0%/*}/lib.sh"

for tool in opensnoop execsnoop biolatency runqlat tcpconnect cachestat; do
	for b in $ENGINES; do
		# Without kprobes the rings have no string of user space: these two refuse, and must say so.
		refuses=
		case $tool-$b in
		opensnoop-bpf | execsnoop-bpf) ;;
		opensnoop-* | execsnoop-*) has_kprobes || refuses='kprobe|string|path|arguments' ;;
		esac
		start_or_skip $tool-$b "$refuses" s $tool --backend $b || continue
		stop s
		if equal $tool-$b 0 "$STATUS"; then
			clean $tool-$b-left
		else
			notes "$TMP/s.err"
		fi
	done
done

for b in $ENGINES; do
	# Killed: the next one cleans up after it.
	start_or_skip killed-$b '' s tcpconnect --backend $b || continue
	stop s KILL
	start_or_skip after-killed-$b '' s tcpconnect --backend $b && stop s
	clean killed-$b

	# Two at once see the same, and neither takes the other's things away.
	if start_or_skip two-$b '' one tcpconnect --backend $b --json; then
		if start_or_skip two-$b '' two tcpconnect --backend $b --json; then
			stop two
			"$WORK" connects 5 7002 4 >"$TMP/said"
			stop one
			fields "$TMP/one.out" dport >"$TMP/ports"
			equal two-$b 5 "$(grep -cx 7002 "$TMP/ports")"
		else
			stop one
		fi
	fi
	clean two-$b-left

	# Nobody reads any more.
	mkfifo "$TMP/pipe"
	head -n 1 <"$TMP/pipe" >"$TMP/head" &
	"$SONDE" tcpconnect --backend $b --duration 20 --verbose >"$TMP/pipe" 2>"$TMP/reader.err" </dev/null &
	pid_reader=$!
	running="$running $pid_reader"
	wait_for 20 grep -q '^sonde: tracing' "$TMP/reader.err"
	for i in 1 2 3; do
		"$WORK" connects 1 7003 4 >/dev/null
		sleep 0.5
	done
	await reader 10
	equal closed-pipe-$b 0 "$STATUS"
	rm -f "$TMP/pipe"
	clean closed-pipe-$b-left
done

quiet kernel-log
