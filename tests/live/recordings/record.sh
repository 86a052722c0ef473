# SPDX-License-Identifier: GPL-2.0
#
# sonde record: a tool shows the same rows of its file as the tool that ran beside it; however the recorder ends, the file
# can be read.
. "${0%/*}/../lib.sh"

if ! has perf; then
	skip record "$(feature perf 3-)"
	exit
fi
. "$LIVE/recorder.sh"
same_rows
older_tasks
# Names of disks.
if disk biosnoop; then
	both PID PID,COMM,DISK,T,SECTOR,BYTES "" - "biosnoop -d ${DISK#/dev/}" block write "$DISK" 60
	both PID PID,COMM,D,DISK,I/O,Kbytes "" - 'biotop 1000' block write "$DISK" 60
fi

# A command: its exit status, what it did, and what the recorder says of it.
"$SONDE" record -o "$TMP/data" -e sched:sched_process_exit,sched:sched_process_exec sh -c '"$@"; exit 3' sh "$WORK" execs 20 \
	>"$TMP/job" 2>"$TMP/err"
equal command-status 3 $?
"$SONDE" info --json "$TMP/data" >"$TMP/info"
equal command-said "$("$WORK" json seen <"$TMP/info")" "$(sed -n 's/^sonde: record: \([0-9]*\) events, .*/\1/p' "$TMP/err")"
awk '$1 == "exec" && $8 == 0 { print $2 }' "$TMP/job" | sort >"$TMP/wanted"
"$SONDE" execsnoop --csv --input "$TMP/data" 2>"$TMP/err" | awk -F, 'NR == FNR { split($0, f, "\t"); mine[f[2]] = 1; next }
	$2 in mine { print $2 }' "$TMP/job" - | sort >"$TMP/got"
same command "$TMP/wanted" "$TMP/got"
equal mode 600 "$(stat -c %a "$TMP/data")"

# The same by the tool's own option, and the end that it would have live.
"$SONDE" record -o "$TMP/data" execsnoop --exec sh -c '"$@"; exit 3' sh "$WORK" execs 20 >"$TMP/job" 2>"$TMP/err"
equal exec-status 3 $?
awk '$1 == "exec" && $8 == 0 { print $2 }' "$TMP/job" | sort >"$TMP/wanted"
"$SONDE" execsnoop --csv --input "$TMP/data" 2>"$TMP/err" | awk -F, 'NR == FNR { split($0, f, "\t"); mine[f[2]] = 1; next }
	$2 in mine { print $2 }' "$TMP/job" - | sort >"$TMP/got"
same exec "$TMP/wanted" "$TMP/got"
timeout $((30 * SLOW)) "$SONDE" record -o "$TMP/data" runqlat 1 2, exitsnoop --duration 1 2>"$TMP/err"
equal intervals-status 0 $?
equal two-commands "sonde: record: a recording has one command: true, or false" \
	"$("$SONDE" record -o "$TMP/none" execsnoop --exec false -- true 2>&1)"

# A stream, from one sonde to the other.
"$SONDE" record -o - -e sched:sched_process_exit "$WORK" execs 20 2>"$TMP/err" | "$SONDE" exitsnoop --csv --input - >"$TMP/out" 2>"$TMP/err2"
awk -F '\t' '$1 == "exec" && $8 == 0 { print $2 }' "$TMP/err" | sort >"$TMP/wanted"
awk -F, 'NR == FNR { mine[$1] = 1; next } $2 in mine { print $2 }' "$TMP/wanted" "$TMP/out" | sort >"$TMP/got"
same stream "$TMP/wanted" "$TMP/got"
# Of what it prints and its reader does not read nothing hangs.
"$SONDE" record -o - -e 'sched:*' 2>"$TMP/err" | head -c 100 >"$TMP/out"
contains closed "$TMP/err" "^sonde: record: can't write standard output: Broken pipe"

# Stacks, with the names that the kernel's functions have here.
begin -o "$TMP/data" offcputime -K
"$WORK" pingpong 200 >"$TMP/job"
stop recorder
"$SONDE" offcputime -K --folded --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
if [ -n "$("$SONDE" offcputime -K --dump --backend perf 2>/dev/null)" ] && grep -q ' T _text$' /proc/kallsyms; then
	contains stacks "$TMP/out" '^work;.*;schedule.* [0-9]*$'
else
	skip stacks "$(head -n 1 "$TMP/record.err")"
