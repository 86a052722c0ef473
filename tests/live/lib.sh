# SPDX-License-Identifier: GPL-2.0
#
# What the live tests share. It must run under dash, bash, and busybox ash in a guest that has nothing else.
#
# A test script is in a folder beside this file and begins with `. "${0%/*}/../lib.sh"`. It may use $SONDE, $WORK (the
# workload program), $WORK32 (the same for 32 bits; empty if there is none), $TMP (a folder of its own), $LIVE (the folder
# of this file), $TRACEFS and $ENGINES, and the functions below.

: "${SONDE:?path of sonde}" "${WORK:?path of the workload}" "${SLOW:=1}"
script=${0##*/}
script=${script%.sh}
LIVE=${0%/*}/..
: "${ENGINES:=bpf perf ftrace}"
WORK32=${WORK}32
[ -x "$WORK32" ] && "$WORK32" noop 2>/dev/null || WORK32=
TRACEFS=${TRACEFS:-/sys/kernel/tracing}
[ -e $TRACEFS/README ] || mount -t tracefs tracefs $TRACEFS 2>/dev/null || TRACEFS=/sys/kernel/debug/tracing
TMP=$(mktemp -d "${TMPDIR:-/tmp}/sonde-test.XXXXXX") || exit 1
: "${FEATURES:=$TMP/.features}"	# whoever runs many scripts asks once
running= DISK= FOLDER= EXPORTED=

# Runs at the end of every script, however it ends; cleanup_hook is for what a script made itself.
cleanup_hook() { :; }
finish() {
	for p in $running; do
		kill -KILL "$p" 2>/dev/null
	done
	cleanup_hook
	[ -z "$FOLDER" ] || umount "$FOLDER"
	no_disk
	rm -rf "$TMP"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

case " $ENGINES " in *' recording '*) . "$LIVE/recording_engine.sh" ;; esac

# ---- verdicts; a name has no spaces and no colon followed by one ----

pass() { echo "PASS $script:$1"; }
fail() {
	verdict=$1
	shift
	echo "FAIL $script:$verdict: $(echo "$*" | tr '\n' ' ')"
}
skip() {
	verdict=$1
	shift
	echo "SKIP $script:$verdict: $(echo "$*" | tr '\n' ' ')"
}

# expect NAME COMMAND...: passes if the command succeeds.
expect() {
	verdict=$1
	shift
	if "$@" >"$TMP/expect" 2>&1; then
		pass "$verdict"
	else
		fail "$verdict" "\`$*\` ended with status $?"
		notes "$TMP/expect"
		return 1
	fi
}

# equal NAME WANTED GOT: two words or numbers.
equal() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "wanted $2, got $3"
		return 1
	fi
}

# between NAME LOW VALUE HIGH: numbers.
between() {
	if [ "$2" -le "$3" ] 2>/dev/null && [ "$3" -le "$4" ]; then
		pass "$1"
	else
		fail "$1" "wanted $2 to $4, got $3"
		return 1
	fi
}

# same NAME WANTED GOT: two files, line by line.
same() {
	if cmp -s "$2" "$3"; then
		pass "$1"
	else
		fail "$1" "$(wc -l <"$2") lines wanted, $(wc -l <"$3") got, and they differ (- wanted, + got)"
		diff -U 0 "$2" "$3" | sed 1,2d >"$TMP/diff"
		notes "$TMP/diff"
		return 1
	fi
}

# contains NAME FILE PATTERN: an extended regular expression.
contains() {
	if grep -qE -e "$3" "$2"; then
		pass "$1"
	else
		fail "$1" "nothing matches $3 in:"
		notes "$2"
		return 1
	fi
}

# The first lines of a file, as notes below a verdict.
notes() { head -n 20 "$1" | cut -c 1-300 | sed 's/^/#   /'; }

# ---- sonde in the background ----

# start ID ARGS...: starts sonde, its output in $TMP/ID.out and $TMP/ID.err, and waits until its probes are on.
# 1: it ended before; its exit status is in $STATUS. Where an event takes one BPF program, and an earlier one has it, perf
# serves this one.
start() {
	start_once "$@" && return 0
	# What the kernel has for one tracer alone, another test may have just now.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		grep -q '^wait until it ends\|^sonde: not .*wait until it ends' "$TMP/$1.err" || break
		sleep 3
		start_once "$@" && return 0
	done
	case " $* " in *' --backend bpf '*) ;; *) return 1 ;; esac
	grep -q 'another program is attached to it' "$TMP/$1.err" && has perf || return 1
	skip "$1-bpf" "$(grep -m 1 'another program is attached' "$TMP/$1.err"): this one runs on perf"
	for argument; do
		shift
		[ "$argument" != bpf ] || argument=perf
		set -- "$@" "$argument"
	done
	start_once "$@"
}
start_once() {
	case " $* " in *' --backend recording '*) record_instead "$@"; return ;; esac
	id=$1
	shift
	: >"$TMP/$id.err"
	# A shell's background jobs ignore SIGINT, and what they start inherits it.
	"$WORK" signals "$SONDE" "$@" --verbose >"$TMP/$id.out" 2>"$TMP/$id.err" </dev/null &
	eval "pid_$id=$!"
	running="$running $!"
	wait_for 30 attached "$id"
	grep -q '^sonde: tracing' "$TMP/$id.err" || give_up "$id"
}
# give_up ID: of one that has not begun; 1.
give_up() {
	if alive "$1"; then
		echo "sonde: did not say within $((30 * SLOW)) s that it traces" >>"$TMP/$1.err"
		stop "$1" KILL
	else
		wait "$(pid "$1")"
		STATUS=$?
		forget "$1"
	fi
	return 1
}
attached() { grep -q '^sonde: tracing' "$TMP/$1.err" || ! alive "$1"; }
pid() { eval "echo \$pid_$1"; }
# By the shell alone: whoever waits asks often.
alive() {
	# A zombie is not alive; the state is behind the name, which may hold anything.
	eval "_of=\$pid_$1"
	_stat=
	while IFS= read -r _line; do
		_stat="$_stat $_line"
	done 2>/dev/null <"/proc/$_of/stat"
	_stat=${_stat##*) }
	[ -n "$_stat" ] && [ "${_stat%% *}" != Z ]
}
gone() { ! alive "$1"; }
forget() { running=$(echo " $running " | sed "s/ $(pid "$1") / /"); }

# stop ID [SIGNAL]: ends it (by Ctrl-C) and waits; its exit status is in $STATUS. 1: it did not end, and was killed.
stop() {
	kill -"${2:-INT}" "$(pid "$1")" 2>/dev/null
	await "$1"
}
# await ID [SECONDS]: the same for one that ends by itself.
await() {
	late=0
	if ! wait_for "${2:-20}" gone "$1"; then
		echo "sonde: did not end within $((${2:-20} * SLOW)) s" >>"$TMP/$1.err"
		kill -KILL "$(pid "$1")"
		late=1
	fi
	wait "$(pid "$1")"
	STATUS=$?
	forget "$1"
	case " $ENGINES " in *' recording '*) over_recording "$1" ;; esac
	return $late
}

# reasons PATTERN: without empty alternatives, which grep would find everywhere: patterns are put together of parts.
reasons() { echo "$1" | sed 's/||*/|/g; s/^|//; s/|$//'; }

# start_or_skip NAME PATTERN ID ARGS...: as start. If sonde refuses, that is a SKIP only where its reason matches the
# pattern (what this kernel is known to lack), else a FAIL. Use: start_or_skip ... || continue
start_or_skip() {
	verdict=$1
	pattern=$(reasons "$2")
	shift 2
	start "$@" && return 0
	if [ "$STATUS" = 1 ] && [ -n "$pattern" ] && grep -qE -e "$pattern" "$TMP/$1.err"; then
		skip "$verdict" "$(grep -E -e "$pattern" "$TMP/$1.err" | head -n 1)"
	else
		fail "$verdict" "sonde $* ended with status $STATUS:"
		notes "$TMP/$1.err"
	fi
	return 1
}

# refused NAME PATTERN ARGS...: sonde can't do this here, and says why: status 1, a reason that matches, nothing on
# stdout, nothing left behind.
refused() {
	verdict=$1
	pattern=$(reasons "$2")
	shift 2
	timeout $((10 * SLOW)) "$SONDE" "$@" --verbose >"$TMP/refused.out" 2>"$TMP/refused.err" </dev/null
	STATUS=$?
	if [ $STATUS = 1 ] && grep -qE -e "$pattern" "$TMP/refused.err" && [ ! -s "$TMP/refused.out" ]; then
		clean "$verdict"
	else
		fail "$verdict" "sonde $*: wanted status 1 and a reason like /$pattern/, got status $STATUS and:"
		notes "$TMP/refused.err"
		notes "$TMP/refused.out"
		return 1
	fi
}

# ---- the workload in the background ----

# load ID PROGRAM ARGS...: the workload, which waits for `go`; its pid is $(pid ID), what it says goes to $TMP/ID.said.
load() {
	id=$1
	shift
	load_by "$id" '' "$@"
}
# load_by ID STARTER PROGRAM ARGS...: the same, started by another program: "unshare -m". $(pid ID) is that one's.
load_by() {
	id=$1
	starter=$2
	program=$3
	shift 3
	rm -rf "$TMP/$id.go" "$TMP/$id.go.ready"
	$starter "$program" -w "$TMP/$id.go" "$@" >"$TMP/$id.said" 2>"$TMP/$id.err" </dev/null &
	eval "pid_$id=$!"
	running="$running $!"
	wait_for 10 [ -d "$TMP/$id.go.ready" ]
}
# go ID...: lets them work, one after the other, and waits for each. 1: one went wrong, and said so as a verdict.
go() {
	gone=0
	for id; do
		: >"$TMP/$id.go"
		wait "$(pid "$id")"
		STATUS=$?
		forget "$id"
		if [ $STATUS != 0 ]; then
			fail "workload-$id" "ended with status $STATUS:"
			notes "$TMP/$id.err"
			gone=1
		fi
	done
	return $gone
}

# cgroup2: where cgroups of version 2 are mounted; nothing: nowhere.
cgroup2() { awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts; }
# into CGROUP ID: the load is in this cgroup from now on.
into() { pid "$2" >"$1/cgroup.procs"; }
# opens_of ID...: "PID PATH" of the opens that these loads say they did, separated by tabs.
opens_of() {
	for id; do
		awk -F '\t' -v OFS='\t' -v pid="$(pid "$id")" '$1 == "open" { print pid, $8 }' "$TMP/$id.said"
	done
}
# same_opens NAME OUTPUT FOLDER WANTED: the rows below this folder are the lines of $TMP/WANTED, no more and no less.
same_opens() {
	sort "$TMP/$4" >"$TMP/$4.sorted"
	fields "$2" pid path | grep -F "$3" | sort >"$TMP/got"
	same "$1" "$TMP/$4.sorted" "$TMP/got"
}

# wait_for SECONDS COMMAND...: until the command succeeds; 1 if it never does. It asks less often after a second.
wait_for() {
	tries=$(($1 * SLOW * 20)) _pause=0.05 _part=1 _asked=0
	shift
	while ! "$@"; do
		tries=$((tries - _part)) _asked=$((_asked + 1))
		[ $tries -gt 0 ] || return 1
		sleep $_pause
		[ $_asked -lt 20 ] || _pause=0.2 _part=4
	done
}

# ---- what the kernel has ----

# As sonde sees it, which may have been told to do without some of it, or may not be allowed it.
feature() {
	[ -s "$FEATURES" ] || "$SONDE" features --json >"$FEATURES" 2>/dev/null
	sed -n "s/.*\"$1\": {\"answer\": \"\([a-z]*\)\", \"what\": \"[^\"]*\"\(, \"reason\": \"\([^\"]*\)\"\)*}.*/\\$2/p" "$FEATURES"
}
has() {
	case $(feature "$1" 1) in
	yes | expected) ;;
	*) false ;;
	esac
}
has_kprobes() { has kprobes; }
has_event() { [ -e "$TRACEFS/events/$1/$2/id" ]; }
# why FEATURE: the reason sonde gives for what it lacks, as an expression.
why() { feature "$1" 3 | sed 's/[][\.*+?^${}()|]/./g'; }
# absences ENGINE: an expression for the reasons for which the engine may refuse a tool here; empty where it may not.
absences() {
	[ -e "$TMP/.absences.$1" ] || find_absences "$1" >"$TMP/.absences.$1"
	cat "$TMP/.absences.$1"
}
find_absences() {
	of=$1
	[ "$of" != recording ] || of=perf	# its rings
	while read -r engines feature reason; do
		case $engines in *$of*) ;; *) continue ;; esac
		has "$feature" || echo "${reason:-$1:? +$(why "$feature")}"
	done <<-'ABSENCES' | tr '\n' '|' | sed 's/|$//'
		bpf	bpf
		bpf,ftrace	tracefs
		bpf,perf	perf
		ftrace	instances
		ftrace	ftrace-stacks	lack the innermost functions
		bpf	bpf-kprobe	takes no BPF programs on kprobes
		bpf	bpf-uprobe	takes no BPF programs on uprobes
		bpf,perf,ftrace	uprobes	this kernel has no uprobes
		perf,ftrace	uprobe-fetch	uprobes of this kernel can't read memory
		ftrace	uprobe-instances	instances get no events of uprobes
		bpf	bpf-tracepoint	takes no BPF programs on tracepoints
		bpf,perf,ftrace	uprobe-32	instructions that push damage
		bpf,perf,ftrace	uretprobe-32	return probes damage
		bpf,perf,ftrace	user-walk	may hang when it walks
		bpf	bpf-syscalls	takes no BPF programs on syscalls
		bpf	bpf-identity	can't tell which task is current
		bpf	bpf-output	can't hand over records
		bpf	bpf-multi	tracepoints of this kernel take one BPF program
		bpf,perf,ftrace	kprobes	this kernel has no kprobes
		bpf	kprobes	has no tracepoint sock:inet_sock_set_state
		perf	perf-long	records of this kernel are too short
	ABSENCES
}
# absences_of_stacks ENGINE: the same of tools that count by stacks. (Instances have stacks of user space since 5.10's
# later releases, if not before.)
absences_of_stacks() {
	{
		absences "$1"
		printf '\nno BPF maps of stacks\n'
		[ "$1" != ftrace ] || ! older 5.10 || echo 'instances .* record no stacks of user space'
		[ "$1" != ftrace ] || ! older 4.4 || echo 'instances have no stacks of their own'
		# some do in some runs only
		[ "$1" != ftrace ] || ! older 5.10 || echo 'lack the innermost functions'
	} | sed '/^$/d' | tr '\n' '|' | sed 's/|$//'
}
# Without kprobes the rings get a string of user space only where the event itself copies it (7.x).
rings_have_strings() {
	has_kprobes || grep -q __filename_val "$TRACEFS/events/syscalls/sys_enter_openat/format" 2>/dev/null
}
# The engines that can serve a tool here which shows strings of user space.
engines_for_strings() {
	for b in $ENGINES; do
		[ $b != bpf ] && ! rings_have_strings || echo $b
	done | xargs
}

