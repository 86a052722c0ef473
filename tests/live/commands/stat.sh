# SPDX-License-Identifier: GPL-2.0
#
# stat: counts of workloads of known size, by command, process, CPU and interval; shares, formats, mistakes.
. "${0%/*}/../lib.sh"

# count FILE EVENT...: the sum of an event's counts in JSON rows.
count() { sed -n "s/.*\"event\":\"$2\",\"count\":\([0-9]*\).*/\1/p" "$1" | awk '{ n += $1 } END { print n + 0 }'; }
# stat ARGS...: its rows in $TMP/rows, the command's output in $TMP/out, its status in $STATUS.
stat_json() {
	timeout $((60 * SLOW)) "$SONDE" stat --json -o "$TMP/rows" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	STATUS=$?
}

# ---- a command: what it does more with more to do is known ----

faults() { stat_json -e page-faults,minor-faults,major-faults "$WORK" faults "$1" && count "$TMP/rows" page-faults; }
few=$(faults 1000)
many=$(faults 3000)
between page-faults 1998 $((many - few)) 2002
equal faults-of-both-kinds "$many" $(($(count "$TMP/rows" minor-faults) + $(count "$TMP/rows" major-faults)))
if "$WORK" json event count unit status enabled_ns running_ns running_pct share share_unit <"$TMP/rows" >/dev/null; then
	pass json
else
	fail json "$(cat "$TMP/rows")"
fi

stat_json -e context-switches "$WORK" sleeps 200
# sleeps PID N SWITCHES BEFORE: those that the kernel counted for it, from its fork, which is before its exec, to before
# its end; and before the first sleep. On a slow machine a sleep may be over before it began, without a switch.
switches=$(awk '{ print $4 }' "$TMP/out") before=$(awk '{ print $5 }' "$TMP/out")
between context-switches $((switches - before)) "$(count "$TMP/rows" context-switches)" $((switches + 20))

if has_event syscalls sys_enter_getppid; then
	stat_json -e syscalls:sys_enter_getppid,syscalls:sys_exit_getppid "$WORK" flood getppid 5000 4
	equal tracepoint 20000 "$(count "$TMP/rows" syscalls:sys_enter_getppid)"
	equal tracepoint-returns 20000 "$(count "$TMP/rows" syscalls:sys_exit_getppid)"
	stat_json -i -e syscalls:sys_enter_getppid "$WORK" flood getppid 5000 4
	equal no-inherit 0 "$(count "$TMP/rows" syscalls:sys_enter_getppid)"
	stat_json -e 'syscalls:sys_e*_getppid' "$WORK" flood getppid 1000
	equal pattern 2000 "$(($(count "$TMP/rows" syscalls:sys_enter_getppid) +
		$(count "$TMP/rows" syscalls:sys_exit_getppid)))"
	stat_json -e '{syscalls:sys_enter_getppid,page-faults}' "$WORK" flood getppid 1000
	equal group 1000 "$(count "$TMP/rows" syscalls:sys_enter_getppid)"

	# A process that starts its threads later, and all of the machine.
	for which in process thread all; do
		load w "$WORK" flood getppid 5000 4
		case $which in
		process) whose="-p $(pid w)" ;;
		thread) whose="-t $(pid w)" ;;
		all) whose=-a ;;
		esac
		if start s stat --json -I 50 -e syscalls:sys_enter_getppid $whose; then
			go w
			sleep 0.2
			stop s && equal $which-status 0 "$STATUS"
			got=$(count "$TMP/s.out" syscalls:sys_enter_getppid)
			if [ $which = all ]; then
				between $which 20000 "$got" 40000
			else
				equal $which 20000 "$got"
			fi
		else
			go w
			fail $which "ended with status $STATUS: $(tail -n 1 "$TMP/s.err")"
		fi
	done

	# The same by CPU: each has a row.
	load w "$WORK" flood getppid 5000 4
	start s stat --json -a -A -e syscalls:sys_enter_getppid
	go w
	stop s
	between per-cpu 20000 "$(count "$TMP/s.out" syscalls:sys_enter_getppid)" 40000
	equal cpus "$(grep -c '^processor' /proc/cpuinfo)" "$(grep -c '"cpu":[0-9]' "$TMP/s.out")"
else
	skip tracepoint "this kernel has no tracepoints of system calls"
fi

# ---- the example of the manual ----

if has_event syscalls sys_enter_read; then
	"$SONDE" stat -I 100 --count 2 -e page-faults,context-switches,syscalls:sys_enter_read >"$TMP/out" 2>"$TMP/err"
	equal intervals-status 0 $?
	contains intervals-heading "$TMP/out" '^#           time             counts unit events$'
	for event in page-faults context-switches syscalls:sys_enter_read; do
		equal intervals-$event 2 "$(grep -cE "^ +[0-9]+\.[0-9]{9} +[0-9,]+ +$event( |$)" "$TMP/out")"
	done
