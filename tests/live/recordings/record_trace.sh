# SPDX-License-Identifier: GPL-2.0
#
# sonde record --backend ftrace: a tool shows the same rows of its trace.dat as the tool that ran beside it; trace-cmd reads
# as many events; however the recorder ends, nothing is left in the kernel, and the file is told for what it is.
. "${0%/*}/../lib.sh"

if ! has instances; then
	skip record "$(feature instances 3-)"
	exit
fi
. "$LIVE/recorder.sh"
rings='--backend ftrace'
small=
cleanup_hook() { [ -z "$small" ] || umount "$small" 2>/dev/null; }

same_rows
older_tasks
both PID PID,COMM,FUNC "" - 'trace t:sched:sched_process_exit' execs 20
both PID PID,PPID,RET "" - 'execsnoop -q' execs 20
if has kprobes; then
	both PID PID,COMM,FD,ERR,PATH "" - opensnoop opens 20 "$TMP"
	both PID PID,COMM,FILE "" - filelife lives "$TMP"
	both PID PID,COMM,CAP "" - capable checks 10
	both PID PID,COMM,FUNC "" - 'trace r:vfs_write' moves 20 "$TMP"
	"$SONDE" info "$TMP/data" >"$TMP/info" 2>&1
	contains info-probes "$TMP/info" 'kretprobe of vfs_write'
else
	skip kprobes "$(feature kprobes 3-)"
fi

# A command: its exit status, and what the recorder says of it. The table of tasks has who was there before.
sleep 60 &
sleeper=$!
running="$running $sleeper"
"$SONDE" record $rings -o "$TMP/data" -e sched:sched_switch,signal:signal_generate sh -c '"$@"; kill -USR1 "$0"; sleep 1; exit 3' $sleeper \
	"$WORK" execs 20 >"$TMP/job" 2>"$TMP/err"
equal command-status 3 $?
"$SONDE" info --json "$TMP/data" >"$TMP/info"
equal command-said "$("$WORK" json seen <"$TMP/info")" "$(sed -n 's/^sonde: record: \([0-9]*\) events, .*/\1/p' "$TMP/err")"
equal mode 600 "$(stat -c %a "$TMP/data")"
"$SONDE" bt -e 't:sched:sched_process_exit /pid == '$sleeper'/ { printf("%s %d\n", comm, pid) }' --input "$TMP/data" \
	>"$TMP/out" 2>"$TMP/err"
contains tasks-before "$TMP/out" "^sleep $sleeper$"
contains info-time "$TMP/info" "\"day\": \"$(date +%Y-)"

# trace-cmd reads all of it, and says nothing against it.
if command -v trace-cmd >/dev/null; then
	trace-cmd report -i "$TMP/data" >"$TMP/out" 2>"$TMP/err"
	equal trace-cmd "$("$WORK" json seen <"$TMP/info")" "$(grep -c ' \[[0-9]*\] ' "$TMP/out")"
	equal trace-cmd-silent 0 "$(wc -l <"$TMP/err")"
	contains trace-cmd-names "$TMP/out" "signal_generate: .*comm=sleep pid=$sleeper"
	equal trace-cmd-exits 20 "$(awk -F '\t' 'NR == FNR { if ($1 == "exec") mine[$2] = 1; next }
		/sched_process_exec:/ { split($0, f, " pid="); split(f[2], g, " "); if (g[1] in mine && !seen[g[1]]++) n++ }
		END { print n + 0 }' "$TMP/job" "$TMP/out")"
else
	skip trace-cmd "trace-cmd is not installed"
fi

# A ring that is too small: each event is in the file, or it is told that it was lost.
"$SONDE" record $rings -m 2 -o "$TMP/data" -e syscalls:sys_enter_getppid "$WORK" flood getppid 100000 2 >"$TMP/job" 2>"$TMP/err"
if grep -q 'no tracepoint of this kernel' "$TMP/err"; then
	skip losses "$(head -n 1 "$TMP/err")"
else
	between losses 200000 "$(awk '$2 == "record:" && / events(,| lost )/ { n += $3 } END { print n }' "$TMP/err")" 200400
	equal losses-read "$(awk '/ events lost / { n = $3 } END { print n + 0 }' "$TMP/err")" \
		"$("$SONDE" info --json "$TMP/data" | "$WORK" json lost)"
fi

# A full disk: what was written before can be read.
small=$TMP/small
mkdir "$small"
if mount -t tmpfs -o size=4m none "$small" 2>"$TMP/err"; then
	"$SONDE" record $rings -o "$small/data" -e 'sched:sched_switch,sched:sched_wakeup' "$WORK" pingpong $((50000 / SLOW)) \
		>"$TMP/job" 2>"$TMP/err"
	equal full-status 1 $?
	contains full "$TMP/err" 'record: can.t write the recording: No space left on device'
	"$SONDE" info --json "$small/data" >"$TMP/info" 2>"$TMP/err" || notes "$TMP/err"
	between full-read 1000 "$("$WORK" json seen <"$TMP/info")" 1000000
	umount "$small" && small=
else
	skip full "$(head -n 1 "$TMP/err")"
	small=
fi

# Nothing is left in the kernel, nor beside the file.
swept() { [ ! -e "$instance" ]; }
# ends LABEL SIGNAL TOOL: a recorder ends so, which has made an instance.
ends() {
	begin $rings -v -o "$TMP/folder/data" "$3"
	instance=$(sed -n 's/^ftrace: instance \([^,]*\), .*/\1/p' "$TMP/record.err")
	expect "$1-instance" test -d "$instance"
	"$WORK" execs 5 >"$TMP/job"
	stop recorder "$2"
}
mkdir "$TMP/folder"
ends ended INT runqlat
wait_for 30 swept
expect ended-left swept
equal ended-files data "$(ls -A "$TMP/folder")"
ends killed KILL runqlat
equal killed-files data "$(ls -A "$TMP/folder")"
"$SONDE" runqlat --input "$TMP/folder/data" >"$TMP/out" 2>"$TMP/err"
equal killed-status 1 $?
contains killed "$TMP/err" 'it ends before its records, as when its recorder was killed'
"$SONDE" record $rings -o "$TMP/folder/data" -e sched:sched_process_exit "$WORK" execs 5 >"$TMP/job" 2>"$TMP/err"
wait_for 30 swept
expect killed-left swept

# wrong NAME STATUS PATTERN ARGS...
wrong() {
	of=$1 wanted=$2 pattern=$3
	shift 3
	timeout $((10 * SLOW)) "$SONDE" record $rings "$@" >"$TMP/out" 2>"$TMP/err"
	STATUS=$?
	equal "$of-status" "$wanted" $STATUS
	contains "$of" "$TMP/err" "$pattern"
	equal "$of-out" 0 "$(wc -c <"$TMP/out")"
	equal "$of-file" no "$([ -e "$TMP/none" ] && echo yes || echo no)"
}
wrong stream 2 'a trace.dat can.t be a stream, .* give a FILE' -o - runqlat
wrong last 2 '--last needs perf.s rings' --last 3s -o "$TMP/none" runqlat
wrong stacks 1 'reads no stacks and no samples from a trace.dat' -g -o "$TMP/none" -e sched:sched_switch
wrong samples 1 'ftrace takes no samples' -o "$TMP/none" profile
wrong device 1 '/dev/null is no file: a trace.dat can.t be written into a pipe' -o /dev/null runqlat
wrong folder 1 "can't make $TMP/no/file: No such file" -o "$TMP/no/file" -e sched:sched_switch
