# SPDX-License-Identifier: GPL-2.0
# timeout: 480
#
# bt: the scripts of the page bt-tutorial(7), word for word; and what people type into bpftrace first. Each prints
# something, or is refused with a reason.
. "${0%/*}/../lib.sh"

# Something for all of them to see: programs that begin, read, sleep, allocate.
(while :; do dd if=/dev/zero of=/dev/null bs=3000 count=3 2>/dev/null; sleep 0.01; done) &
running="$running $!"

# The page is not in the guests of the lab.
page=${0%/*}/../../../man/man7/bt-tutorial.7
n=0
if [ -r "$page" ]; then
	grep '^# sonde bt ' "$page" | sed 's/\\e/\\/g; s/^# sonde/"$SONDE"/' >"$TMP/lessons"
	while read -r lesson; do
		n=$((n + 1))
		eval "$lesson" >"$TMP/got" 2>"$TMP/err" </dev/null
		status=$?
		if [ $status = 0 ] && grep -q '[0-9]' "$TMP/got"; then
			pass lesson-$n
		elif [ $status = 1 ] && grep -qE "$(reasons "$(absences bpf)|no tracepoint of the kernel matches")" "$TMP/err"; then
			skip lesson-$n "$(grep -m 1 . "$TMP/err")"
		else
			fail lesson-$n "status $status of $lesson"
			notes "$TMP/err"
		fi
	done <"$TMP/lessons"
	equal lessons 10 $n
else
	skip lessons "the page is not here: $page"
fi

# Programs that bpftrace's users know, one a line: NAME, a tab, the program. `-` before the name: it may be refused with a
# reason, which has its place in the program.
while IFS='	' read -r name program; do
	case $program in *:/bin/bash:*)
		[ -e /bin/bash ] || { skip known-$name "bash is not installed"; continue; }
		;;
	esac
	"$SONDE" bt -q --duration 1 -e "$program" >"$TMP/got" 2>"$TMP/err" </dev/null
	status=$?
	if [ $status = 0 ]; then
		pass known-${name#-}
	elif [ $status = 1 ] && grep -qE "$(reasons "$(absences bpf)|can.t run here|no (tracepoint|function) of .* matches")" "$TMP/err"; then
		skip known-${name#-} "$(grep -m 1 . "$TMP/err")"
	elif [ $status = 1 ] && [ "$name" != "${name#-}" ] && grep -qE '^stdin:1:[0-9]+-[0-9]+: ERROR: ' "$TMP/err"; then
		skip known-${name#-} "$(grep -m 1 . "$TMP/err")"
	else
		fail known-${name#-} "status $status of $program"
		notes "$TMP/err"
	fi
done <<-'END'
	hello	BEGIN { printf("hello world\n"); }
	opens	tracepoint:syscalls:sys_enter_openat { printf("%s %s\n", comm, str(args.filename)); }
	opens-arrow	tracepoint:syscalls:sys_enter_openat { printf("%s %s\n", comm, str(args->filename)); }
	-opens-all	tracepoint:syscalls:sys_enter_open* { printf("%s %s\n", comm, str(args->filename)); }
	calls	tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }
	calls-pid	tracepoint:raw_syscalls:sys_enter { @[pid, comm] = count(); }
	calls-probe	tracepoint:syscalls:sys_enter_re* { @[probe] = count(); }
	sizes	tracepoint:syscalls:sys_exit_read /pid == 1/ { @bytes = hist(args.ret); }
	bytes	tracepoint:syscalls:sys_exit_read /args.ret/ { @[comm] = sum(args.ret); }
	spread	tracepoint:syscalls:sys_exit_read { @[comm] = hist(args.ret); }
	linear	kretprobe:vfs_read { @bytes = lhist(retval, 0, 2000, 200); }
	took	kprobe:vfs_read { @start[tid] = nsecs; } kretprobe:vfs_read /@start[tid]/ { @ns[comm] = hist(nsecs - @start[tid]); delete(@start[tid]); }
	sched	tracepoint:sched:sched* { @[probe] = count(); } interval:s:1 { exit(); }
	stacks	profile:hz:99 { @[kstack] = count(); }
	user-stacks	profile:hz:99 /pid == 1/ { @[ustack] = count(); }
	off	tracepoint:sched:sched_switch { @[kstack] = count(); }
	blocks	tracepoint:block:block_rq_issue { @ = hist(args.bytes); }
	blocks-each	tracepoint:block:block_rq_issue { printf("%d %s %d\n", pid, comm, args.bytes); }
	path	kprobe:vfs_open { printf("open path: %s\n", str(((struct path *)arg0)->dentry->d_name.name)); }
	sleeping	kprobe:do_nanosleep { printf("PID %d sleeping...\n", pid); }
	returns	uretprobe:/bin/bash:readline { printf("%s\n", str(retval)); }
	exec	tracepoint:syscalls:sys_enter_exec* { join(args.argv); }
	-cgroup	tracepoint:syscalls:sys_enter_openat /cgroup == cgroupid("/sys/fs/cgroup")/ { printf("%s\n", str(args.filename)); }
	faults	software:major-faults:1 { @[comm] = count(); }
	faults-all	software:faults { @[comm, kstack(2)] = count(); }
	raw	rawtracepoint:sys_enter { @[arg1] = count(); }
	written	tracepoint:syscalls:sys_enter_write { @[comm] = hist(args.count, 2); @first[buf(args.buf, 4)] = count(); }
	cut	tracepoint:syscalls:sys_enter_write /strcontains(comm, "d")/ { printf("%s %s\n", probetype, str(args.buf, args.count)); }
	groups	tracepoint:syscalls:sys_enter_openat { @[cgroup_path(cgroup)] = count(); }
	signals	tracepoint:signal:signal_generate { @[signal_name(args.sig), comm] = count(); }
	-load	interval:ms:300 { $a = kaddr("avenrun"); printf("%d %d\n", *$a >> 11, *($a + 8) >> 11); }
	clocks	tracepoint:sched:sched_switch { @ = max(nsecs(boot) - nsecs); @r = min(rand % 10); }
	-misses	hardware:cache-misses:1000000 { @[comm, pid] = count(); }
	-fentry	fentry:vfs_read { @[comm] = count(); }
END
