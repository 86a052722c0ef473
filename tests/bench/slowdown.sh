# SPDX-License-Identifier: GPL-2.0
#
# slowdown.sh: what a piece of work takes while a tool looks at it, beside the same with nothing attached. To be sourced
# by run.sh. paid.c does the works; a tool prints to a terminal that somebody reads, all on the first CPU.

slowdown_engines="bpf perf ftrace counters"
slowdown_peers="libbpf bpftrace"
slowdown_reversed="bpftrace libbpf counters ftrace perf bpf nothing"

# WORK|command of sonde|what libbpf-tools' program shows when it is attached|its command|bpftrace's script. An empty
# field: that peer has nothing like it. libbpf-tools' offcputime has no -K: it walks both stacks.
slowdown_rows() {
	cat <<-ROWS
	pingpong|runqlat|Tracing|runqlat|runqlat
	pingpong|cpudist|Tracing|cpudist|
	pingpong|schedlat|||
	pingpong|offcputime -K|@link|offcputime|offcputime-K
	pingpong|offcputime|@link|offcputime|offcputime
	getppid|syscount|Tracing|syscount|syscount
	getppid|systrace -s|||
	getppid|systrace -e openat|||
	getppid|opensnoop|PID|opensnoop|opensnoop
	getppid|stat -e syscalls:sys_enter_swapon|||other
	open|opensnoop|PID|opensnoop|opensnoop
	read|fileslower|||
	read|filetop|Tracing|filetop|
	read|vfsstat|TIME|vfsstat|vfsstat
	read|syscount|Tracing|syscount|syscount
	direct|biolatency|Tracing|biolatency|biolatency
	direct|biosnoop|TIME|biosnoop|biosnoop
	direct8|biolatency|Tracing|biolatency|biolatency
	direct8|biosnoop|TIME|biosnoop|biosnoop
	connect|tcpconnect|PID|tcpconnect|tcpconnect
	connect|tcplife|PID|tcplife|tcplife
	connect|tcpaccept|||tcpaccept
	send|tcptop|PID|tcptop|
	send|nettop|||
	exec|execsnoop|PCOMM|execsnoop|execsnoop
	exec|exitsnoop|PCOMM|exitsnoop|
	fault|funccount t:exceptions:page_fault_user|||faults
	fault|stat -e page-faults|||page-faults
	malloc|funccount $libc:malloc|||malloc
	malloc|memleak -O $libc|||pair
	web|runqlat|Tracing|runqlat|runqlat
	web|syscount|Tracing|syscount|syscount
	web|opensnoop|PID|opensnoop|opensnoop
	web|tcplife|PID|tcplife|tcplife
	ROWS
}

# The rows of the works in $WORKS, of all works if it is empty.
slowdown_picked() {
	slowdown_rows | awk -F '|' -v works="$WORKS" '
		BEGIN { all = !split(works, names, " "); for (i in names) picked[names[i]] }
		all || $1 in picked'
}

slowdown_known() {
	for work in $WORKS; do
		slowdown_rows | grep -q "^$work|" || {
			echo "error: WORKS: no work is called '$work'; works are:" \
				$(slowdown_rows | cut -d '|' -f 1 | uniq) >&2
			return 1
		}
	done
}

slowdown_scripts() {
	echo 'tracepoint:syscalls:sys_enter_swapon { @ = count(); }' >"$TMP/other.bt"
	echo 'tracepoint:exceptions:page_fault_user { @[probe] = count(); }' >"$TMP/faults.bt"
	echo 'software:page-faults:1 { @ = count(); }' >"$TMP/page-faults.bt"
	echo "uprobe:$libc:malloc { @[func] = count(); }" >"$TMP/malloc.bt"
}

# slowdown_script FILE: it says when all is attached.
slowdown_script() {
	cat "$1"
	grep -q @said "$1" || printf '%s\n' 'interval:ms:100 /@said == 0/ { printf("attached\n"); @said = 1; }'
}

slowdown_work() {
	case $1 in
	direct*) echo "$BENCH/paid $1 $CPU $loop" ;;
	exec) echo "$BENCH/paid $1 $CPU $WORK" ;;
	web) echo "tests/bench/web.sh $TMP/web" ;;
	*) echo "$BENCH/paid $1 $CPU" ;;
	esac
}

