# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# Every tool on every engine: starts, ends by Ctrl-C with status 0, and leaves nothing behind.
. "${0%/*}/../lib.sh"

for tool in opensnoop execsnoop biolatency runqlat tcpconnect cachestat; do
	engines=$ENGINES
	case $tool in
	opensnoop | execsnoop) engines=$(engines_for_strings) ;;
	esac
	for b in $engines; do
		start_or_skip $tool-$b "$(absences $b)" s $tool --backend $b || continue
		stop s
		equal $tool-$b 0 "$STATUS" || notes "$TMP/s.err"
		clean $tool-$b-left
	done
done

# The first engine that can serve it is taken, and -v says which and through what.
for tool in opensnoop execsnoop biolatency runqlat tcpconnect cachestat; do
	start_or_skip $tool-any '' s $tool || continue
	stop s
	contains $tool-engine "$TMP/s.err" '^sonde: engine (bpf|perf|ftrace)$'
	contains $tool-hook "$TMP/s.err" '^sonde: [a-z]+\.[a-z]+: ((raw |typed )?tracepoint|kprobe|kretprobe) '
done

# Where it can't, the next one.
start_or_skip without-bpf '' s tcpconnect --without bpf && stop s
contains without-bpf "$TMP/s.err" '^sonde: engine perf$'
contains without-bpf-why "$TMP/s.err" '^sonde: not bpf: .*(bpf|--without)'
start_or_skip without-both '' s tcpconnect --without bpf,perf && stop s
contains without-both "$TMP/s.err" '^sonde: engine ftrace$'
refused without-all 'ftrace' tcpconnect --without bpf --without perf,tracefs

# By a link named after the tool, as a command of sonde, and by install-links.
"$SONDE" install-links "$TMP" >"$TMP/links" 2>&1
equal install-links 0 $?
expect install-links-again "$SONDE" install-links "$TMP"
for tool in opensnoop execsnoop biolatency runqlat tcpconnect cachestat; do
	"$TMP/$tool" --help >"$TMP/by-link" 2>&1
	"$SONDE" $tool --help >"$TMP/by-name" 2>&1
	same link-$tool "$TMP/by-name" "$TMP/by-link"
	between help-$tool 10 "$(wc -l <"$TMP/by-name")" 25
done
"$SONDE" >"$TMP/list"
contains list-version "$TMP/list" '^sonde [0-9]+\.[0-9]+'
contains list-tools "$TMP/list" '^  opensnoop +trace'
"$SONDE" features --json >"$TMP/features"
equal features 0 $?
expect features-json "$WORK" json tools <"$TMP/features"

# Before 3.14, which has no triggers, an event's filter is everybody's: sonde sets none, and says it where there is one.
exits=$TRACEFS/events/sched/sched_process_exit
if has instances && [ -e $exits/filter ] && [ ! -e $exits/trigger ]; then
	if start_or_skip filter "$(absences ftrace)" f trace --backend ftrace 't:sched:sched_process_exit (args->prio > 0) "%d", args->prio'; then
		equal filter-none none "$(cat $exits/filter)"
		stop f
	fi
	echo 'prio == 1' >$exits/filter
	refused filter-of-others 'a filter of events/sched/sched_process_exit is set' \
		trace --backend ftrace t:sched:sched_process_exit
	echo 0 >$exits/filter
fi

# Some kernels before 4.14 remove a BPF program as another tracer of its tracepoint ends: it comes back, and a message says so.
if start_or_skip removed "$(absences bpf)" s trace --backend bpf --json -n "gone$$" 't:sched:sched_process_exit "%d", args->pid'; then
	if start_or_skip removed-other "$(absences perf)" o trace --backend perf t:sched:sched_process_exit; then
		stop o
		sleep 1
		for i in 1 2 3; do
			"$WORK" -c "gone$$" noop
		done
		stop s
		equal removed 3 "$(fields "$TMP/s.out" comm | wc -l)"
		ms=$(reported "$TMP/s.out" untraced_ms)
		[ -z "$ms" ] || contains removed-said "$TMP/s.err" "removed sonde's BPF program as well: the events of $ms ms are missing"
	else
		stop s
	fi
fi

# What sonde asks for itself a command of --exec does not inherit.
limits='{ grep THP_enabled /proc/self/status; ulimit -n; ulimit -S -l; }'
ulimit -S -l 64
sh -c "$limits" >"$TMP/own"
"$SONDE" tcpconnect --exec sh -c "$limits >'$TMP/inherited'" >"$TMP/out" 2>"$TMP/err" </dev/null
same inherited "$TMP/own" "$TMP/inherited"

quiet kernel-log