# unrecorded NAME: the engine $b is `recording`, and a recording does not have what the test wants.
unrecorded() { [ "$b" = recording ] && skip "$1" "a recording does not have it"; }

# absent NAME ENGINE FILE: sonde refused, and said so in this file, for a reason that is known here; then it is skipped.
absent() {
	known=$(absences "$2")
	[ -n "$known" ] && grep -qE -e "$known" "$3" && skip "$1" "$(grep -E -e "$known" "$3" | head -n 1)"
}

# need32 NAME: skips loudly if 32-bit programs can't be built or don't run here. Use: need32 NAME || exit 0
need32() {
	[ -n "$WORK32" ] && return 0
	case $(uname -m) in
	arm* | i?86) skip "$1" "all programs of this machine have 32 bits: the other rows are theirs"; return 1 ;;
	esac
	skip "$1" "no 32-bit workload: it could not be built, or this kernel does not run 32-bit programs"
	return 1
}

# both_abis ENGINE WORDS WORDS32 TOOL ARGS...: the rows of the workload with these words, and of the one for 32 bits with
# its own, are exactly those wanted; or the tool says that it does not see the latter. The script has wanted_rows(), of
# what the workload said, and rows(), of the tool's JSON. 1: the engine can't serve it here.
both_abis() {
	b=$1
	words=$2
	words32=$3
	shift 3
	load w "$WORK" -c 'k\x0a"' $words
	ids=w
	need32 rows-32-$b && load c "$WORK32" $words32 && ids="w c"
	pids=$(for i in $ids; do echo -n "$(pid $i),"; done)
	start_or_skip rows-$b "$(absences $b)" s "$@" --backend $b --json -p "${pids%,}" || { go $ids; return 1; }
	go $ids
	stop s && equal ends-$b 0 "$STATUS"
	rows "$TMP/s.out" >"$TMP/rows" || fail json-$b "$(tail -n 1 "$TMP/rows")"
	wanted_rows "$TMP/w.said" >"$TMP/wanted"
	grep "^$(pid w)	" "$TMP/rows" >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	if [ -n "$WORK32" ]; then
		wanted_rows "$TMP/c.said" >"$TMP/wanted"
		if grep -q 'calls of 32-bit programs are missing' "$TMP/s.err"; then
			has_kprobes && fail said-no-32-$b "not seen, although there are kprobes" || pass said-no-32-$b
			: >"$TMP/wanted"
		fi
		grep "^$(pid c)	" "$TMP/rows" >"$TMP/got"
		same rows-32-$b "$TMP/wanted" "$TMP/got"
	fi
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
}