# slowdown_paid READY TOOL ARGS...: prints what an operation of the row's work takes while the tool is attached.
slowdown_paid() {
	ready=$1
	shift
	rm -f "$TMP/paid"
	taskset -c 0 "$BENCH/life" -s 0 -r "$ready" -w "exec $(slowdown_work "$row_work") >'$TMP/paid'" "$@" || return
	[ -s "$TMP/paid" ] || { echo "error: the work printed no time" >&2; return 1; }
	cat "$TMP/paid"
}

slowdown_nothing() { sample "$row" nothing slowdown_paid alone sh -c 'echo alone; exec sleep 1000'; }

# slowdown_sonde ENGINE: `stat` has no choice of engines, for it runs no programs.
slowdown_sonde() {
	case "$1 $row_tool" in
	"counters stat "*) sample "$row" counters slowdown_paid 'sonde: tracing' "$SONDE" $row_tool -v ;;
	"counters "* | *" stat "*) ;;
	*) sample "$row" "$1" slowdown_paid 'sonde: tracing' "$SONDE" $row_tool -v --backend "$1" ;;
	esac
}

slowdown_libbpf() {
	[ -n "$row_libbpf" ] || return
	if path=$(libbpf_tool "$row_libbpf"); then
		sample "$row" libbpf slowdown_paid "$row_ready" "$path"
	else
		none "$row" libbpf "not installed: make bench-deps installs it"
	fi
}

# bpftrace's own script, or, where there is none or it is refused, the bench's: it needs no kprobes and no headers.
slowdown_bpftrace() {
	[ -n "$row_script" ] || return
	has bpftrace || { none "$row" bpftrace "not installed: make bench-deps installs it"; return; }
	ours=$TMP/$row_script.bt
	if [ ! -e "$TMP/$row.ours" ] && script=$(bpftrace_script "$row_script"); then
		slowdown_script "$script" >"$TMP/slowdown-script"
		sample "$row" bpftrace slowdown_paid attached bpftrace "$TMP/slowdown-script" && return
		[ -e "$ours" ] && [ ! -e "$TMP/$row.bpftrace.ns" ] || return
		rm "$TMP/$row.bpftrace.why"
	fi
	[ -e "$ours" ] || return
	echo ", the bench's script" >"$TMP/$row.ours"
	slowdown_script "$ours" >"$TMP/slowdown-script"
	sample "$row" bpftrace slowdown_paid attached bpftrace "$TMP/slowdown-script"
}

# What a sonde before had attached is there until its detacher has ended; five seconds at most.
slowdown_alone() {
	for _ in $(seq 50); do
		grep -qsx sonde-detach /proc/[0-9]*/comm || return
		sleep 0.1
	done
}

# slowdown_turn WHO: $TMP/now.WHO has what it took this time.
slowdown_turn() {
	slowdown_alone
	had=$(count "$row.$1.ns")
	case $1 in
	nothing | libbpf | bpftrace) slowdown_$1 ;;
	*) slowdown_sonde "$1" ;;
	esac
	[ "$(count "$row.$1.ns")" = "$had" ] || newest "$row.$1.ns" >"$TMP/now.$1"
}

# An engine serves the row's tool.
slowdown_served() {
	for engine in $slowdown_engines; do
		[ ! -e "$TMP/$row.$engine.ns" ] || return 0
	done
	return 1
}

slowdown_keep() {
	[ -e "$TMP/now.nothing" ] || return
	for by in $slowdown_engines $slowdown_peers; do
		[ ! -e "$TMP/now.$by" ] || keep "$row" $by added \
			"$(awk -v a="$(cat "$TMP/now.$by")" -v b="$(cat "$TMP/now.nothing")" 'BEGIN { print a - b }')"
	done
}

# One round of a row, in ABBA's order: every other round goes backwards. Peers of a tool that is refused have no turns.
slowdown_round() {
	[ ! -e "$TMP/$row.nothing.why" ] || return
	rm -f "$TMP"/now.*
	if [ "$round" = 1 ]; then
		for by in nothing $slowdown_engines; do slowdown_turn $by; done
		slowdown_served || return
		for by in $slowdown_peers; do slowdown_turn $by; done
	elif ! slowdown_served; then
		return
	elif [ $((round % 2)) = 0 ]; then
		for by in $slowdown_reversed; do slowdown_turn $by; done
	else
		for by in nothing $slowdown_engines $slowdown_peers; do slowdown_turn $by; done
	fi
	slowdown_keep
}