fi

# What people ask, word for word: counts of the machine are at least those of the workload, each second in a row of its own.
if has_event syscalls sys_enter_read && start s stat -I 1000 -e page-faults,context-switches,syscalls:sys_enter_read; then
	"$WORK" faults 1000 >"$TMP/said"
	"$WORK" sleeps 100 >"$TMP/said"
	dd if=/dev/zero of=/dev/null bs=1 count=500 2>/dev/null
	sleep 1.1
	stop s
	for event in page-faults:1000 context-switches:100 syscalls:sys_enter_read:500; do
		between second-${event%:*} ${event##*:} "$(tr -d , <"$TMP/s.out" |
			awk -v event="${event%:*}" '$3 == event { n += $2 } END { print n + 0 }')" 100000000
	done
	expect seconds [ "$(grep -c ' page-faults' "$TMP/s.out")" -ge 2 ]
fi

# ---- text ----

"$SONDE" stat -e task-clock,page-faults,cycles -- "$WORK" spin 1 100 >"$TMP/out" 2>"$TMP/text"
contains text-title "$TMP/text" "^ Performance counter stats for '$WORK spin 1 100':$"
contains text-clock "$TMP/text" '^ +[0-9,]+\.[0-9]{2} msec task-clock +# +[0-9]\.[0-9]{3} CPUs utilized$'
contains text-rate "$TMP/text" '^ +[0-9,]+ +page-faults +# +[0-9]+\.[0-9]{3} [KMG]?/sec$'
contains text-elapsed "$TMP/text" '^ +[0-9]+\.[0-9]{9} seconds time elapsed$'
contains text-user "$TMP/text" '^ +[0-9]+\.[0-9]{9} seconds user$'
equal text-columns 1 "$(grep '#' "$TMP/text" | sed 's/#.*//' | awk '{ print length }' | sort -u | wc -l)"
equal text-trailing 0 "$(grep -c ' $' "$TMP/text")"
# spin PID THREADS MS CPU-US WALL-US: the time that the kernel counted is that of the clock.
us=$(awk '{ print $5 }' "$TMP/out")
"$SONDE" stat -x, -e task-clock "$WORK" spin 1 100 >"$TMP/out" 2>"$TMP/separated"
equal separated-fields 7 "$(awk -F, '{ print NF }' "$TMP/separated")"
between clock $(($(awk '{ print $5 }' "$TMP/out") * 9 / 10)) \
	"$(sed 's/\..*//' "$TMP/separated" | awk '{ print $1 * 1000 }')" $((us * 20))