# by_numbers ENGINE WORDS TOOL ARGS...: the same, where calls have no tracepoints of their own: those of all calls tell
# their numbers. Calls of 32-bit programs are left out, and that is said.
by_numbers() {
	b=$1
	words=$2
	shift 2
	load w "$WORK" -c numbers $words
	ids=w
	need32 numbers-32-$b && load c "$WORK32" $words && ids="w c"
	pids=$(for i in $ids; do echo -n "$(pid $i),"; done)
	start_or_skip numbers-$b "$(absences $b)|do not tell which calls are of 32-bit tasks" s "$@" --backend $b --json \
		--without kprobes,syscall-tracepoints -p "${pids%,}" || { go $ids; return 1; }
	go $ids
	stop s && equal numbers-ends-$b 0 "$STATUS"
	rows "$TMP/s.out" >"$TMP/got" || fail numbers-json-$b "$(tail -n 1 "$TMP/got")"
	wanted_rows "$TMP/w.said" >"$TMP/wanted"
	same numbers-$b "$TMP/wanted" "$TMP/got"
	expect numbers-way-$b grep -q '"hooks":.*tracepoint raw_syscalls:sys_enter' "$TMP/s.out"
	[ "$ids" = w ] ||
		expect numbers-said-no-32-$b grep -q '"missing":.*calls of 32-bit programs' "$TMP/s.out"
	equal numbers-lost-$b 0 "$(reported "$TMP/s.out" lost)"
}

