# SPDX-License-Identifier: GPL-2.0
#
# guest.sh: what tools add to a piece of work, in a guest whose clock counts instructions (tests/lab/lab.sh --icount): as
# sonde attaches them by itself, and then without each feature of the row, one after the other. ONLY="read lockstat" takes
# only some of the works and tools. SCRIPTS=1 takes only rows with a script, and of these the tool as it attaches itself,
# `sonde bt` and bpftrace.
#
# It prints "work tool with added": `nothing` has all the time of an operation.

# WORK|TOOL|features that are taken from it, one by one|libbpf-tools' command|a script, which `sonde bt` and bpftrace run|commands of perf
# and strace that show the same, with commas between. libbpf-tools' offcputime walks both stacks; strace runs the work itself.
rows() {
	cat <<-ROWS
	read|vfsstat|fentry|vfsstat|vfsstat
	read|fileslower|fentry||
	read|funclatency vfs_read|fentry|funclatency vfs_read|
	read|syscount|tp_btf raw-tracepoints|syscount|syscount
	read|filetop|fentry|filetop|
	pingpong|runqlat|tp_btf raw-tracepoints|runqlat|runqlat
	pingpong|cpudist|tp_btf raw-tracepoints|cpudist|
	pingpong|schedlat|tp_btf raw-tracepoints|||perf sched record -o /tmp/sched
	pingpong|lockstat|tp_btf raw-tracepoints|klockstat||perf lock record -o /tmp/locks
	pingpong|offcputime -K|tp_btf raw-tracepoints|offcputime|offcputime-K
	getppid|syscount|tp_btf raw-tracepoints|syscount|syscount
	getppid|syscount -L|raw-whole||
	getppid|systrace -s|raw-whole|||perf trace -a -s -o /dev/null,strace -c -f -o /dev/null
	getppid|systrace -e openat||||perf trace -a -e openat -o /dev/null,strace -f -e openat -o /dev/null
	getppid|systrace -e getppid||||perf trace -a -e getppid -o /dev/null,strace -f -e getppid -o /dev/null
	getppid|opensnoop|fentry|opensnoop|opensnoop
	open|opensnoop|fentry|opensnoop|opensnoop
	open|slabratetop|raw-whole|slabratetop|
	stat|statsnoop|fentry||statsnoop
	sync|syncsnoop -a|function:__x64_sys_fdatasync||syncsnoop
	nap|naptime|||naptime
	read|vfscount|fentry||vfscount
	direct|biostacks||biostacks|
	direct|biolatency|tp_btf raw-tracepoints|biolatency|biolatency
	direct|bitesize|raw-whole|bitesize|bitesize
	direct|biosnoop|tp_btf raw-tracepoints|biosnoop|biosnoop
	connect|tcpaccept|fentry||tcpaccept
	connect|tcpconnect||tcpconnect|tcpconnect
	connect|tcpsynbl|fentry||tcpsynbl
	send|tcptop|fentry|tcptop|
	send|nettop|raw-whole||
	connect|tcplife|tp_btf raw-tracepoints|tcplife|tcplife
	exec|execsnoop|tp_btf raw-tracepoints function:__x64_sys_execve|execsnoop|execsnoop
	kill|killsnoop|function:__x64_sys_kill|killsnoop|killsnoop
	getppid|execsnoop|function:__x64_sys_execve|execsnoop|execsnoop
	ROWS
}

dir=$(mktemp -d)
# A disk in memory: one of this machine's answers in its own time, which the guest's clock does not count.
truncate -s 64M "$dir/disk"
losetup /dev/loop0 "$dir/disk"
# paid WORK [PROGRAM...]: the mean of three, in ns, run by the program: the clock's interrupts fall where they will.
paid() {
	job=$1
	shift
	case $job in
	direct) what=/dev/loop0 ;;
	exec) what=/lab/work ;;
	*) what= ;;
	esac
	for _ in 1 2 3; do "$@" /lab/paid-static "$job" 0 $what; done | awk '{ sum += $2 } END { if (NR) printf "%.0f\n", sum / NR }'
}

# events PID: how many events and links of programs it holds.
events() { ls -l "/proc/$1/fd" 2>/dev/null | grep -c 'bpf.link\|perf_event'; }

# sonde says when all is attached; the others have attached all when they hold no more than two seconds before.
ready() {
	case $2 in
	*sonde) grep -q 'sonde: tracing' "$dir/err" ;;
	*) held=$(events "$1"); sleep 2; [ "$held" -gt 0 ] && [ "$(events "$1")" = "$held" ] ;;
	esac
}

# attached WORK COMMAND...: what an operation takes while the command looks at it; nothing if it does not run.
attached() {
	work=$1
	shift
	: >"$dir/err"
	"$@" >"$dir/out" 2>"$dir/err" &
	until ready $! "$1"; do
		[ -e /proc/$!/exe ] || return		# a zombie has no program
		sleep 0.1
	done
	paid "$work"
	kill -TERM $!		# a shell has SIGINT ignored in what it runs behind
	wait $! 2>/dev/null
	while grep -qsx sonde-detach /proc/[0-9]*/comm; do sleep 0.1; done
}

# added WORK TOOL WITH COMMAND...: prints a row.
added() {
	row="$1|$2|$3"
	shift 3
	ns=$(attached "${row%%|*}" "$@")
	if [ -n "$ns" ]; then
		echo "$row|$((ns - alone))"
	else
		echo "$row|- $(head -n 1 "$dir/err" | cut -c 1-100)"
	fi
}

# sonde_added WITH OPTIONS...: of the row.
sonde_added() {
	with=$1
	shift
	added "$work" "$tool" "$with" /lab/sonde $tool -v "$@"
}

# with_less: the row's tool with less, and with the other engines; then tools of others.
with_less() {
	without=
	for feature in $features; do
		without="$without --without $feature"
		sonde_added "bpf$without" --backend bpf $without
	done
	for engine in perf ftrace; do
		sonde_added $engine --backend $engine
	done
	[ ! -f "/bin/${libbpf%% *}" ] || added "$work" "$tool" libbpf-tools $libbpf
	echo "$others" | tr , '\n' | while read -r program rest; do
		case $program in
		strace) [ ! -f /bin/strace ] || echo "$work|$tool|$program $rest|$(($(paid "$work" strace $rest) - alone))" ;;
		?*) [ ! -f "/bin/$program" ] || added "$work" "$tool" "$program $rest" $program $rest ;;
		esac
	done
}

echo "$(uname -rm): added to an operation, instructions; nothing: all of it"
rows | while IFS='|' read -r work tool features libbpf script others; do
	case " ${ONLY:-$work} " in *" $work "* | *" ${tool%% *} "*) ;; *) continue ;; esac
	[ -z "${SCRIPTS:-}" ] || [ -n "$script" ] || continue
	[ "$work" = "${before:-}" ] || { alone=$(paid "$work"); before=$work; echo "$work||nothing|$alone"; }
	sonde_added bpf --backend bpf
	[ -n "${SCRIPTS:-}" ] || with_less
	[ -f "/lab/$script.bt" ] || continue
	added "$work" "$tool" 'bt, the same script' /lab/sonde bt -v "/lab/$script.bt"
	added "$work" "$tool" bpftrace bpftrace "/lab/$script.bt"
done | awk -F '|' '{ printf "%-9s %-22s %-48s %8s\n", $1, $2, $3, $4; fflush() }'
losetup -d /dev/loop0
rm -rf "$dir"
