# SPDX-License-Identifier: GPL-2.0
#
# --input tracefs: a tool has a row for each process of a job that ftrace's rings have, the same as from the file that
# trace-cmd makes of equal rings; rings that are full, empty, or read before; what is no ring. --print-bootconfig.
. "${0%/*}/../lib.sh"

TASKS='task/task_newtask task/task_rename sched/sched_process_exec sched/sched_process_exit'
A=$TRACEFS/instances/test-a-$$ B=$TRACEFS/instances/test-b-$$
cleanup_hook() { rmdir "$A" "$B" 2>/dev/null; }
if ! mkdir "$A" "$B" 2>"$TMP/why" || ! echo mono >"$A/trace_clock" || ! echo mono >"$B/trace_clock"; then
	skip rings "$(head -n 1 "$TMP/why")"
	exit
fi
turn() {
	for ring in "$A" "$B"; do
		for event in $TASKS; do
			echo "$1" >"$ring/events/$event/enable" || return 1
		done
	done
}
if ! turn 1 2>"$TMP/why"; then
	skip rings "$(head -n 1 "$TMP/why")"
	exit
fi

# Each process tells its id. Events are off when the rings are read: what they had is in them all the same.
i=0
while [ $i -lt 20 ]; do
	sh -c 'echo $$; exec true' >>"$TMP/job"
	i=$((i + 1))
done
turn 0
# of_job FILE: name and id of the job's processes.
of_job() {
	awk -F, 'NR == FNR { mine[$1]; next } FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["PID"] in mine { print $at["PCOMM"], $at["PID"] }' "$TMP/job" "$1" | sort
}
sort "$TMP/job" | awk '{ print "true", $1 }' | sort >"$TMP/wanted"

"$SONDE" exitsnoop --csv --input "$A" >"$TMP/first" 2>"$TMP/first.err"
equal status 0 $?
of_job "$TMP/first" >"$TMP/got"
same rows "$TMP/wanted" "$TMP/got"

# Since 6.10 the events stay. Before, the first reader is told, and the second one.
"$SONDE" exitsnoop --csv --input "tracefs:${A##*/}" >"$TMP/second" 2>"$TMP/second.err"
if grep -q 'were taken out of the rings' "$TMP/first.err"; then
	contains emptied "$TMP/second.err" 'have no events: they were taken out before'
else
	of_job "$TMP/second" >"$TMP/got"
	same rows-again "$TMP/wanted" "$TMP/got"
	equal nothing-read 0 "$(cat "$A"/per_cpu/cpu*/stats | awk '/^read events/ { n += $3 } END { print n }')"
fi
if command -v trace-cmd >/dev/null &&
	trace-cmd extract --compression none -B "${B##*/}" -o "$TMP/data" >/dev/null 2>"$TMP/why"; then
	"$SONDE" exitsnoop --csv --input "$TMP/data" 2>/dev/null >"$TMP/third"
	of_job "$TMP/third" >"$TMP/of-file"
	of_job "$TMP/first" >"$TMP/got"
	same as-trace-cmd "$TMP/of-file" "$TMP/got"
else
	skip as-trace-cmd "trace-cmd extract does not work here"
fi

# A small ring that keeps its oldest events is full, and says so.
cleanup_hook
mkdir "$A" && echo mono >"$A/trace_clock" && echo 0 >"$A/options/overwrite" && echo 8 >"$A/buffer_size_kb"
echo 1 >"$A/events/sched/sched_switch/enable"
"$WORK" spin 1 300 >/dev/null
sleep 1
full() { cat "$A"/per_cpu/cpu*/stats | grep -q '^dropped events: [1-9]'; }
wait_for 10 full
echo 0 >"$A/events/sched/sched_switch/enable"
"$SONDE" info --json "tracefs:${A##*/}" >"$TMP/info" 2>"$TMP/err"
contains full "$TMP/info" 'a ring of .* was full at '

# What is no ring, or has nothing.
rmdir "$A" && mkdir "$A"
refuses() {
	name=$1 text=$2
	shift 2
	"$SONDE" "$@" >"$TMP/out" 2>"$TMP/err"
	equal "$name-status" 1 $?
	contains "$name" "$TMP/err" "$text"
}
refuses empty 'have no events' exitsnoop --input "$A"
refuses unknown 'instances has no sonde-no-such' exitsnoop --input tracefs:sonde-no-such
refuses snapshot 'snapshot does not go with tracefs' exitsnoop --input tracefs --snapshot "$TMP"

# The events that it prints are those that the tools need, and all of them are this kernel's.
"$SONDE" record --print-bootconfig exitsnoop >"$TMP/boot" 2>"$TMP/err"
equal boot-status 0 $?
sed -n 's/.*trace_event=//p' "$TMP/boot" | tr , '\n' >"$TMP/events"
expect boot-events [ "$(grep -c . "$TMP/events")" -ge 4 ]
for event in $(cat "$TMP/events"); do
	expect "boot-$event" [ -d "$TRACEFS/events/$(echo "$event" | tr : /)" ]
done | sed 's/\(boot-[a-z_]*\):/\1-/'
"$SONDE" record --print-bootconfig profile >"$TMP/out" 2>"$TMP/err"
equal boot-samples 1 $?
equal boot-samples-out 0 "$(wc -c <"$TMP/out")"
contains boot-samples-why "$TMP/err" 'samples are perf'
