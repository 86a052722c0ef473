# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# What `perf record` wrote, for many tools and scripts: the rows of each are those of the same tool that ran beside perf.
# Times are not compared: the kernel reads its clock once more for each of them.
. "${0%/*}/../lib.sh"

. "$LIVE/perf_recorder.sh"

# Tools.
lives=sched:sched_process_exec,sched:sched_process_exit,task:task_newtask
both PID PID "" "$lives,task:task_rename" execsnoop execs 20
both PID PID,COMM,TPID,SIG "" "syscalls:sys_enter_kill,syscalls:sys_exit_kill,$lives" killsnoop kills 20
both PID PID,COMM,CALL "" "syscalls:sys_enter_*sync*,syscalls:sys_exit_*sync*,$lives" 'syncsnoop -a' syncs 10 "$TMP"
known=7281
both RPORT RPORT,OLDSTATE,NEWSTATE "" sock:inet_sock_set_state tcpstates connects 20 7281 4
both DPORT PID,COMM,DPORT "" "sock:inet_sock_set_state,$lives" tcpconnect connects 20 7281 4
both RPORT LPORT,RPORT "" sock:inet_sock_set_state tcplife sessions 5 7281 4 20480 5120 client
known=''
both TID TID,COMM "" "sched:sched_switch,sched:sched_wakeup*,$lives" 'runqslower 0' pingpong 500
both PID PID,FUNC "" 'raw_syscalls:sys_enter,task:task_newtask' 'trace t:raw_syscalls:sys_enter' flood getppid 500
# The names of disks are not in what perf records.
if disk requests; then
	block='block:*,task:task_newtask'
	both PID PID,COMM,T,SECTOR,BYTES "" "$block" biosnoop block write "$DISK" 60
	both PID PID,COMM,D,I/O,Kbytes "" "$block" 'biotop 1000' block write "$DISK" 60
	known=recorded-work
	both value section,value,low count "$block" bitesize -c recorded-work block write "$DISK" 60
	known=''
fi

# Scripts, whose rows are those of maps: by ids of the workload's tasks, or by a name that nobody else has.
# script LABEL EVENTS SCRIPT JOB...
script() {
	label=$1 events=$2
	echo "$3" >"$TMP/$1.bt"
	shift 3
	both KEY KEY,MAP,VALUE,LOW,COUNT "" "$events" "bt $TMP/$label.bt" "$@"
	label=''
}
script bt-switches sched:sched_switch 't:sched:sched_switch { @[args.next_pid] = count() }' pingpong 500
script bt-latencies 'sched:sched_switch,sched:sched_wakeup' 't:sched:sched_wakeup { @woken[args.pid] = nsecs }
	t:sched:sched_switch /@woken[args.next_pid]/ { @[args.next_pid] = count(); delete(@woken[args.next_pid]) }
	END { clear(@woken) }' pingpong 500
script bt-calls raw_syscalls:sys_enter,task:task_newtask 't:raw_syscalls:sys_enter { @[pid] = lhist(args.id, 0, 500, 1) }' \
	opens 20 "$TMP"
script bt-errors raw_syscalls:sys_exit,task:task_newtask 't:raw_syscalls:sys_exit /args.ret < 0/ { @[pid, -args.ret] = count() }
	t:raw_syscalls:sys_exit { @all[pid] = count(); @least[pid] = min(args.ret) }' opens 20 "$TMP"
script bt-returns raw_syscalls:sys_exit,task:task_newtask 't:raw_syscalls:sys_exit /args.id == 39 || args.id == 172/ {
	@[pid] = stats(args.ret) }' flood getppid 500
script bt-execs "$lives" 't:sched:sched_process_exec { @[pid] = str(args.filename) }' execs 20
script bt-exits "$lives" 't:sched:sched_process_exit { @[args.pid] = args.prio; @names[pid] = comm }' execs 20
script bt-forks sched:sched_process_fork,task:task_newtask 't:sched:sched_process_fork { @[args.child_pid] = args.parent_pid }' execs 20
script bt-signals "signal:signal_generate,$lives" 't:signal:signal_generate { @[args.pid] = hist(args.sig); @last[pid] = args.sig }' \
	kills 20
script bt-opens 'syscalls:sys_enter_openat,syscalls:sys_exit_openat,task:task_newtask' 't:syscalls:sys_enter_openat {
	@flags[tid] = args.flags } t:syscalls:sys_exit_openat /@flags[tid]/ { @[pid] = sum(@flags[tid]) } END { clear(@flags) }' \
	opens 20 "$TMP"
known=recorded-work
script bt-names "sched:sched_wakeup,sched:sched_switch,$lives" 't:sched:sched_switch { @from[args.prev_comm] = count();
	@to[args.next_comm] = count(); @now[comm] = count() }' -c recorded-work pingpong 500

# Stacks: those of a tracepoint, at each of its hits. Where perf leaves out samples, the file has fewer than the tool that
# ran beside, and as many as perf's own reader finds in it.
with=-g
if perf_leaves_out; then
	record "$TMP/data" sched:sched_switch -c recorded-work pingpong 500
	"$PERF" script -i "$TMP/data" -F comm,event 2>/dev/null | grep -c '^ *recorded-work .*sched_switch' >"$TMP/wanted"
	"$SONDE" stackcount t:sched:sched_switch -P --csv --addresses --input "$TMP/data" 2>"$TMP/err" |
		awk -F, '$3 == "recorded-work" { n += $NF } END { print n + 0 }' >"$TMP/got"
	same stackcount "$TMP/wanted" "$TMP/got"
else
	both comm comm,stack count sched:sched_switch 'stackcount t:sched:sched_switch -P --addresses' -c recorded-work pingpong 500
fi