# slowdown_each FUNCTION: for each row that can have its work.
slowdown_each() {
	slowdown_picked >"$TMP/slowdown-rows"
	n=0
	while IFS='|' read -r row_work row_tool row_ready row_libbpf row_script <&3; do
		n=$((n + 1))
		row=slowdown-$n
		case $row_work:$loop in direct*:) none "$row" nothing "no loop device" ;; esac
		case $row_work:$web in web:no*) none "$row" nothing "$web" ;; esac
		"$1"
	done 3<"$TMP/slowdown-rows"
}

# ---- its table ----

slowdown_line() { printf '%-8s %-38s %-9s %9s %9s %9s %8s %9s  %s\n' "$@"; }

# quartiles FILE: median, first and third quartile, one line each.
quartiles() {
	sort -g "$TMP/$1" | awk '{ v[NR] = $1 } END {
		print v[int((NR + 1) / 2)]; print v[int((NR + 3) / 4)]; print v[int((3 * NR + 3) / 4)] }'
}

# slowdown_ratio WHO PEER: nothing where either adds nothing.
slowdown_ratio() {
	case " $slowdown_engines " in *" $1 "*) ;; *) return ;; esac
	awk -v a="$(median "$row.$1.added")" -v b="$(median "$row.$2.added")" \
		'BEGIN { if (a > 0 && b > 0) printf("%.2f", a / b) }'
}

slowdown_note() {
	echo "n $(count "$row.$1.$2")$(awk -v lost="$(median "$row.$1.lost")" -v seen="$(median "$row.$1.seen")" \
		'BEGIN { if (lost > 0) printf(", lost %d of %d events", lost, seen) }')$([ "$1" != bpftrace ] ||
		cat "$TMP/$row.ours" 2>/dev/null)"
}

# slowdown_show WHO KEY
slowdown_show() {
	if [ -e "$TMP/$row.$1.$2" ]; then
		set -- "$1" "$2" $(quartiles "$row.$1.$2")
		slowdown_line "$row_work" "$title" "$1" "$(number "$3")" "$(number "$4")" "$(number "$5")" \
			"$(slowdown_ratio "$1" libbpf)" "$(slowdown_ratio "$1" bpftrace)" "$(slowdown_note "$1" "$2")"
	elif [ -e "$TMP/$row.$1.why" ]; then
		slowdown_line "$row_work" "$title" "$1" - - - "" "" "$(cat "$TMP/$row.$1.why")"
	fi
}

slowdown_table() {
	title=$(echo "$row_tool" | sed "s|$libc|libc|")
	if ! slowdown_served; then
		why=$TMP/$row.nothing.why
		[ -e "$why" ] || why=$(ls "$TMP/$row".*.why | head -n 1)
		slowdown_line "$row_work" "$title" - - - - "" "" "$(cat "$why")"
		return
	fi
	slowdown_show nothing ns
	for by in $slowdown_engines $slowdown_peers; do slowdown_show $by added; done
}

# A package of a web server starts it, so that bench-deps leaves the choice to people.
make_web() {
	if ! has nginx || ! has wrk; then
		web="no web server: as root, apt-get install nginx-light wrk"
	elif tests/bench/web.sh start "$CPU" "$TMP/web" 2>"$TMP/err"; then
		web=$TMP/web
	else
		web="no web server: $(tail -n 1 "$TMP/err")"
	fi
}

measure_slowdown() {
	slowdown_known || exit
	[ -n "$loop" ] || make_disk
	slowdown_picked | grep -q '^web|' && make_web
	slowdown_scripts
	[ "$(cat /proc/sys/kernel/bpf_stats_enabled 2>/dev/null)" != 1 ] ||
		echo "kernel.bpf_stats_enabled is 1: all programs take longer, to be timed"
	for round in $(seq "$slowdown_rounds"); do
		slowdown_each slowdown_round
	done
	line "added to an operation, ns; nothing: all of it" "" "" "" "" "" "" ""
	slowdown_line work tool with median q1 q3 /libbpf /bpftrace ""
	slowdown_each slowdown_table
}