# dirtied: pages dirtied since boot, by the kernel's own account.
dirtied() {
	echo 1 2>/dev/null >/proc/sys/vm/stat_refresh	# CPUs hand in their shares
	sed -n 's/^nr_dirtied //p' /proc/vmstat
}

# child PID NAME: prints the children of that name, and fails if there is none. Small systems have no pgrep.
child() {
	cat /proc/[0-9]*/stat 2>/dev/null |
		awk -v of="$1" -v name="($2)" '$2 == name && $4 == of { print $1; n++ } END { exit !n }'
}

# said ID N: the Nth word of the line that a workload said at its end.
said() { cut -f "$2" "$TMP/$1.said" | tail -n 1; }

# Some kernels leave out samples of perf events that fire while an interrupt is served over the idle task or a thread that
# is as old as the machine (perf(1) misses them too): what is counted and what is in the ring differ. Nothing can be
# compared with what perf lost then. Over those threads BPF programs are not run either, and nothing counts that.
perf_leaves_out() {
	for try in 1 2 3 4; do
		for e in irq/softirq_entry timer/hrtimer_expire_entry sched/sched_wakeup; do
			"$WORK" samples "$TRACEFS/events/$e/id" 300 2>/dev/null
		done | awk -F '\t' '$3 != $4 { n++ } END { exit !n }' && return
	done
	return 1
}
# bpf_left_out NAME ENGINE WANTED GOT: fewer than were wanted, and BPF programs are not run for some events here; or a few
# are missing on a kernel that does not count for how many no program was run, as another one ran on that CPU.
bpf_left_out() {
	[ "$2" = bpf ] && [ "$4" -lt "$3" ] || return
	if ! has bpf-missed && [ $((20 * ($3 - $4))) -le "$3" ]; then
		skip "$1" "this kernel does not count what BPF programs miss: wanted $3, got $4"
	else
		perf_leaves_out && skip "$1" "this kernel leaves out events in interrupts: wanted $3, got $4"
	fi
}

