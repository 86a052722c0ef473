#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh: measures sonde beside what else is installed (`make bench-deps`), and prints a table of medians and ratios.
# All tools of a measure take turns under the same work, round by round, so that what disturbs the machine disturbs all
# of them. Figures are shown, not judged by the exit status: machines are noisy. ROUNDS=N takes more of them; ONLY="cost
# pairs slowdown questions start vm cpu stacks memory symbols size record flight end prompt" some of the measures,
# WORKS="pingpong getppid" some works of slowdown.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
BUILD=${BUILD:-build}
SONDE=${SONDE:-$root/sonde}
WORK=$root/build/tests/work
BENCH=$root/$BUILD/tests/bench
WORKS=${WORKS:-}		# of slowdown; empty: all
slowdown_rounds=${ROUNDS:-15}	# what is added to a work is a difference of two times
ROUNDS=${ROUNDS:-5}
ONLY=${ONLY:-cost pairs slowdown questions start vm cpu stacks memory symbols size record flight end prompt}
CPU=$(($(nproc) - 1))		# the work's; the tools have the first one
TMP=$(mktemp -d "${TMPDIR:-/tmp}/sonde-bench.XXXXXX") || exit 1
loop= web=
finish() {
	[ ! -e "$TMP/web/pid" ] || tests/bench/web.sh stop "$TMP/web"
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$TMP"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
[ "$(id -u)" = 0 ] || { echo "make bench needs root: it traces the kernel" >&2; exit 1; }

. tests/peers.sh
. tests/bench/slowdown.sh
has() { command -v "$1" >/dev/null 2>&1; }
wanted() { case " $ONLY " in *" $1 "*) ;; *) return 1 ;; esac; }

# ---- samples: one value a line in $TMP/MEASURE.WHO.KEY; why there is none in $TMP/MEASURE.WHO.why ----

keep() { echo "$4" >>"$TMP/$1.$2.$3"; }
none() { [ -e "$TMP/$1.$2.why" ] || echo "$3" >"$TMP/$1.$2.why"; }

# sample MEASURE WHO COMMAND...: keeps the `key value` lines a command prints.
sample() {
	measure=$1
	who=$2
	shift 2
	[ ! -e "$TMP/$measure.$who.why" ] || return 1
	if "$@" >"$TMP/out" 2>"$TMP/err"; then
		while read -r key value; do
			keep "$measure" "$who" "$key" "$value"
		done <"$TMP/out"
	else
		none "$measure" "$who" "does not run here: $(grep -aiE 'fail|error|can.t|no such' "$TMP/err" |
			grep -vE '^life:|RLIMIT_MEMLOCK' | head -n 1 | tr -cd ' -~' | cut -c 1-90)"
		return 1
	fi
}

median() { sort -g "$TMP/$1" 2>/dev/null | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }
count() { if [ -e "$TMP/$1" ]; then wc -l <"$TMP/$1"; else echo 0; fi; }
newest() { tail -n 1 "$TMP/$1" 2>/dev/null; }

# ---- rows ----

line() { printf '%-44s %9s  %-15s %9s %7s  %-9s %-4s %s\n' "$@"; }
number() { awk -v x="$1" 'BEGIN { y = x < 0 ? -x : x; printf(y >= 100 ? "%.0f" : y >= 10 ? "%.1f" : "%.2f", x) }'; }
reached() { awk -v x="$1" -v op="$2" -v goal="$3" 'BEGIN { print((op == "<=" ? x <= goal : x >= goal) ? "yes" : "no") }'; }

# against TITLE MEASURE KEY PEER NAME [OP GOAL]: one peer's row; the first of a measure also shows sonde's figure.
against() {
	own=$(median "$2.sonde.$3")
	its=$(median "$2.$4.$3")
	if [ -z "$own" ]; then
		line "$1" - "$5" "" "" "" "" "$(cat "$TMP/$2.sonde.why" 2>/dev/null)"
	elif [ "$(number "${its:-1}")" = 0.00 ]; then
		line "$1" "$(number "$own")" "$5" - "" "" "" "its programs did not run: what they hang on is not here"
	elif [ -z "$its" ]; then
		line "$1" "$(number "$own")" "$5" - "" "" "" "$(cat "$TMP/$2.$4.why" 2>/dev/null)"
	else
		ratio=$(awk -v a="$own" -v b="$its" 'BEGIN { printf("%.3f", a / b) }')
		line "$1" "$(number "$own")" "$5" "$(number "$its")" "$(number "$ratio")" "${6:+$6 $7}" \
			"${6:+$(reached "$ratio" "$6" "$7")}" "n $(count "$2.sonde.$3")/$(count "$2.$4.$3")"
	fi
}

