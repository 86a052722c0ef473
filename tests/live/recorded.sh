# SPDX-License-Identifier: GPL-2.0
#
# Rows of tools, live and of a recording that is made beside them. To be sourced, behind lib.sh. The script has a function
# record FILE EVENTS JOB...: records while the workload runs in a process that begins when all is on; its lines go to
# $TMP/job.

# of_job FILE: rows whose KEY is a process of the workload, only the COLUMNS; with SUM, its sum for each of them.
of_job() {
	awk -F, -v key="$KEY" -v columns="$COLUMNS" -v sum="$SUM" '
		NR == FNR { n = split($0, f, "\t"); for (i = 2; i <= n; i++) mine[f[i]] = 1; next }
		FNR == 1 { n = split(columns, wanted, ","); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at[key] in mine {
			row = ""
			for (i = 1; i <= n; i++) row = row " " $at[wanted[i]]
			sums[row] += sum ? $at[sum] : 1
		}
		END { for (row in sums) print row, sums[row] }' "$TMP/job" "$1" | sort
}

# $live: more options of the tool that runs beside.
live=''
# What a script makes anew before each try.
before() { :; }
# once EVENTS TOOL JOB...: rows of the workload, live in $TMP/rows.live and recorded in $TMP/rows.recorded. 2: it can't run.
once() {
	events=$1 tool=$2
	shift 2
	before
	# shellcheck disable=SC2086
	start_or_skip "$name" "$(absences)" live $tool --csv $live || return 2
	record "$TMP/data" "$events" "$@"
	stop live
	# shellcheck disable=SC2086
	"$SONDE" $tool --csv -v --input "$TMP/data" >"$TMP/recorded" 2>"$TMP/recorded.err" || notes "$TMP/recorded.err"
	of_job "$TMP/live.out" >"$TMP/rows.live"
	of_job "$TMP/recorded" >"$TMP/rows.recorded"
	[ -s "$TMP/rows.live" ] && cmp -s "$TMP/rows.live" "$TMP/rows.recorded"
}

# total FILE: the sum of its last column.
total() { awk '{ n += $NF } END { print n + 0 }' "$1"; }

# both KEY COLUMNS SUM EVENTS "TOOL OPTION..." JOB...: the test is named as the tool, or $label.
# Two tracers share what the kernel has for perf: now and then it leaves out a sample, which nobody counts.
both() {
	KEY=$1 COLUMNS=$2 SUM=$3
	shift 3
	name=${label:-${2%% *}}
	for _ in 1 2 3; do
		once "$@"
		result=$?
		[ $result = 1 ] || break
	done
	wanted=$(total "$TMP/rows.live") got=$(total "$TMP/rows.recorded")
	if [ $result = 1 ] && [ $((got * 100)) -ge $((wanted * 99)) ] && [ "$got" -lt "$wanted" ] && perf_leaves_out; then
		skip "$name" "this kernel leaves out samples of perf events; $got of $wanted are here"
	elif [ $result != 2 ]; then
		[ -s "$TMP/rows.live" ] || fail "$name-rows" "the live tool has no row of the workload"
		same "$name" "$TMP/rows.live" "$TMP/rows.recorded"
	fi
}

# Each line: key, columns, sum, the events for perf, the tool, the workload. Records of ftrace do not tell 32-bit calls.
same_rows() {
	both PID PCOMM,PID,TID "" sched:sched_process_exit exitsnoop execs 20
	both PID PID,COMM,COUNT "" raw_syscalls:sys_exit,task:task_newtask 'syscount -P -T 1000' flood getppid 500
	[ -n "${rings:-}" ] || both PID PID,COMM,SYSCALL,CALLS,ERRORS "" 'raw_syscalls:*,sched:sched_process_exit' 'systrace -s' opens 20 "$TMP"
	both PID PID,COMM,SIG,TPID "" signal:signal_generate,task:task_newtask,sched:sched_process_exit sigsnoop execs 5
	both value section,value count 'sched:sched_switch,sched:sched_wakeup*,task:task_newtask' 'runqlat -P' pingpong 500
	both value section,value count 'sched:sched_switch,task:task_newtask' 'cpudist -P' pingpong 500
	# One table: where intervals begin is not the same for both.
	both PID TID,PID,COMM,VOL "" 'sched:*' 'schedlat 3600' pingpong 500
}