# A CPU whose idle task the rings show, as $CPU: there are machines where the switches from the idle task of one CPU
# are in no ring at all. Tests that count waits of tasks go there. Use: find_cpu NAME || exit 0
find_cpu() {
	instance=$TRACEFS/instances/find-cpu-$$
	CPU=0
	mkdir "$instance" 2>/dev/null || return 0	# nobody reads rings here
	echo 'comm == "work"' >"$instance/events/sched/sched_wakeup/filter"
	echo 'prev_pid == 0 && next_comm == "work"' >"$instance/events/sched/sched_switch/filter"
	CPU=-1
	broken=1
	while [ $broken = 1 ] && [ $((CPU += 1)) -lt "$(nproc)" ]; do
		echo 1 >"$instance/events/sched/sched_wakeup/enable"
		echo 1 >"$instance/events/sched/sched_switch/enable"
		"$WORK" sleeps 100 $CPU >/dev/null
		echo 0 >"$instance/events/enable"
		# It is woken while the idle task runs, and then the idle task gives way to it.
		broken=$(awk '
			/^ *<idle>.* sched_wakeup: .*comm=work / { woken++ }
			/ sched_switch: .*prev_pid=0 .*next_comm=work / { switched++ }
			END { print (woken > 10 && 2 * switched < woken) + 0 }' "$instance/trace")
		echo >"$instance/trace"
	done
	# Before 3.14 an event's filter is one for all instances, and stays.
	echo 0 >"$instance/events/sched/sched_wakeup/filter"
	echo 0 >"$instance/events/sched/sched_switch/filter"
	rmdir "$instance"
	[ "$broken" = 0 ] || skip "$1" "no CPU of this machine shows its idle task in the rings"
	[ "$broken" = 0 ]
}
# nothing_lost NAME ENGINE LOST: sonde said that it lost so much, and that is 0. 1 if it is not; with a verdict, which is a
# failure unless the kernel is known for it.
nothing_lost() {
	if [ "$3" = 0 ]; then
		pass "$1"
	elif [ "$2" = perf ] && [ -n "$3" ] && perf_leaves_out; then
		skip "$1" "this kernel leaves out samples of perf events in interrupts; $3 here"
		return 1
	else
		fail "$1" "wanted nothing lost, got ${3:-no end of the output}"
		return 1
	fi
}
# lossless NAME ENGINE FILE: the same, by sonde's JSON.
lossless() {
	nothing_lost "$1" "$2" "$(reported "$3" lost)" && return
	sed -n 's/^{"end":/#   the end: /p' "$3"
	return 1
}
# lossless_said NAME ENGINE FILE: the same, by what -v says.
lossless_said() { nothing_lost "$1" "$2" "$(sed -n 's/^sonde: seen [0-9]*, lost \([0-9]*\),.*/\1/p' "$3")"; }
# user_walks: functions of user space are found by frame pointers, which these machines have and kernels follow.
user_walks() { case $(uname -m) in x86_64 | aarch64) ;; *) false ;; esac; }
# user_walks_or_skip NAME: the same for a test about those functions alone.
user_walks_or_skip() {
	user_walks && return
	skip "$1" "the kernel finds no callers in user space on this machine"
	return 1
}

# ---- disks ----

# The size of a page, of memory and of the page cache: 4, on some machines 16 or 64.
page_kb() { awk '/^KernelPageSize:/ { print $2; exit }' /proc/self/smaps; }

# disk NAME: a block device of its own, as $DISK (/dev/loop3), on a file of 64 MB; skips if there is none. Before 4.0 loop
# devices have no requests: there it is the guest's.
# Use: disk NAME || exit 0
disk() {
	if [ -d /lab/live ] && [ -b /dev/vda ] && older 4.0; then
		DISK=/dev/vda
		return 0
	fi
	modprobe loop 2>/dev/null
	dd if=/dev/zero of="$TMP/.disk" bs=1M count=64 2>/dev/null
	for try in 1 2 3; do
		DISK=$(losetup -f 2>/dev/null) && losetup "$DISK" "$TMP/.disk" 2>/dev/null && return 0
	done
	DISK=
	skip "$1" "no loop device on this machine"
	return 1
}
no_disk() { case $DISK in /dev/loop*) losetup -d "$DISK" ;; esac; }
# folder NAME: $FOLDER, on a file system of its own on a disk (page caches of tmpfs are no page caches).
folder() {
	disk "$1" || return 1
	FOLDER=$TMP/folder
	mkdir "$FOLDER"
	for type in ext2 ext4; do
		{ mke2fs -F -q "$DISK" || mke2fs "$DISK"; } >/dev/null 2>&1 && mount -t $type "$DISK" "$FOLDER" 2>/dev/null &&
			return 0
	done
	FOLDER=
	skip "$1" "no file system can be made and mounted here"
	return 1
}