# goal TITLE MEASURE KEY OP GOAL [NOTE]: a figure of sonde's own.
goal() {
	own=$(median "$2.sonde.$3")
	if [ -z "$own" ]; then
		line "$1" - "" "" "" "$4 $5" "" "$(cat "$TMP/$2.sonde.why" 2>/dev/null)"
	else
		line "$1" "$(number "$own")" "" "" "" "$4 $5" "$(reached "$own" "$4" "$5")" \
			"n $(count "$2.sonde.$3")${6:+, $6}"
	fi
}

# ---- the peers ----

# 512 otherwise
export BPFTRACE_MAX_PROBES=2000 BPFTRACE_MAX_BPF_PROGS=2000
bpftrace_name=bpftrace
aggregate_goal=0.60		# of bpftrace 0.17; from 0.20 on its programs are quicker
if has bpftrace; then
	version=$(bpftrace --version 2>/dev/null | tr -cd '0-9.')
	bpftrace_name="bpftrace ${version%.*}"
	minor=${version#*.}
	[ "${minor%%.*}" -lt 20 ] 2>/dev/null || aggregate_goal=0.75
fi
# Who makes a request is told by another event before 6.5.
made=block_io_start
[ -e /sys/kernel/tracing/events/block/$made ] || made=block_getrq
cp tests/bench/scripts/*.bt "$TMP/"
cat >"$TMP/biosnoop.bt" <<BT
tracepoint:block:$made { @pid[args->dev, args->sector] = pid; @comm[args->dev, args->sector] = comm; }
BT
cat >>"$TMP/biosnoop.bt" <<'BT'
tracepoint:block:block_rq_issue { @start[args->dev, args->sector] = nsecs; }
tracepoint:block:block_rq_complete /@start[args->dev, args->sector]/
{
	printf("%-14s %-7d %-9d %-10lu %-7d %7d\n", @comm[args->dev, args->sector], @pid[args->dev, args->sector],
	       args->dev, args->sector, args->nr_sector * 512, (nsecs - @start[args->dev, args->sector]) / 1000);
	delete(@start[args->dev, args->sector]);
	delete(@pid[args->dev, args->sector]);
	delete(@comm[args->dev, args->sector]);
}
BT
echo 'tracepoint:syscalls:sys_enter_openat { @[comm] = count(); }' >"$TMP/count.bt"
echo 'profile:hz:99 { @[kstack, ustack, comm] = count(); }' >"$TMP/profile.bt"
timed() { echo "$1 { @start[tid] = nsecs; } $2 /@start[tid]/ { @ns = hist(nsecs - @start[tid]); delete(@start[tid]); }"; }
# The first letters of about 1,000 of the kernel's functions.
many=$(cat /sys/kernel/tracing/available_filter_functions 2>/dev/null | sed 's/ .*//' | awk '
	/^[A-Za-z_][A-Za-z0-9_]*$/ { for (i = 2; i <= 6; i++) if (length($0) >= i) n[substr($0, 1, i)]++ }
	END { for (p in n) if (n[p] <= 1000 && (n[p] > n[best] || (n[p] == n[best] && p < best))) best = p; print best }')
echo "kprobe:$many* { @[func] = count(); }" >"$TMP/functions.bt"
timed kprobe:path_openat kretprobe:path_openat >"$TMP/kernel-call.bt"
timed "uprobe:$BENCH/calls:called" "uretprobe:$BENCH/calls:called" >"$TMP/user-call.bt"
libc=$(ldd "$BENCH/calls" 2>/dev/null | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
# What memleak keeps of an allocation, and threadsnoop's row.
cat >"$TMP/pair.bt" <<-BT
uprobe:$libc:malloc { @size[tid] = arg0; }
uretprobe:$libc:malloc /@size[tid]/
{
	@stack[retval] = ustack; @bytes[retval] = @size[tid]; @at[retval] = nsecs;
	delete(@size[tid]);
}
uprobe:$libc:free { delete(@stack[arg0]); delete(@bytes[arg0]); delete(@at[arg0]); }
BT
cat >"$TMP/thread.bt" <<-BT
uprobe:$libc:pthread_create { printf("%-10u %-6d %-16s %s\n", elapsed / 1000000, pid, comm, usym(arg2)); }
BT
echo "uprobe:$libc:s* { @[func] = count(); }" >"$TMP/user-functions.bt"
for script in "$TMP"/*.bt; do	# says when all is attached
	cat >>"$script" <<-'BT'
	interval:ms:100 /@said == 0/ { printf("attached\n"); @said = 1; }
	BT
done

clang_why="not installed"
if has clang; then
	clang_why=
	for p in opensnoop runqlat count; do
		clang -O2 -g -target bpf "-I/usr/include/$(uname -m)-linux-gnu" -c -o "$TMP/$p.o" "tests/bench/$p.bpf.c" \
			2>"$TMP/err" || clang_why="cannot compile: $(grep -m 1 error "$TMP/err" | cut -c 1-80)"
	done
fi

# ---- in-kernel cost: run time of the programs for one operation of the work ----

# cost TOOL READY WORK OPS: one round, everyone's turn. READY is what the tool of libbpf-tools says when it is attached.
cost() {
	life="$BENCH/life -a 0 -n 3 -o $4"
	if [ "$1" = count ]; then
		sample "cost-$1" sonde $life -w "$3" -r attached "$BENCH/hand" count
	else
		sample "cost-$1" sonde $life -w "$3" -r 'sonde: tracing' "$SONDE" "$1" -v
	fi
	# Beside a loader that prints nothing, sonde prints to nobody.
	[ "$1" != opensnoop ] || sample "quiet-$1" sonde $life -w "$3" -r 'sonde: tracing' \
		sh -c 'exec "$0" opensnoop -v >/dev/null' "$SONDE"
	if [ ! -e "tests/bench/$1.bpf.c" ]; then
		:
	elif [ -n "$clang_why" ]; then
		none "cost-$1" clang "$clang_why"
		none "quiet-$1" clang "$clang_why"
	else
		sample "cost-$1" clang $life -w "$3" -r attached "$BENCH/load" "$TMP/$1.o"
		[ ! -e "$TMP/cost-$1.clang.cost_ns" ] || cp "$TMP/cost-$1.clang.cost_ns" "$TMP/quiet-$1.clang.cost_ns"
	fi
	if has bpftrace; then
		sample "cost-$1" bpftrace $life -w "$3" -r attached bpftrace "$TMP/$1.bt"
	else
		none "cost-$1" bpftrace "not installed"
	fi
	if [ -z "$2" ]; then
		:
	elif path=$(libbpf_tool "$1"); then
		sample "cost-$1" libbpf $life -w "$3" -r "$2" "$path"
	else
		none "cost-$1" libbpf "not installed"
	fi
}

make_disk() {
	truncate -s 64M "$TMP/disk"
	loop=$(losetup -f --show "$TMP/disk" 2>/dev/null) && [ -b "$loop" ]
}

measure_cost() {
	make_disk || none cost-biolatency sonde "no loop device"
	for _ in $(seq "$ROUNDS"); do
		cost opensnoop PID "$BENCH/opens 6000" 6000
		cost count "" "$BENCH/opens 6000" 6000
		cost runqlat Tracing "taskset -c $CPU $WORK pingpong 30000 $CPU" 30000
		cost offcputime Tracing "taskset -c $CPU $WORK pingpong 20000 $CPU" 20000
		sample cost-offcputime walks "$BENCH/life" -a 0 -n 3 -o 20000 -r attached \
			-w "taskset -c $CPU $WORK pingpong 20000 $CPU" "$BENCH/hand" walks
		cost tcpconnect PID "taskset -c $CPU $WORK flood connect 3000" 3000
		[ -z "$loop" ] || cost biolatency Tracing "taskset -c $CPU $WORK block read $loop 3000" 3000
		[ -z "$loop" ] || cost biosnoop TIME "taskset -c $CPU $WORK block read $loop 3000" 3000
	done
	line "in-kernel cost, ns" sonde against figure ratio goal "" ""
	against "opensnoop, an open; rows to /dev/null" quiet-opensnoop cost_ns clang "clang -O2" "<=" 1.00
	against "opensnoop, an open; rows to a terminal" cost-opensnoop cost_ns bpftrace "$bpftrace_name" "<=" 0.90
	against "" cost-opensnoop cost_ns libbpf libbpf-tools
	against "@[comm] = count(), an open" cost-count cost_ns clang "clang -O2" "<=" 1.00
	against "" cost-count cost_ns bpftrace "$bpftrace_name" "<=" $aggregate_goal
	against "runqlat, two wakeups and switches" cost-runqlat cost_ns clang "clang -O2" "<=" 1.00
	against "" cost-runqlat cost_ns bpftrace "$bpftrace_name" "<=" $aggregate_goal
	against "" cost-runqlat cost_ns libbpf libbpf-tools
	against "offcputime, two switches" cost-offcputime cost_ns bpftrace "$bpftrace_name" "<=" 0.70
	against "" cost-offcputime cost_ns libbpf libbpf-tools
	# Nobody can do without the kernel's walks over both stacks: they are seven tenths of what bpftrace takes.
	against "" cost-offcputime cost_ns walks "the walks alone"
	against "biolatency, a request" cost-biolatency cost_ns bpftrace "$bpftrace_name" "<=" $aggregate_goal
	against "" cost-biolatency cost_ns libbpf libbpf-tools
	against "biosnoop, a request" cost-biosnoop cost_ns bpftrace "$bpftrace_name" "<=" 0.90
	against "" cost-biosnoop cost_ns libbpf libbpf-tools
	against "tcpconnect, a refused connect" cost-tcpconnect cost_ns bpftrace "$bpftrace_name" "<=" 0.90
	against "" cost-tcpconnect cost_ns libbpf libbpf-tools
	for tracer in sonde bpftrace libbpf; do	# the same runs: what their user half took for its lines
		[ -e "$TMP/cost-opensnoop.$tracer.lines" ] || continue
		paste "$TMP/cost-opensnoop.$tracer.cpu_ms" "$TMP/cost-opensnoop.$tracer.lines" |
			awk '$2 { print $1 / $2 * 1e6 }' >"$TMP/cost-opensnoop.$tracer.row_cpu"
	done
	against "opensnoop, tool's CPU ms a million rows" cost-opensnoop row_cpu bpftrace "$bpftrace_name"
	against "" cost-opensnoop row_cpu libbpf libbpf-tools
}

# ---- the same for two tools of each area, beside bpftrace's own script and the program of that name ----

# pair AREA TOOL "ARGS" READY OPS WORK...: one round; READY as above.
pair() {
	tool=$2
	args=$3
	ready=$4
	life="$BENCH/life -a 0 -n 3 -o $5"
	shift 5
	sample "pair-$tool" sonde $life -w "$*" -r 'sonde: tracing' "$SONDE" "$tool" $args -v || return
	if ! script=$(bpftrace_script "$tool"); then
		none "pair-$tool" bpftrace "has no script of that name"
	else
		{
			cat "$script"
			printf '%s\n' 'interval:ms:100 /@said == 0/ { printf("attached\n"); @said = 1; }'
		} >"$TMP/own-$tool.bt"
		sample "pair-$tool" bpftrace $life -w "$*" -r attached bpftrace "$TMP/own-$tool.bt"
	fi
	if path=$(libbpf_tool "$tool"); then
		sample "pair-$tool" libbpf $life -w "$*" -r "$ready" "$path"
	else
		none "pair-$tool" libbpf "not installed"
	fi
}

# The first of an area prints a line an event, the second sums.
pairs() {
	cat <<-PAIRS
	files|opensnoop||PID|6000|$BENCH/opens 6000
	files|vfsstat||TIME|6000|$BENCH/opens 6000
	processes|killsnoop||TIME|2101|$WORK kills 300
	processes|syscount||Tracing|20000|$WORK flood getppid 20000
	disks|biosnoop||TIME|3000|$WORK block read $loop 3000
	disks|bitesize||Tracing|3000|$WORK block read $loop 3000
	network|tcplife||PID|3000|$WORK flood connect 3000
	network|tcpconnlat||PID|3000|$WORK flood connect 3000
	CPU|runqslower|1000000|Tracing|30000|taskset -c $CPU $WORK pingpong 30000 $CPU
	CPU|cpudist||Tracing|30000|taskset -c $CPU $WORK pingpong 30000 $CPU
	memory|cachestat||HITS|3000|$WORK dirty $TMP/pages 3000
	PAIRS
}

measure_pairs() {
	[ -n "$loop" ] || make_disk || none pair-biosnoop sonde "no loop device"
	for _ in $(seq "$ROUNDS"); do
		pairs >"$TMP/pairs"
		while IFS='|' read -r area tool args ready ops work <&3; do
			pair "$area" "$tool" "$args" "$ready" "$ops" $work
		done 3<"$TMP/pairs"
	done
	line "in-kernel cost, ns an operation" sonde against figure ratio goal "" ""
	while IFS='|' read -r area tool _ <&3; do
		against "$area: $tool" "pair-$tool" cost_ns bpftrace "$tool.bt"
		against "" "pair-$tool" cost_ns libbpf libbpf-tools
	done 3<"$TMP/pairs"
}

# ---- questions: trace and argdist beside the same program by hand, and bpftrace's ----

# ask NAME OPS WORK COMMAND...: one round, everyone's turn.
ask() {
	name=$1
	life="$BENCH/life -a 0 -n 3 -o $2"
	work=$3
	shift 3
	sample "ask-$name" sonde $life -w "$work" -r 'sonde: tracing' "$SONDE" "$@" -v
	sample "ask-$name" hand $life -w "$work" -r attached "$BENCH/hand" "$name"
	if has bpftrace; then
		sample "ask-$name" bpftrace $life -w "$work" -r attached bpftrace "$TMP/ask-$name.bt"
	else
		none "ask-$name" bpftrace "not installed"
	fi
	[ "$name" = reads ] || sample "asked-$name" sonde "$BENCH/startup" "$SONDE" "$@"
}

measure_questions() {
	open=sys_openat read=sys_read text='args->filename' ret='args->ret'
	opens=tracepoint:syscalls:sys_enter_openat reads=tracepoint:syscalls:sys_exit_read
	if [ -e /sys/kernel/tracing/kprobe_events ]; then
		open=do_sys_openat2 read=vfs_read text=arg1 ret=retval
		opens=kprobe:$open reads=kretprobe:$read
	fi
	cat >"$TMP/ask-opens.bt" <<-BT
	$opens { printf("%-7d %-7d %-15s %-16s %s\n", pid, tid, comm, "$open", str($text)); }
	BT
	echo "$reads { @ = hist($ret); }" >"$TMP/ask-reads.bt"
	for script in "$TMP"/ask-*.bt; do
		cat >>"$script" <<-'BT'
		interval:ms:100 /@said == 0/ { printf("attached\n"); @said = 1; }
		BT
	done
	for _ in $(seq "$ROUNDS"); do
		ask opens 6000 "$BENCH/opens 6000" trace "$open \"%s\", arg2@user"
		ask reads 6000 "dd if=/dev/zero of=/dev/null bs=1 count=6000" argdist -H "r::$read()"
	done
	line "in-kernel cost of a question, ns" sonde against figure ratio goal "" ""
	against "trace '$open \"%s\", arg2@user'" ask-opens cost_ns hand "by hand" "<=" 1.05
	against "" ask-opens cost_ns bpftrace "$bpftrace_name" "<=" 0.70
	against "argdist -H 'r::$read()'" ask-reads cost_ns hand "by hand" "<=" 1.05
	against "" ask-reads cost_ns bpftrace "$bpftrace_name" "<=" 0.70
	goal "own work of trace until it is attached, ms" asked-opens own_ms "<=" 5
}

# ---- exec to attached ----

measure_start() {
	path=$(libbpf_tool opensnoop) || none start libbpf "not installed"
	for _ in $(seq $((ROUNDS * 4))); do
		sample start sonde "$BENCH/startup" "$SONDE" opensnoop
		sample types sonde "$BENCH/startup" "$SONDE" tcplife
		[ -z "$path" ] || sample start libbpf "$BENCH/startup" "$path"
	done
	line "exec to attached (opensnoop), ms" sonde against figure ratio goal "" ""
	goal "own work: without bpf, perf_event_open, ioctl" start own_ms "<=" 3
	goal "the same of tcplife: type information is read" types own_ms "<=" 5
	against "" start own_ms libbpf libbpf-tools "<=" 0.10
	against "all of it" start wall_ms libbpf libbpf-tools
	against "system calls" start calls libbpf libbpf-tools
}

# ---- the virtual machine ----

measure_vm() {
	for _ in $(seq "$ROUNDS"); do
		sample vm sonde taskset -c "$CPU" "$BENCH/vm" "$BUILD/tests/kernels/6.1"
	done
	line "virtual machine, million events/s a core" sonde "" "" "" goal "" ""
	goal "runqlat: wakeup, switch, wakeup, ..." vm mixed ">=" 16 "of 101 rounds each"
	goal "runqlat: only switches, each a preemption" vm switches ">=" 16 "of 101 rounds each"
}

# ---- what the ring engines take for their events ----

measure_cpu() {
	for _ in $(seq "$ROUNDS"); do
		for engine in perf ftrace; do
			sample "cpu-$engine" sonde "$BENCH/life" -a 0 -w "$WORK pingpong 100000 $CPU" -n 2 -r 'sonde: tracing' \
				"$SONDE" runqlat -v --backend $engine || continue
			keep "cpu-$engine" sonde million "$(awk -v ms="$(newest "cpu-$engine.sonde.cpu_ms")" \
				-v n="$(newest "cpu-$engine.sonde.seen")" 'BEGIN { print n ? ms / n * 1e6 : 0 }')"
		done
	done
	line "tool's CPU for a million events, ms" sonde "" "" "" goal "" ""
	for engine in perf ftrace; do
		goal "runqlat --backend $engine" cpu-$engine million "<=" 60 \
			"$(median cpu-$engine.sonde.seen) events, $(median cpu-$engine.sonde.lost) lost"
	done
}

# ---- stacks and functions ----

# beside MEASURE SCRIPT WORK OPS TOOL...: one round; OPS as life takes them.
beside() {
	measure=$1
	script=$2
	life="$BENCH/life -a 0 -n 3 $4"
	job=$3
	shift 4
	sample "$measure" sonde $life -w "$job" -r 'sonde: tracing' "$SONDE" "$@" -v || return
	if has bpftrace; then
		sample "$measure" bpftrace $life -w "$job" -r attached bpftrace "$TMP/$script.bt"
	else
		none "$measure" bpftrace "not installed"
	fi
}

# Until that many functions are probed; and stacks of which no two are the same, to the last name.
many_functions() {
	[ -n "$many" ] || none functions sonde "the kernel does not say which functions can be probed"
	sample functions sonde "$BENCH/life" -r 'sonde: tracing' "$SONDE" funccount "$many*" --verbose
	if has bpftrace; then
		sample functions bpftrace "$BENCH/life" -r attached bpftrace "$TMP/functions.bt"
	else
		none functions bpftrace "not installed"
	fi
}
# The same of a library: bpftrace has a probe for each.
many_user_functions() {
	sample user-functions sonde "$BENCH/life" -r 'sonde: tracing' "$SONDE" funccount "$libc:s*" --verbose
	if has bpftrace; then
		sample user-functions bpftrace "$BENCH/life" -r attached bpftrace "$TMP/user-functions.bt"
	else
		none user-functions bpftrace "not installed"
	fi
}
many_stacks() {
	sample many-stacks sonde "$BENCH/life" -a 0 -w "$BENCH/paths 10000" -r 'sonde: tracing' "$SONDE" stackcount \
		t:syscalls:sys_enter_getppid --verbose --folded --stack-storage-size 65536
}

# children COMMAND: ms of CPU that it took, with all it started.
children() {
	( eval "$1" >/dev/null 2>&1; times ) | tail -n 1 | tr 'ms' '  ' |
		awk '{ print ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }'
}

# Ten seconds of a busy machine: from the first sample to the last name.
sample_all() {
	"$WORK" flood openat 1000000000 "$(nproc)" >/dev/null &
	busy=$!
	keep cpu-profile sonde ms "$(children '"$SONDE" profile -F 99 10')"
	if has perf; then
		keep cpu-profile perf ms "$(children 'perf record -q -F 99 -a -g -o "$TMP/perf.data" sleep 10
			perf script -i "$TMP/perf.data"')"
	else
		none cpu-profile perf "not installed"
	fi
	kill "$busy"
	wait "$busy" 2>/dev/null
}

measure_stacks() {
	for _ in $(seq "$ROUNDS"); do
		# Samples are few, and find the caches cold: what one costs differs by half from run to run.
		beside cost-profile profile "$WORK flood openat 300000 $(nproc)" "-e -n 9" profile -F 99
		beside cost-kernel-call kernel-call "$BENCH/opens 6000" "-o 6000" funclatency path_openat
		beside cost-user-call user-call "$BENCH/calls 6000" "-o 6000" funclatency "$BENCH/calls:called"
		beside cost-pair pair "$BENCH/calls 6000 malloc" "-o 6000" memleak -O "$libc"
		beside cost-thread thread "$BENCH/calls 2000 threads" "-o 2000" threadsnoop
		many_functions
		many_user_functions
		many_stacks
		sample_all
	done
	line "stacks and functions" sonde against figure ratio goal "" ""
	against "profile, a sample with both stacks, ns" cost-profile cost_ns bpftrace "$bpftrace_name" "<=" 1.00
	against "funclatency, a call in the kernel, ns" cost-kernel-call cost_ns bpftrace "$bpftrace_name" "<=" 0.70
	against "the same of a program, ns" cost-user-call cost_ns bpftrace "$bpftrace_name" "<=" 0.70
	against "memleak, malloc and free of it, ns" cost-pair cost_ns bpftrace "$bpftrace_name"
	against "threadsnoop, a thread, ns" cost-thread cost_ns bpftrace "$bpftrace_name"
	against "funccount 'c:s*' until all are probed, ms" user-functions ready_ms bpftrace "$bpftrace_name"
	goal "funccount '$many*' until all are probed, ms" functions ready_ms "<=" 500
	against "" functions ready_ms bpftrace "$bpftrace_name" "<=" 1.10
	goal "stackcount of 10,000 stacks, all its CPU ms" many-stacks all_cpu_ms "<=" 200
	goal "the same, KB" many-stacks all_kb "<=" 25600
	goal "profile at 99 Hz for 10 s, its CPU ms" cpu-profile ms "<=" 100
	against "" cpu-profile ms perf "perf and script"
}

# ---- memory ----

measure_memory() {
	work="$WORK flood openat 20000; $WORK flood connect 2000; $WORK pingpong 20000"
	work="$work; for i in 1 2 3 4 5 6 7 8; do /bin/true; done"
	line "resident memory under load, MB at most" sonde "" "" "" goal "" ""
	for tool in $("$SONDE" | awk '/^and$/ { exit } /^  [a-z0-9]+ / { print $1 }'); do
		parts=
		for engine in bpf perf ftrace; do
			"$SONDE" $tool --dump --backend $engine >"$TMP/out" 2>&1 || continue
			sample "memory-$tool" sonde "$BENCH/life" -w "$work" -r 'sonde: tracing' "$SONDE" $tool --verbose --backend $engine ||
				continue
			kb=$(newest "memory-$tool.sonde.hwm_kb")
			parts="$parts${parts:+, }$engine $(number "$(awk -v kb="$kb" 'BEGIN { print kb / 1024 }')")"
		done
		[ ! -e "$TMP/memory-$tool.sonde.hwm_kb" ] ||
			sort -n "$TMP/memory-$tool.sonde.hwm_kb" | awk 'END { print $1 / 1024 }' >"$TMP/memory-$tool.sonde.most"
		goal "$tool" memory-$tool most "<=" 6 "$parts"
	done
}

# ---- names of addresses ----

measure_symbols() {
	for _ in $(seq "$ROUNDS"); do
		sample symbols sonde "$BENCH/symbols"
	done
	line "names of addresses, sonde's CPU ms and KB" sonde "" "" "" goal "" ""
	goal "this kernel's, until the first is there, ms" symbols first_ms "<=" 40
	goal "of a kernel with 200,000, to the last, ms" symbols made_ms "<=" 40
	goal "the same, KB" symbols made_kb "<=" 4096
	goal "of a kernel with a million, KB" symbols million_kb "<=" 20480
	goal "what all processes have mapped, ms" symbols seed_ms "<=" 40
	goal "10,000 stacks of 32 named and printed, ms" symbols stacks_ms "<=" 200
	goal "the same, KB" symbols stacks_kb "<=" 25600
}

measure_size() {
	keep size sonde mb "$(stat -c %s "$SONDE" | awk '{ print $1 / 1e6 }')"
	line "binary, MB" sonde "" "" "" goal "" ""
	goal "static, stripped" size mb "<=" 2.6 "$(stat -c %s "$SONDE") bytes"
}

# ---- Ctrl-C ----

# interrupt TOOL LIBBPF-READY WORK: one round.
interrupt() {
	sample "end-$1" sonde "$BENCH/life" -k -w "$3" -r 'sonde: tracing' "$SONDE" "$1" -v
	if has bpftrace; then
		sample "end-$1" bpftrace "$BENCH/life" -k -w "$3" -r attached bpftrace "$TMP/$1.bt"
	fi
	if path=$(libbpf_tool "$1"); then
		sample "end-$1" libbpf "$BENCH/life" -k -w "$3" -r "$2" "$path"
	fi
}

measure_end() {
	[ -n "$loop" ] || make_disk
	for _ in $(seq "$ROUNDS"); do
		interrupt opensnoop PID "$BENCH/opens 20000"
		[ -z "$loop" ] || interrupt biolatency Tracing "$WORK block read $loop 10000"
	done
	line "Ctrl-C under load to the last output, ms" sonde against figure ratio goal "" ""
	for tool in opensnoop biolatency; do
		goal "$tool" end-$tool last_ms "<=" 20
		against "" end-$tool last_ms bpftrace "$bpftrace_name"
		against "" end-$tool last_ms libbpf libbpf-tools
		against "$tool, until it has gone" end-$tool exit_ms bpftrace "$bpftrace_name"
		against "" end-$tool exit_ms libbpf libbpf-tools
	done
}

# ---- from the last line to the prompt, of every tool and engine; once, because all tools are many ----

measure_prompt() {
	SONDE=$SONDE WORK=$WORK sh tests/lab/times >"$TMP/times"
	while read -r tool engine attach prompt _; do
		[ "$attach" != - ] || continue
		keep "attach-$tool" sonde ms "$attach"
		keep "prompt-$tool" sonde ms "$prompt"
	done <"$TMP/times"
	line "the last line to the prompt, ms at most" sonde "" "" "" goal "" ""
	for tool in $(cut -d ' ' -f 1 "$TMP/times" | uniq); do
		[ -e "$TMP/prompt-$tool.sonde.ms" ] || continue
		sort -n "$TMP/prompt-$tool.sonde.ms" | tail -n 1 >"$TMP/prompt-$tool.sonde.most"
		goal "$tool" "prompt-$tool" most "<=" 100 "$(awk -v tool="$tool" '$1 == tool && $3 != "-" {
			printf "%s%s %s", n++ ? ", " : "attached after ms: ", $2, $3 }' "$TMP/times")"
	done
}

# ---- recordings: what the recorder takes, what its events take in the file, and reading them ----

# recorded MEASURE WHO COMMAND...: it records for three seconds beside a ping-pong.
recorded() {
	of=$1 who=$2
	shift 2
	rm -f "$TMP/recording"
	children "$* sleep 3" >"$TMP/children" &
	sleep 1
	began=$(date +%s%N)
	"$WORK" pingpong 100000 $CPU >/dev/null
	ms=$((($(date +%s%N) - began) / 1000000))
	wait $!
	seen=$("$SONDE" info --json "$TMP/recording" 2>/dev/null | "$WORK" json seen)
	[ "${seen:-0}" -gt 100000 ] || { none "$of" "$who" "recorded ${seen:-no} events"; return; }
	keep "$of" "$who" work_ms $ms
	keep "$of" "$who" million "$(awk -v n="$seen" '{ print $1 * 1e6 / n }' "$TMP/children")"
	keep "$of" "$who" bytes "$(($(stat -c %s "$TMP/recording") / seen))"
}
# asked: CPU ms of a tool over the last recording, for each of a million events.
asked() {
	keep input sonde million "$(children '"$SONDE" runqlat --input "$TMP/recording"' |
		awk -v n="$seen" '{ print $1 * 1e6 / n }')"
}

measure_record() {
	for _ in $(seq "$ROUNDS"); do
		for peer in perf trace-cmd; do
			has $peer || none record $peer "not installed"
		done
		has trace-cmd || none pages trace-cmd "not installed"
		events=sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new
		has perf && recorded record perf perf record -q -a -m 1024 -e $events -o '"$TMP/recording"'
		for of in record pages; do
			has trace-cmd && recorded $of trace-cmd trace-cmd record -q -b 4096 -e sched:sched_switch \
				-e sched:sched_wakeup -e sched:sched_wakeup_new -o '"$TMP/recording"'
		done
		recorded pages sonde '"$SONDE"' record --backend ftrace -m 1024 -e $events -o '"$TMP/recording"'
		recorded record sonde '"$SONDE"' record -m 1024 -e $events -o '"$TMP/recording"'
		asked
	done
	line "recordings" sonde against figure ratio goal "" ""
	for peer in perf trace-cmd; do
		against "the recorder's CPU for a million events, ms" record million $peer $peer "<=" 1.00
		against "an event in the file, bytes" record bytes $peer $peer "<=" 1.00
		against "the recorded ping-pong, ms" record work_ms $peer $peer "<=" 1.05
	done
	against "the same of ftrace's rings: CPU, ms" pages million trace-cmd trace-cmd "<=" 1.00
	against "an event in the trace.dat, bytes" pages bytes trace-cmd trace-cmd "<=" 1.00
	goal "runqlat --input, CPU of a million events, ms" input million "<=" 100
}

# ---- the flight recorder while nothing happens: what it adds to a ping-pong, beside rings that nobody reads ----

# flown WHO [COMMAND...]: the ping-pong beside a recorder, which says something when it is on.
flown() {
	who=$1
	shift
	recorder=
	if [ $# != 0 ]; then
		: >"$TMP/on"
		"$@" >"$TMP/on" 2>&1 &
		recorder=$!
		for _ in $(seq 100); do
			[ ! -s "$TMP/on" ] || break
			sleep 0.1
		done
		sleep 0.5		# perf says nothing
	fi
	if [ -z "$recorder" ] || kill -0 $recorder 2>/dev/null; then
		keep flight "$who" ms "$(children '"$WORK" pingpong 100000 $CPU')"
	else
		none flight "$who" "does not run here: $(head -n 1 "$TMP/on" | tr -cd ' -~')"
	fi
	[ -z "$recorder" ] || { kill -TERM $recorder 2>/dev/null; wait $recorder 2>/dev/null; }
}

measure_flight() {
	events=sched:sched_switch,sched:sched_wakeup,sched:sched_wakeup_new
	for _ in $(seq "$ROUNDS"); do
		flown nothing
		flown unread "$BENCH/unread" sched/sched_switch sched/sched_wakeup sched/sched_wakeup_new
		flown sonde "$SONDE" record --last 30s -o "$TMP/flight" -e $events
		if has perf; then
			flown perf perf record -q -a --overwrite --switch-output=signal -m 512 -e $events -o "$TMP/perf.data"
		else
			none flight perf "not installed"
		fi
	done
	line "flight recorder" sonde against figure ratio goal "" ""
	against "CPU of the ping-pong beside it, ms" flight ms unread "unread rings" "<=" 1.05
	against "CPU of the ping-pong beside it, ms" flight ms perf "perf --overwrite" "<=" 1.05
	against "CPU of the ping-pong beside it, ms" flight ms nothing "no recorder"
}

echo "$(uname -r) $(uname -m), $(nproc) CPUs, load $(cut -d ' ' -f 1 /proc/loadavg); medians, n samples each"
for m in cost pairs slowdown questions start vm cpu stacks memory symbols size record flight end prompt; do
	wanted $m || continue
	echo
	measure_$m
done
