# SPDX-License-Identifier: GPL-2.0
#
# guest.sh: what tools add to a piece of work, in a guest whose clock counts instructions (tests/lab/lab.sh --icount): as
# sonde attaches them by itself, and then without each feature of the row, one after the other. ONLY="read getppid" takes
# only some of the works.
#
# It prints "work tool with added": `nothing` has all the time of an operation.

# WORK|TOOL|features that are taken from it, one by one
rows() {
	cat <<-ROWS
	read|vfsstat|
	read|fileslower|
	read|funclatency vfs_read|
	read|syscount|tp_btf raw-tracepoints
	pingpong|runqlat|tp_btf raw-tracepoints
	pingpong|cpudist|tp_btf raw-tracepoints
	pingpong|offcputime -K|tp_btf raw-tracepoints
	getppid|syscount|tp_btf raw-tracepoints
	getppid|opensnoop|
	open|opensnoop|
	direct|biolatency|tp_btf raw-tracepoints
	direct|biosnoop|tp_btf raw-tracepoints
	connect|tcpaccept|
	connect|tcplife|tp_btf raw-tracepoints
	exec|execsnoop|tp_btf raw-tracepoints function:__x64_sys_execve
	getppid|execsnoop|function:__x64_sys_execve
	ROWS
}

dir=$(mktemp -d)
# A disk in memory: one of this machine's answers in its own time, which the guest's clock does not count.
truncate -s 64M "$dir/disk"
losetup /dev/loop0 "$dir/disk"
# The mean of three, in ns: the clock's interrupts fall where they will.
paid() {
	case $1 in
	direct) what=/dev/loop0 ;;
	exec) what=/lab/work ;;
	*) what= ;;
	esac
	for _ in 1 2 3; do /lab/paid-static "$1" 0 $what; done | awk '{ sum += $2 } END { if (NR) printf "%.0f\n", sum / NR }'
}

# attached WORK TOOL OPTIONS...: what an operation takes while sonde looks at it; nothing if it does not run.
attached() {
	work=$1
	shift
	: >"$dir/err"
	/lab/sonde "$@" -v >"$dir/out" 2>"$dir/err" &
	until grep -q 'sonde: tracing' "$dir/err"; do
		[ -e /proc/$!/exe ] || return		# a zombie has no program
		sleep 0.1
	done
	paid "$work"
	kill -INT $!
	wait $!
	while grep -qsx sonde-detach /proc/[0-9]*/comm; do sleep 0.1; done
}

# added WORK TOOL WITH OPTIONS...: prints a row.
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

echo "$(uname -rm): added to an operation, instructions; nothing: all of it"
rows | while IFS='|' read -r work tool features; do
	case " ${ONLY:-$work} " in *" $work "*) ;; *) continue ;; esac
	[ "$work" = "${before:-}" ] || { alone=$(paid "$work"); before=$work; echo "$work||nothing|$alone"; }
	added "$work" "$tool" bpf $tool --backend bpf
	without=
	for feature in $features; do
		without="$without --without $feature"
		added "$work" "$tool" "bpf$without" $tool --backend bpf $without
	done
	for engine in perf ftrace; do
		added "$work" "$tool" $engine $tool --backend $engine
	done
done | awk -F '|' '{ printf "%-9s %-22s %-48s %8s\n", $1, $2, $3, $4; fflush() }'
losetup -d /dev/loop0
rm -rf "$dir"