# images are the lab's, for guests that can make no such file systems themselves.
# filesystem NAME TYPE: $FOLDER, on a file system of this type on a disk of its own; skips if there can be none.
# Use: filesystem NAME TYPE || continue; at the end of its turn: no_filesystem
filesystem() {
	no_filesystem
	# Guests have all their files in memory.
	if [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -lt 100000 ] 2>/dev/null; then
		skip "$1" "too little memory for a file system of its own"
		return 1
	fi
	[ "$2" != nfs ] || { nfs_filesystem "$1"; return; }
	modprobe loop 2>/dev/null
	if [ -f "$LIVE/images/$2.gz" ]; then
		gunzip -c "$LIVE/images/$2.gz" >"$TMP/.disk"
	else
		sh "$LIVE/../lab/image.sh" "$2" "$TMP/.disk" >"$TMP/.why" 2>&1 || {
			skip "$1" "no image of $2: $(head -n 1 "$TMP/.why")"
			return 1
		}
	fi
	DISK=$(losetup -f 2>/dev/null) && losetup "$DISK" "$TMP/.disk" 2>/dev/null || {
		DISK=
		skip "$1" "no loop device on this machine"
		return 1
	}
	FOLDER=$TMP/folder
	mkdir -p "$FOLDER"
	mount -t "$2" "$DISK" "$FOLDER" 2>"$TMP/.why" && return 0
	FOLDER=
	skip "$1" "$2 can't be mounted on this kernel: $(head -n 1 "$TMP/.why")"
	return 1
}
no_filesystem() {
	[ -z "$FOLDER" ] || umount "$FOLDER"
	no_disk
	[ -z "$EXPORTED" ] || nfs_end
	FOLDER= DISK= EXPORTED=
}

# The kernel's NFS server, of a folder in memory, to this machine alone. What its daemons would answer is told it before
# it asks: who may come, what there is, and where that is (version 4 has one root, of number 0). Other versions would
# ask a portmapper, which is not there; 5.10 then has a BUG() in svc_destroy(). Not where a server runs already.
nfs_filesystem() {
	modprobe sha256 2>/dev/null
	if ! older 5.4 && older 5.5 && ! grep -q ': sha256$' /proc/crypto; then
		skip "$1" "the NFS server of 5.4 may crash without sha256"
		return 1
	fi
	# 4.9 and 4.12 wait for it, a quarter of an hour; 4.1 and 4.19 are refused.
	if older 5.4; then
		skip "$1" "the NFS servers of 4.1 to 4.19 need a portmapper, which is not there"
		return 1
	fi
	EXPORTED=$TMP/exported
	mkdir -p "$EXPORTED" "$TMP/folder"
	modprobe nfsv4 2>/dev/null
	modprobe nfsd 2>/dev/null
	mount -t nfsd nfsd /proc/fs/nfsd 2>/dev/null || {
		EXPORTED=
		skip "$1" "this kernel has no NFS server to be mounted from"
		return 1
	}
	[ "$(cat /proc/fs/nfsd/threads)" = 0 ] || {
		EXPORTED=
		umount /proc/fs/nfsd
		skip "$1" "an NFS server runs on this machine"
		return 1
	}
	mount -t tmpfs nodev "$EXPORTED"
	versions=$(cat /proc/fs/nfsd/versions)
	# For so long after its start a server lets nobody open a file: 90 s, unless told.
	grace=$(cat /proc/fs/nfsd/nfsv4gracetime) lease=$(cat /proc/fs/nfsd/nfsv4leasetime)
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	expiry=$(($(date +%s) + 3600))
	options=$((0x2402))	# by number, not of a whole file system, from any port
	{
		echo "nfsd 127.0.0.1 $expiry sonde-test" >/proc/net/rpc/auth.unix.ip/channel &&
			echo "sonde-test $EXPORTED $expiry $options 65534 65534 0" >/proc/net/rpc/nfsd.export/channel &&
			echo "sonde-test 1 \\x00000000 $expiry $EXPORTED" >/proc/net/rpc/nfsd.fh/channel &&
			echo "-2 -3" >/proc/fs/nfsd/versions && echo "tcp 2049" >/proc/fs/nfsd/portlist &&
			echo 2 >/proc/fs/nfsd/threads &&
			mount -i -t nfs4 -o addr=127.0.0.1,clientaddr=127.0.0.1,vers=4.1,proto=tcp,soft,timeo=100 127.0.0.1:/ "$TMP/folder"
	} 2>"$TMP/.why" || {
		skip "$1" "no NFS can be mounted on this kernel: $(head -n 1 "$TMP/.why")"
		nfs_end
		return 1
	}
	FOLDER=$TMP/folder
}
# The caches hold what is exported until they are told to forget it.
nfs_end() {
	echo 0 >/proc/fs/nfsd/threads
	echo "$versions" >/proc/fs/nfsd/versions
	echo "$lease" >/proc/fs/nfsd/nfsv4leasetime
	echo "$grace" >/proc/fs/nfsd/nfsv4gracetime
	for cache in nfsd.fh nfsd.export auth.unix.ip; do
		echo $(($(date +%s) + 1)) >/proc/net/rpc/$cache/flush
	done
	umount "$EXPORTED"
	umount /proc/fs/nfsd
	EXPORTED=
}

# ---- floods: more than can be taken calmly ----