# What is not counted here is never 0.
if ls /sys/bus/event_source/devices/*/cpus /sys/bus/event_source/devices/cpu 2>/dev/null | grep -q .; then
	contains hardware "$TMP/text" '^ +([0-9,]+|<not counted>|<not supported>) +cycles'
	"$SONDE" stat -e cycles,instructions "$WORK" spin 1 50 >/dev/null 2>"$TMP/ipc"
	grep -q 'not supported' "$TMP/ipc" && skip ipc "$(tail -n 1 "$TMP/ipc")" ||
		contains ipc "$TMP/ipc" '^ +[0-9,]+ +instructions +# +[0-9]+\.[0-9]{3} insn per cycle'
else
	contains hardware "$TMP/text" '^   <not supported>      cycles$'
	contains hardware-why "$TMP/text" '^sonde: stat: not supported: cycles: this machine has no counters'
	skip ipc "this machine has no counters of hardware events"
fi
"$SONDE" stat --csv -e page-faults,cycles:u true >"$TMP/out" 2>"$TMP/csv"
contains csv-head "$TMP/csv" '^EVENT,COUNT,UNIT,STATUS,ENABLED\(ns\),RUNNING\(ns\),RUNNING\(%\),SHARE,SHARE_UNIT$'
contains csv-row "$TMP/csv" '^page-faults,[0-9]+,,counted,[0-9]+,[0-9]+,100.00,,$'

"$SONDE" stat -r 3 -e page-faults "$WORK" faults 100 >"$TMP/out" 2>"$TMP/repeat"
equal repeat-runs 3 "$(grep -c '^faults' "$TMP/out")"
contains repeat "$TMP/repeat" '^ +[0-9]+ +page-faults +\( \+- +[0-9.]+% \)$'
contains repeat-elapsed "$TMP/repeat" 'seconds time elapsed  \( \+- +[0-9.]+% \)$'

# Files that sonde may have open are its own: each run of the command has the same limit.
(ulimit -S -n 70 && "$SONDE" stat -a -r 2 -e page-faults,faults,cs,minor-faults,major-faults,dummy,migrations \
	sh -c 'ulimit -S -n') >"$TMP/out" 2>"$TMP/repeat"
equal repeat-files "70 70" "$(echo $(cat "$TMP/out"))"

# Without rights the kernel's mode is not counted: that is said of several runs as well.
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ]; then
	cp "$SONDE" "$TMP/sonde-nobody" && chmod 755 "$TMP/sonde-nobody" && chmod a+rx "$TMP"
	for n in 1 2; do
		"$WORK" as 65534 "$TMP/sonde-nobody" stat -r $n -e page-faults true >"$TMP/out" 2>"$TMP/nobody"
		contains user-only-$n "$TMP/nobody" '^ +[0-9]+ +page-faults:u( |$)'
		contains user-only-said-$n "$TMP/nobody" '^sonde: stat: :u: events in the kernel are not counted'
	done
else
	skip user-only "perf_event_paranoid is not 2: all of it may be counted, or nothing"
fi

# ---- the command's end, and ours ----

# One that is ended when its time is over has used what it has used.
"$SONDE" stat --timeout 300 -e task-clock "$WORK" spin 1 60000 >"$TMP/out" 2>"$TMP/timeout"
equal timeout-status 143 $?
contains timeout-user "$TMP/timeout" '^ +0\.[0-9]*[1-9][0-9]* seconds user$'
contains timeout-elapsed "$TMP/timeout" '^ +0\.[3-9][0-9]+ seconds time elapsed$'

stat_json "$WORK" leave 7
equal status 7 $STATUS
stat_json sh -c 'kill -KILL $$'
equal status-killed 137 $STATUS
stat_json /no/such/program
equal status-absent 127 $STATUS
contains absent "$TMP/err" "^sonde: can't run /no/such/program: "
"$SONDE" stat -a -I 50 -e page-faults 2>"$TMP/err" | head -n 2 >"$TMP/out"
equal pipe-closed 2 "$(wc -l <"$TMP/out")"
equal pipe-quiet "" "$(cat "$TMP/err")"
load w "$WORK" flood getppid 10
start s stat -p "$(pid w)" -e page-faults
go w
await s 5
equal process-ended 0 "$STATUS"
# One whose parent never asks for its status.
sh -c 'sleep "$2" & echo $! >"$1"; exec sleep 60' sh "$TMP/child" "$SLOW" >"$TMP/out" &
parent=$!
running="$running $!"
wait_for 5 [ -s "$TMP/child" ]
timeout 20 "$SONDE" stat -e page-faults -p "$(cat "$TMP/child")" >"$TMP/out" 2>"$TMP/err"
equal zombie-status 0 $?
contains zombie "$TMP/out" '^ +[0-9]+ +page-faults( |$)'
timeout 20 "$SONDE" stat -e page-faults -p "$(cat "$TMP/child")" >"$TMP/out" 2>"$TMP/err"
equal was-zombie-status 1 $?
contains was-zombie "$TMP/err" 'all tasks that were to be counted have ended'
kill $parent
"$WORK" signals "$SONDE" stat -o "$TMP/text" -e page-faults sleep 100 2>"$TMP/err" &
running="$running $!"
wait_for 10 child $! sleep >/dev/null || sleep 1
kill -INT $!
wait $!
equal interrupted 130 $?
contains interrupted-shown "$TMP/text" '^ +[0-9]+ +page-faults$'

timeout 20 "$SONDE" stat -I 50 -e page-faults -o /dev/full sleep 3 2>"$TMP/err"
equal full-status 1 $?
contains full "$TMP/err" "^sonde: stat: can't write the counts: No space left on device$"

# ---- mistakes ----

while IFS='|' read -r name status words message; do
	eval "set -- $words"
	timeout 20 "$SONDE" stat "$@" >"$TMP/out" 2>"$TMP/err"
	equal "$name-status" "$status" $?
	contains "$name" "$TMP/err" "$message"
done <<'END'
unknown|2|-e page-fault true|there is no event "page-fault"; did you mean page-faults\?
no-tracepoint|2|-e nosuch:event true|nosuch:event
no-pmu|2|-e nosuch/x/ true|this machine has no PMU "nosuch"
no-modifier|2|-e page-faults:z true|there is no modifier "z"
unclosed|2|-e '{page-faults,cs' true|a } is missing
no-number|2|-p 1,,2|--pid takes numbers with commas between them, not "1,,2"
no-process|1|-p 4194303|process 4194303 does not exist
no-cpu|1|-C 60000 true|this machine has the CPUs 0 to
exclusive|2|-p 1 -a|--pid and --all-cpus exclude each other
no-value|2|-I|its value is missing, MS
no-option|2|--nosuch|there is no option --nosuch
END
