# SPDX-License-Identifier: GPL-2.0
#
# --input FILE of what trace-cmd wrote: a tool shows the same rows of it as the tool that ran beside trace-cmd, and as many events
# as `trace-cmd report` does. Both versions of the file are read, and what is not read is told.
. "${0%/*}/../lib.sh"
. "$LIVE/peer.sh"

TRACE_CMD=${TRACE_CMD:-trace-cmd}
if ! command -v "$TRACE_CMD" >/dev/null; then
	skip trace-cmd "$TRACE_CMD is not installed"
	exit
fi

TASKS='task:task_newtask task:task_rename sched:sched_process_exec sched:sched_process_exit'
instance=
cleanup_hook() { [ -z "$instance" ] || rmdir "$instance" 2>/dev/null; }

# Where trace-cmd may not switch ftrace on or off, as in some guests, it still reads what an instance has recorded.
trace_cmd_record() {
	to=$1 events=$2
	shift 2
	# shellcheck disable=SC2046
	"$TRACE_CMD" record -q --compression none -C mono $(printf ' -e %s' $events) -o "$to" "$@"
}
extract() {
	to=$1 events=$2
	shift 2
	instance=$TRACEFS/instances/test-of-sonde-$$
	rmdir "$instance" 2>/dev/null
	mkdir "$instance" && echo mono >"$instance/trace_clock" || return 1
	for event in $events; do
		echo 1 >"$instance/events/$(echo "$event" | tr : /)/enable" || return 1
	done
	"$@"
	echo 0 >"$instance/tracing_on"
	"$TRACE_CMD" extract --compression none -B "${instance##*/}" -o "$to" >/dev/null || return 1
	rmdir "$instance" 2>/dev/null
	instance=
}
how=trace_cmd_record
peer /dev/null "$TMP/trace" $how "$TMP/data" "$TASKS" true >"$TMP/why" || how=extract
if ! peer /dev/null "$TMP/trace" $how "$TMP/data" "$TASKS" true >"$TMP/why"; then
	skip trace-cmd "$(head -n 1 "$TMP/trace")"
	exit
fi

# record FILE EVENTS JOB...: the workload runs in a process that begins when all is on; its lines go to $TMP/job.
record() {
	to=$1 events="$2 $TASKS"
	shift 2
	peer /dev/null "$TMP/trace" $how "$to" "$events" sh -c '"$@" >'"'$TMP/job'"' & wait' sh "$WORK" "$@"
}
# of_job FILE: rows whose KEY is a process of the workload, only the COLUMNS, each with its number.
of_job() {
	awk -F, -v key="$KEY" -v columns="$COLUMNS" '
		NR == FNR { n = split($0, f, "\t"); for (i = 2; i <= n; i++) mine[f[i]] = 1; next }
		FNR == 1 { n = split(columns, wanted, ","); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at[key] in mine {
			row = ""
			for (i = 1; i <= n; i++) row = row " " $at[wanted[i]]
			print row
		}' "$TMP/job" "$1" | sort | uniq -c
}

# both KEY COLUMNS EVENTS "TOOL OPTION..." JOB...: rows of the workload, live and recorded.
both() {
	KEY=$1 COLUMNS=$2 events=$3 tool=$4
	name=${tool%% *}
	shift 4
	# shellcheck disable=SC2086
	start_or_skip "$name" "$(absences)" live $tool --csv || return
	record "$TMP/data" "$events" "$@"
	stop live
	# shellcheck disable=SC2086
	"$SONDE" $tool --csv -v --input "$TMP/data" >"$TMP/recorded" 2>"$TMP/recorded.err" || notes "$TMP/recorded.err"
	of_job "$TMP/live.out" >"$TMP/rows.live"
	of_job "$TMP/recorded" >"$TMP/rows.recorded"
	expect "$name-rows" test -s "$TMP/rows.live"
	same "$name" "$TMP/rows.live" "$TMP/rows.recorded" || notes "$TMP/recorded.err"
}

both PID PCOMM,PID,TID "" exitsnoop execs 20
both PID PID,COMM,COUNT raw_syscalls:sys_exit 'syscount -P -T 1000' flood getppid 500
both PID PID,COMM,SIG,TPID signal:signal_generate sigsnoop execs 5
# A thread that got another name has two entries, and which of them names the row is chance.
both PID TID,PID,VOL 'sched:sched_switch sched:sched_wakeup sched:sched_wakeup_new sched:sched_migrate_task' schedlat pingpong 500

# The same events as in trace-cmd's own report, and in a file of the older version.
record "$TMP/data" "" execs 20
"$SONDE" execsnoop --csv --input "$TMP/data" >"$TMP/out" 2>"$TMP/err" || notes "$TMP/err"
"$TRACE_CMD" report -i "$TMP/data" 2>/dev/null |
	sed -n 's/.* sched_process_exec: *filename=\([^ ]*\) pid=\([0-9]*\) .*/\2 \1/p' | sort >"$TMP/wanted"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { sub(/ .*/, "", $at["ARGS"]); print $at["PID"], $at["ARGS"] }' \
	"$TMP/out" | sort >"$TMP/got"
# trace-cmd 3.4 writes the kernel's BTF into the file, and can't read its own file if that is not compressed.
if [ $how = extract ] && [ "$("$TRACE_CMD" report -i "$TMP/data" 2>/dev/null | grep -c .)" -lt 2 ]; then
	skip report "trace-cmd reports nothing of its own recording"
else
	expect execs-in-report test "$(wc -l <"$TMP/wanted")" -ge 20
	same report "$TMP/wanted" "$TMP/got"
fi
if "$TRACE_CMD" convert -i "$TMP/data" -o "$TMP/data6" --file-version 6 >"$TMP/trace" 2>&1; then
	"$SONDE" execsnoop --csv --input "$TMP/data6" >"$TMP/out6" 2>"$TMP/err"
	same version-6 "$TMP/out" "$TMP/out6"
else
	skip version-6 "$(head -n 1 "$TMP/trace")"
fi

# What is not read, and what was not recorded.
if "$TRACE_CMD" convert -i "$TMP/data" -o "$TMP/dataz" --compression any >"$TMP/trace" 2>&1; then
	"$SONDE" execsnoop --input "$TMP/dataz" >"$TMP/out" 2>"$TMP/err"
	contains compressed "$TMP/err" 'is compressed in a way that'
	"$TRACE_CMD" convert -i "$TMP/dataz" -o "$TMP/datan" --compression none >"$TMP/trace" 2>&1 || notes "$TMP/trace"
	"$SONDE" execsnoop --csv --input "$TMP/datan" >"$TMP/outn" 2>"$TMP/err"
	same unpacked "$TMP/out6" "$TMP/outn"
else
	skip compressed "$(head -n 1 "$TMP/trace")"
fi
peer /dev/null "$TMP/trace" $how "$TMP/one" sched:sched_process_exit "$WORK" noop
"$SONDE" exitsnoop --input "$TMP/one" >"$TMP/out" 2>"$TMP/err"
contains unknown-tasks "$TMP/err" 'does not tell processes and names of tasks: .trace-cmd record -e task '
"$SONDE" hardirqs --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
contains not-recorded "$TMP/err" 'no irq:irq_handler_entry: .trace-cmd record -e irq:irq_handler_entry. records it'