# cpu_ms ID: the CPU time it took so far; where the kernel does not tell, in ticks of 10 ms.
cpu_ms() {
	awk '{ print int($1 / 1000000) }' "/proc/$(pid "$1")/schedstat" 2>/dev/null ||
		awk '{ sub(/.*\) /, ""); print ($12 + $13) * 10 }' "/proc/$(pid "$1")/stat"
}
# unseen FILE: all that sonde says, in its JSON, was not shown.
unseen() {
	fields "$1" end.lost end.late end.unpaired end.full end.missed end.unreturned |
		awk -F '\t' '{ print $1 + $2 + $3 + $4 + $5 + $6 }'
}
# strange NAME: passes if each row of $TMP/got is one of $TMP/wanted, and that once.
strange() {
	awk 'NR == FNR { n[$0]++; next } n[$0]-- <= 0' "$TMP/wanted" "$TMP/got" >"$TMP/strange"
	: >"$TMP/none"
	same "$1" "$TMP/none" "$TMP/strange"
}
# older VERSION: is this kernel?
older() {
	uname -r | awk -v than="$1" '{ split($0, k, /[.-]/); split(than, t, "."); exit !(k[1] < t[1] + 0 || (k[1] == t[1] && k[2] < t[2] + 0)) }'
}
# family ID: of rows, which begin with pid and parent, those of processes that this workload spoke of, and of children of
# theirs: there may be more workloads on this machine.
family() {
	awk -F '\t' -v said="$TMP/$1.said" '
		BEGIN { while ((getline line <said) > 0) { split(line, word, "\t"); ours[word[2]]; ours[word[3]] } }
		$1 in ours || $2 in ours'
}
# build NAME TOOL ARGS...: traces processes as they come when a large program is built, several at the same time: each
# row of sonde's is one that was, once, and with what it says was not shown there are as many as there were. The script
# has built_wanted(), of what the workload said, and built_got(), of the tool's JSON: the rows.
build() {
	flood=$1
	shift
	load build "$WORK" build $((500 / SLOW)) 4
	start b "$@" --json || { go build; fail "$flood" "sonde $* ended with status $STATUS:"; notes "$TMP/b.err"; return 1; }
	go build
	cpu=$(cpu_ms b)
	stop b
	built_wanted "$TMP/build.said" | sort >"$TMP/wanted"
	built_got "$TMP/b.out" | sort >"$TMP/got"
	wanted=$(wc -l <"$TMP/wanted") rows=$(wc -l <"$TMP/got") lost=$(unseen "$TMP/b.out")
	echo "# $flood: $rows rows of $wanted, $lost lost, $cpu ms of CPU"
	strange "$flood-rows"
	# An emulated machine with more to do than it can: tasks are put aside within calls, and kernels remember ten returns
	# if they can't be told; and before 6.7 a BPF program that is not run, for another one runs, is not counted.
	if [ "$rows" -lt $((wanted - lost)) ] && [ -d /lab/live ] && [ -z "$(reported "$TMP/b.out" missed)" ] &&
		{ ! grep -q 'r\[maxactive\]' "$TRACEFS/README" || { case " $* " in *" bpf "*) ;; *) false ;; esac && older 6.7; }; }
	then
		skip "$flood-lost" "$((wanted - rows - lost)) of $wanted are missing, and this kernel does not count them"
		return
	fi
	between "$flood-lost" $((wanted - lost)) "$rows" "$wanted"
}

# ---- what must not be left behind ----

# What dead sondes have left in tracefs: a living one, of whomever, holds the lock of each of its directories.
tracefs_list() {
	for d in "$TRACEFS"/instances/sonde-* "$TRACEFS"/events/sonde_*; do
		[ ! -d "$d" ] || "$WORK" locked "$d" || echo "$d"
	done
}
tracefs_list >"$TMP/.tracefs"
nothing_left() {
	tracefs_list | awk -v before="$TMP/.tracefs" '
		BEGIN { while ((getline d <before) > 0) old[d] = 1 }
		!($0 in old)' >"$TMP/.left"
	[ ! -s "$TMP/.left" ]
}
# detached: no sonde, of whomever, is being detached just now.
detached() { ! "$WORK" locked "$TRACEFS"; }
# clean NAME: nothing is left in tracefs that was not there when the script began. What is just being removed is not
# left: it is waited for.
clean() {
	wait_for 60 detached
	if wait_for 2 nothing_left; then
		pass "$1"
	else
		fail "$1" "left in tracefs:"
		notes "$TMP/.left"
		return 1
	fi
}