fi

# Samples, with the rate of the recording.
"$SONDE" record -o "$TMP/data" -d 2 profile -F 97 2>"$TMP/err" &
recorder=$!
sleep 1
"$WORK" spin 1 500 >"$TMP/job"
wait $recorder || notes "$TMP/err"
"$SONDE" info "$TMP/data" >"$TMP/info"
contains samples-info "$TMP/info" ' profile( |$)'
"$SONDE" profile -p "$(cut -f 2 "$TMP/job")" --folded --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
us=$(cut -f 5 "$TMP/job")
between samples $((us * 97 / 1000000 / 2)) "$(awk '{ n += $NF } END { print n + 0 }' "$TMP/out")" $((us * 97 / 1000000 * 5 / 4 + 10))

# perf reads all of it.
PERF=${PERF:-perf}
if command -v "$PERF" >/dev/null; then
	"$SONDE" record -F 199 -e sched:sched_switch,sched:sched_process_exit -o "$TMP/data" "$WORK" execs 20 >"$TMP/job" 2>"$TMP/err"
	equal perf "$("$SONDE" info --json "$TMP/data" | "$WORK" json seen)" "$("$PERF" script -i "$TMP/data" -F event 2>"$TMP/err" | wc -l)"
else
	skip perf "perf is not installed"
fi

# A ring that is too small: each event is in the file, or it is told that it was lost.
"$SONDE" record -m 1 -o "$TMP/data" -e syscalls:sys_enter_getppid "$WORK" flood getppid 100000 2 >"$TMP/job" 2>"$TMP/err"
if grep -q 'no tracepoint of this kernel' "$TMP/err"; then
	skip losses "$(head -n 1 "$TMP/err")"
else
	between losses 200000 "$(awk '$2 == "record:" && / events(,| lost )/ { n += $3 } END { print n }' "$TMP/err")" 200200
	equal losses-read "$(awk '/ events lost / { print $3 }' "$TMP/err")" "$("$SONDE" info --json "$TMP/data" | "$WORK" json lost)"
fi

# A recorder that is killed.
begin -o "$TMP/data" -e 'sched:*'
"$WORK" pingpong 500 >"$TMP/job"
# rows: how often the workload was on a CPU, as the file has it by now.
rows() {
	"$SONDE" cpudist -P --csv --input "$TMP/data" 2>"$TMP/err" |
		awk -F, -v pid="$(cut -f 2 "$TMP/job")" '$5 == pid { n += $8 } END { print n + 0 }'
}
written() { [ "$(rows)" -ge 500 ]; }
wait_for 20 written || notes "$TMP/err"
stop recorder KILL
between killed-rows 500 "$(rows)" 100000
contains killed "$TMP/err" "^sonde: cpudist: the end of $TMP/data is missing$"

# wrong NAME STATUS PATTERN ARGS...
wrong() {
	of=$1 wanted=$2 pattern=$3
	shift 3
	timeout $((10 * SLOW)) "$SONDE" record "$@" >"$TMP/out" 2>"$TMP/err"
	STATUS=$?
	equal "$of-status" "$wanted" $STATUS
	contains "$of" "$TMP/err" "$pattern"
	equal "$of-file" no "$([ -e "$TMP/none" ] && echo yes || echo no)"
}
wrong nothing 2 'it needs a TOOL, or events'
wrong option 2 'there is no option --nosuch' --nosuch
wrong value 2 'the value of -o is missing' -o
wrong tool 1 'there is no tool nosuch' -o "$TMP/none" nosuch
wrong other-tool 1 'there is no tool solisten: use bindsnoop --listen' -o "$TMP/none" solisten
wrong engine 1 'runqlat: --backend bpf: a recording is from rings of perf' -o "$TMP/none" runqlat --backend bpf
wrong recorded 1 'runqlat: --input is for a run that is not recorded' -o "$TMP/none" runqlat --input "$TMP/none"
wrong no-feature 1 'runqlat: --without: no feature is called .nosuch' -o "$TMP/none" runqlat --without nosuch
wrong probes 1 'filetop: sonde records from perf.s rings, and they do not serve it: ' -o "$TMP/none" filetop --without kprobes
wrong pattern 1 'no tracepoint of this kernel matches nosuch:' -o "$TMP/none" -e 'nosuch:*'
wrong folder 1 "can't make $TMP/no/file: No such file" -o "$TMP/no/file" -e sched:sched_switch
