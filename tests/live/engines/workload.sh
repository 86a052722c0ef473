# SPDX-License-Identifier: GPL-2.0
#
# The workload does what it says, by the kernel's own account: everything else here rests on that.
. "${0%/*}/../lib.sh"

instance=$TRACEFS/instances/workload-test-$$
cleanup_hook() { [ ! -d "$instance" ] || rmdir "$instance"; }
mkdir "$instance" || { fail instance "can't make $instance"; exit; }
mkdir "$TMP/dir"

# traced EVENT FILTER...: switches events on, with filters in which PID is the workload's.
traced() {
	while [ $# -gt 0 ]; do
		echo "$2" | sed "s/PID/$(pid w)/g" >"$instance/events/$1/filter" && echo 1 >"$instance/events/$1/enable"
		shift 2
	done
}
untraced() {
	echo 0 >"$instance/events/enable"
	cat "$instance/trace" >"$TMP/trace"
	echo >"$instance/trace"
}
count() { grep -cE -e "$1" "$2"; }

# begin NAME: what was loaded works, and is traced until it ends.
begin() {
	go w && pass "$1-ran"
	untraced
}

for bits in 64 32; do
	program=$WORK
	if [ $bits = 32 ]; then
		need32 opens-32 || break
		program=$WORK32
		# The syscalls events say nothing of these: raw_syscalls does, by the numbers of the 32-bit machine.
		case $(uname -m) in
		x86_64) openat=295 ;;
		aarch64) openat=322 ;;
		*) skip opens-32 "the numbers of 32-bit calls are not known for $(uname -m)"; break ;;
		esac
		if ! has_event raw_syscalls sys_enter; then
			skip opens-32 "this kernel has no raw_syscalls events"
			break
		fi
		load w "$program" opens 5 "$TMP/dir"
		traced raw_syscalls/sys_enter "common_pid == PID"
		begin opens-32
		for call in open:5 creat:8 openat:$openat openat2:437; do
			said=$(count "	${call%:*}	" "$TMP/w.said")
			equal "${call%:*}-32" "$said" "$(count "NR ${call#*:} " "$TMP/trace")"
		done
		break
	fi
	if ! has_event syscalls sys_enter_openat; then
		skip opens "this kernel has no syscalls events"
		continue
	fi
	load w "$program" opens 5 "$TMP/dir"
	for call in open creat openat openat2; do
		! has_event syscalls sys_enter_$call || traced syscalls/sys_enter_$call "common_pid == PID"
	done
	begin opens
	for call in open creat openat openat2; do
		! has_event syscalls sys_enter_$call ||
			equal $call "$(count "	$call	" "$TMP/w.said")" "$(count "sys_$call\(" "$TMP/trace")"
	done
done

if has_event sock inet_sock_set_state; then
	load w "$WORK" connects 20 7001 4
	traced sock/inet_sock_set_state "newstate == 2 && dport == 7001"
	begin connects
	equal connects 20 "$(count TCP_SYN_SENT "$TMP/trace")"
	equal connects-said 20 "$(count '^connect.*	7001	0$' "$TMP/w.said")"
else
	skip connects "this kernel has no sock:inet_sock_set_state"
fi

load w "$WORK" -c "pp$$" pingpong 200 0
traced sched/sched_switch "next_comm == \"pp$$\""
begin pingpong
# As often as both gave way to others, and once each at the beginning.
between pingpong 399 "$(count sched_switch: "$TMP/trace")" $(($(said w 5) + $(said w 6) + 2))

load w "$WORK" sleeps 50
traced sched/sched_wakeup "pid == PID"
begin sleeps
between sleeps 50 "$(count sched_wakeup: "$TMP/trace")" 200

"$WORK" execs 10 >"$TMP/w.said"
equal execs 10 "$(count '	execve	0	[^	]*	3	work	noop	' "$TMP/w.said")"
equal execs-failed 10 "$(count '	execve	-2	/nonexistent/work	2	missing	' "$TMP/w.said")"

# What reads sonde's JSON reads only JSON.
printf '%s\n' '{"a": "x\u001b\udcff", "end": {"lost": 7}}' '{"b": 1}' >"$TMP/good"
printf 'x\\x1b\\xff\t7\n' >"$TMP/wanted"
fields "$TMP/good" a end.lost >"$TMP/got"
same json "$TMP/wanted" "$TMP/got"
printf '{"a": "\033"}\n' >"$TMP/bad"
if fields "$TMP/bad" a >/dev/null 2>&1; then
	fail json-invalid "a raw escape byte was taken for JSON"
else
	pass json-invalid
fi