mark="sonde test $script $$"
echo "$mark" >/dev/kmsg
# Lines of the kernel's log that say nothing of a test, whoever's it is: perf throttles its own samples, a busy machine is
# late, a process is killed because memory ran out (a report with a trace of calls), other scripts begin; 4.12 is asked for more returns
# than it keeps, which is how it tells that it can be asked (the feature kretprobe-room), and 4.12 to 4.20 say of each
# definition that is tried why they refuse it, with a name of the file before it, and 5.10 what some events of sched
# need. And warnings of functions of the kernel: an instance can't be made by a process that was killed meanwhile; ext4 wants a lock that uprobes
# don't take when they read a file (6.18); three counts of a ring's pages, touched, lost and read, which the kernel alone
# keeps and reads one after the other while a CPU writes, do not fit (5.10).
# And other recorders that crash, which a test of theirs tells: perf 7 does now and then when it writes a recording anew.
unremarkable() {
	sed '/invoked oom-killer/,/Killed process/d
		/WARNING: .* ext4_check_map_extents_env+/,/end trace/d
		/WARNING: .* ring_buffer_nr_dirty_pages+/,/end trace/d
		/perf: interrupt took too long/d
		/ segfault at .* in \(perf\|trace-cmd\)\[/d
		/perf_duration_warn: .* callbacks suppressed/d
		/sonde test /d
		/hogged CPU for/d
		/Lockdown: sonde: /d
		/Maxactive is too big/d
		/Scheduler tracepoints stat_sleep/d
		/trace_[ku]probe: Parse error at argument/d
		/trace_probe: Unsupported type: /d
		/event trace: Could not enable event try/d
		/XFS (.*): Internal error/,/XFS (.*): Corruption detected/d
		/rcu: INFO: .* self-detected stall/,/<\/TASK>/d
		/rcu:.* detected stalls/,/<\/TASK>/d
		/rcu.*kthread \(starved\|timer wakeup\)/d'
}
# quiet NAME: since the script began, the kernel's log got no line about tracing and no warning. quiet NAME FUNCTION
# WHY...: but one that this function of the kernel gives, which is a SKIP for that reason. Scripts that run at the same
# time, here or from elsewhere, have that from signals.sh.
quiet() {
	dmesg | sed "1,/$mark/d" | unremarkable >"$TMP/.dmesg"
	if [ -n "${2:-}" ] && grep -q "WARNING: .* $2+" "$TMP/.dmesg"; then
		sed "/WARNING: .* $2+/,/end trace/d" "$TMP/.dmesg" >"$TMP/.rest"
		mv "$TMP/.rest" "$TMP/.dmesg"
		log=$1
		shift
		skip "$@"
		set -- "$log"
	fi
	sed '/WARNING: .* trace_rb_cpu_prepare+/,/end trace/d' "$TMP/.dmesg" |
		grep -E 'WARNING|BUG|Oops|RIP:|Call Trace|rcu|perf|trace|probe|bpf' >"$TMP/.klog"
	if [ -s "$TMP/.klog" ]; then
		fail "$1" "the kernel's log says:"
		notes "$TMP/.klog"
		return 1
	fi
	pass "$1"
}

# ---- rows ----

# fields FILE NAME...: the members of each JSON row of sonde's output, separated by tabs, in the notation of the
# workload's own lines; rows that have none of them (histograms, the end object) are left out. 1: invalid JSON.
fields() {
	file=$1
	shift
	"$WORK" json "$@" <"$file"
}
# reported FILE NAME: a number of the end object.
reported() { "$WORK" json "end.$2" <"$1"; }
# without_return FILE: calls without a row or a time of which sonde's JSON says so: the kernel missed their return, or
# the thread did not call again. Kernels before 4.12 keep ten returns of a function, or two for each CPU.
without_return() {
	{ reported "$1" missed; reported "$1" unreturned; } 2>/dev/null | awk '/^[0-9]+$/ { n += $1 } END { print n + 0 }'
}
# without_return_said FILE: the same, by what sonde says on stderr at its end.
without_return_said() {
	sed -n 's/^sonde: \([0-9]*\) events\{0,1\} \(left out: calls whose return\|without an end\).*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'
}
# slots FILE [MEMBER VALUE]: a line "LOW HIGH COUNT" for each slot of the histograms in sonde's JSON, or of those with
# this value of a member (disk loop0).
slots() {
	fields "$1" "${2:-histogram}" slots | awk -F '\t' -v value="${3:-}" 'value == "" || $1 == value { print $2 }' |
		tr '{' '\n' | sed -n 's/^"low":\([0-9]*\),"high":\([0-9]*\),"count":\([0-9]*\).*/\1 \2 \3/p'
}
# counted FILE [MEMBER VALUE]: how many values there are in these histograms.
counted() { slots "$@" | awk '{ n += $3 } END { print n + 0 }'; }

# ---- terminals ----

# terminal_words COLUMNS LINES ENVIRONMENT... -- ARGS...: sets $terminal and $set_to; $set_words words are before ARGS.
terminal_words() {
	terminal="$1 $2"
	shift 2
	set_to= set_words=3
	while [ "$1" != -- ]; do
		set_to="$set_to $1" set_words=$((set_words + 1))
		shift
	done
}
# in_terminal COLUMNS LINES ENVIRONMENT... -- ARGS...: sonde in a terminal, in $TMP/t.out.
in_terminal() {
	terminal_words "$@"
	shift $set_words
	: >"$TMP/t.err"
	# shellcheck disable=SC2086
	env -u NO_COLOR -u COLORTERM -u LC_ALL $set_to "$WORK" signals "$WORK" terminal $terminal "$SONDE" "$@" --verbose \
		>"$TMP/t.out" 2>"$TMP/t.err" &
	pid_t=$!
	running="$running $!"
	wait_for 30 attached t
}
# terminal_text: what the terminal got, in $TMP/t.text; escapes are ~.
terminal_text() { tr '\033' '~' <"$TMP/t.out" | tr -d '\r' >"$TMP/t.text"; }
# terminal_restored: it was left as often as entered, the last thing is to leave, and the cursor is there again.
terminal_restored() {
	terminal_text
	awk '{ while (match($0, /~\[\?(1049|25)[hl]/)) {
			last[substr($0, RSTART + 3, RLENGTH - 4)] = substr($0, RSTART + RLENGTH - 1, 1)
			n[substr($0, RSTART + RLENGTH - 1, 1)]++
			$0 = substr($0, RSTART + RLENGTH)
		} }
		END { exit !(last[1049] == "l" && last[25] == "h" && n["h"] == n["l"] && n["h"] >= 2) }' "$TMP/t.text"
}
