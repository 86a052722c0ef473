# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# The ten tools of `sonde checklist` at once, on bpf, under opens, execs, connections, switches of tasks and I/O of a disk.
# Of BPF programs on perf events only one runs on a CPU at a time, and the kernel counts those it skips: such tools say
# how many. Raw and typed tracepoints, and typed functions, are not skipped for programs of others: tools that have no
# other probes miss nothing.
. "${0%/*}/../lib.sh"

case " $ENGINES " in *" bpf "*) ;; *) skip together "bpf is not among the engines"; exit 0 ;; esac
has bpf || { skip together "$(feature bpf 3)"; exit 0; }
disk io

# A tool, and what it is asked.
tools() {
	cat <<-TOOLS
		execsnoop	--max-args 8
		opensnoop
		fileslower	10
		biolatency	600
		biosnoop
		cachestat	600
		tcpconnect
		tcpaccept
		tcpretrans
		runqlat	600
	TOOLS
}
tools >"$TMP/tools"

# worked: everything at the same time.
worked() {
	works=
	for words in "flood openat $((20000 / SLOW))" "flood execve $((1000 / SLOW))" "flood connect $((4000 / SLOW))" \
		"pingpong $((40000 / SLOW))" "${DISK:+block write $DISK $((2000 / SLOW))}"; do
		[ -z "$words" ] || { "$WORK" $words >"$TMP/work.said" 2>&1 & works="$works $!"; }
	done
	for p in $works; do
		wait $p || fail work "a part of the work ended with status $?"
	done
}
# alone FILE: all its probes are such that no other program keeps the kernel from running theirs.
alone() {
	! grep -E '^sonde: [a-z0-9_]+\.[a-z0-9_]+: ' "$1" | grep -vE '^sonde: [^ ]+ (raw tracepoint|typed tracepoint|fentry|fexit) ' |
		grep -q .
}

# all NAME [WITHOUT]: they run together, with a verdict each.
all() {
	on=
	while IFS='	' read -r tool args <&3; do
		start_or_skip $1-$tool "$(absences bpf)" $tool $tool --backend bpf --json --buffer-pages 1024 \
			${2:+--without "$2"} $args && on="$on $tool"
	done 3<"$TMP/tools"
	worked
	for tool in $on; do
		stop $tool && equal $1-$tool-ends 0 "$STATUS"
	done
	figures=
	for tool in $on; do
		lost=$(reported "$TMP/$tool.out" lost) missed=$(reported "$TMP/$tool.out" missed)
		! alone "$TMP/$tool.err" || equal $1-$tool-lost 0 "$lost"
		if alone "$TMP/$tool.err"; then
			equal $1-$tool-missed 0 "$missed" || notes "$TMP/$tool.err"
		elif ! has bpf-missed; then
			skip $1-$tool-missed "this kernel does not count the runs of BPF programs that it skips: missed ${missed:--}"
		elif [ "${missed:--}" = - ] && has kprobe-pmu && grep -qE '^sonde: [^ ]+: k(ret)?probe ' "$TMP/$tool.err"; then
			skip $1-$tool-missed "the kernel does not count what kprobes of perf_event_open(2) miss"
		else
			expect $1-$tool-said [ "${missed:--}" -ge 0 ]
		fi
		# A number above 0 is told without JSON, too.
		[ "${missed:-0}" -le 0 ] || contains $1-$tool-told "$TMP/$tool.err" \
			"^sonde: $tool: [0-9]+ events? .*(the kernel skipped|the kernel missed|did not record)"
		figures="$figures, $tool ${missed:--}"
	done
	echo "-- $1: events that the kernel skipped: ${figures#, }"
}

all whole
# As it would be without these kinds: how many there are is to be seen, where they are counted.
! has bpf-missed || all less tp_btf,raw-tracepoints
clean left
quiet kernel-log
