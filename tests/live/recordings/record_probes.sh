# SPDX-License-Identifier: GPL-2.0
#
# sonde record of tools that need probes: the same rows live and of the recording made beside it, and nothing is left in the
# kernel, however the recorder ends.
. "${0%/*}/../lib.sh"

if ! has perf || ! has kprobes; then
	skip record "$(feature perf 3-) $(feature kprobes 3-)"
	exit
fi
. "$LIVE/recorder.sh"

# sums FILE: rows without their times, only the COLUMNS, with the sums of SUM.
sums() {
	awk -F, -v columns="$COLUMNS" -v sum="$SUM" '
		FNR == 1 { n = split(columns, wanted, ","); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ row = ""; for (i = 1; i <= n; i++) row = row " " $at[wanted[i]]; sums[row] += $at[sum] }
		END { for (row in sums) if (sums[row]) print row, sums[row] }' "$1" | sort
}
# alike NAME COLUMNS SUM "TOOL OPTION..." JOB...: rows without a process.
alike() {
	name=$1 COLUMNS=$2 SUM=$3 tool=$4
	shift 4
	for _ in 1 2 3; do
		# shellcheck disable=SC2086
		start_or_skip "$name" "$(absences)" live $tool --csv || return
		record "$TMP/data" - "$@"
		stop live
		# shellcheck disable=SC2086
		"$SONDE" $tool --csv --input "$TMP/data" >"$TMP/recorded" 2>"$TMP/recorded.err" || notes "$TMP/recorded.err"
		sums "$TMP/live.out" >"$TMP/rows.live"
		sums "$TMP/recorded" >"$TMP/rows.recorded"
		[ -s "$TMP/rows.live" ] && cmp -s "$TMP/rows.live" "$TMP/rows.recorded" && break
	done
	[ -s "$TMP/rows.live" ] || fail "$name-rows" "the live tool has no row of the workload"
	same "$name" "$TMP/rows.live" "$TMP/rows.recorded"
}

# The workload of filelife removes these, in a folder where no other workload has left its files.
before() { mkdir -p "$TMP/own" && : >"$TMP/own/old" && : >"$TMP/own/older"; }
# Each line: key, columns, sum, nothing, the tool, the workload.
both PID PID,COMM,FD,ERR,PATH "" - opensnoop opens 20 "$TMP"
both PID PID,COMM,FD,ERR,PATH "" - statsnoop stats 20 "$TMP"
both PID TASK,PID,TYPE,BYTES "" - 'fileslower 0' fileops 20 "$TMP"
# BPF programs follow a file to its folders; records have its name.
live='--backend perf'
both TID TID,COMM,T,FILE W_BYTES - 'filetop -a 1000' moves 20 "$TMP"
live=''
both PID PID,COMM,FILE "" - filelife lives "$TMP/own"
both PID PID,COMM,CAP "" - 'capable -v' checks 10
both PID PID,COMM,LADDR,LPORT,RADDR,RPORT,TX_KB,RX_KB "" - tcplife sessions 10 7101 4 5000 9000 client
both PID PID,COMM,IP,DADDR,DPORT "" - tcpconnect connects 10 7102 4
both PID PID,COMM,IP,RADDR,LPORT "" - tcpaccept sessions 10 7103 4 5000 9000 client
both PID PID,COMM,PROTO,ADDR,OPTS,ERROR "" - bindsnoop binds 7104 4
both PID PID,COMM,FUNC "" - 'trace vfs_write' moves 20 "$TMP"
both PID PID,COMM,FUNC "" - 'trace r:vfs_write' moves 20 "$TMP"
# Functions that nobody else calls meanwhile.
alike funccount FUNC COUNT 'funccount vfs_[mr][km]dir' vfs 20 "$TMP"
alike funclatency "" count 'funclatency vfs_mkdir' vfs 20 "$TMP"
if has uprobes; then
	alike funccount-user FUNC COUNT "funccount $WORK:heap_*" heap
	alike funclatency-user "" count "funclatency $WORK:heap_malloc" heap
	both PID PID,COMM,FUNC "" - "trace r:$WORK:heap_malloc" heap
else
	skip uprobes "$(feature uprobes 3-)"
fi

# A script. (Many kernels call no vfs_rmdir(): its code is in the functions that call it.)
cat >"$TMP/s.bt" <<'EOF'
kprobe:vfs_mkdir { @start[tid] = nsecs; }
kretprobe:vfs_mkdir /@start[tid]/ { @calls[comm, retval] = count(); delete(@start[tid]); }
EOF
if start script_live bt "$TMP/s.bt"; then
	begin -o "$TMP/data" --script "$TMP/s.bt"
	"$WORK" vfs 20 "$TMP" >"$TMP/job"
	stop recorder
	stop script_live
	"$SONDE" bt "$TMP/s.bt" --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
	grep '^@calls' "$TMP/script_live.out" >"$TMP/wanted"
	grep '^@calls' "$TMP/out" >"$TMP/got"
	equal script-rows yes "$([ -s "$TMP/wanted" ] && echo yes || echo no)"
	same script "$TMP/wanted" "$TMP/got"
fi

# Several tools in a file, and probes by name: info tells which tools run, and the others are refused by name.
begin -o "$TMP/data" opensnoop, fileslower, funccount 'vfs_*dir'
"$WORK" opens 3 "$TMP" >"$TMP/job"
stop recorder
"$SONDE" info "$TMP/data" >"$TMP/info" 2>&1
contains info "$TMP/info" '^ .*opensnoop'
contains info-too "$TMP/info" ' fileslower( |$)'
contains info-probes "$TMP/info" 'kprobe of vfs_rmdir'
"$SONDE" funccount 'vfs_*dir' --input "$TMP/data" >"$TMP/out" 2>&1
equal count-status 0 $?
"$SONDE" filelife --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
equal refused-status 1 $?
contains refused "$TMP/err" 'the recording has no'
contains refused-command "$TMP/err" '`sonde record filelife` records'
begin -o "$TMP/data" -e p:vfs_write,r:vfs_write
"$WORK" moves 3 "$TMP" >"$TMP/job"
stop recorder
"$SONDE" trace p:vfs_write --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
contains by-name "$TMP/out" ' work +vfs_write$'

# Stacks with each probe.
begin -o "$TMP/data" stackcount -K vfs_mkdir
"$WORK" vfs 5 "$TMP" >"$TMP/job"
stop recorder
"$SONDE" stackcount -K vfs_mkdir --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
contains stacks "$TMP/out" 'do_mkdir|[sS][yY][sS]_mkdir'

# A stream; and perf reads it, and the file.
begin -o "$TMP/data" opensnoop
"$WORK" opens 20 "$TMP" >"$TMP/job"
stop recorder
if command -v perf >/dev/null; then
	"$SONDE" info --json "$TMP/data" >"$TMP/info"
	perf script -i "$TMP/data" -F event >"$TMP/out" 2>"$TMP/err"
	equal perf "$("$WORK" json seen <"$TMP/info")" "$(grep -c . "$TMP/out")"
	equal perf-silent 0 "$(wc -l <"$TMP/err")"
else
	skip perf "perf is not installed"
fi
: >"$TMP/record.err"
"$SONDE" record -o - opensnoop 2>"$TMP/record.err" >"$TMP/stream" &
pid_recorder=$!
wait_for 30 recording
"$WORK" opens 20 "$TMP" >"$TMP/job"
kill -TERM $pid_recorder
wait $pid_recorder
"$SONDE" opensnoop --csv --input - <"$TMP/stream" >"$TMP/out" 2>"$TMP/err"
equal stream 20 "$(grep -c ',work,.*/open-[0-9]*$' "$TMP/out" | awk '{ print ($1 == 60 || $1 == 40) ? 20 : $1 }')"
if command -v perf >/dev/null; then
	perf script -i - -F event <"$TMP/stream" >"$TMP/out" 2>"$TMP/err"
	contains perf-stream "$TMP/out" 'sonde_.*:p_'
	equal perf-stream-silent 0 "$(wc -l <"$TMP/err")"
fi

# Nothing stays in the kernel: after an end, and after SIGKILL when the next sonde has swept.
left_lines() { cat "$TRACEFS"/kprobe_events "$TRACEFS"/uprobe_events 2>/dev/null | grep 'sonde_'; }
left() { left_lines | wc -l; }
none_left() { [ "$(left)" = 0 ]; }
wait_for 30 none_left
equal left 0 "$(left)" || { left_lines >"$TMP/left"; notes "$TMP/left"; }
begin -o "$TMP/data" opensnoop
"$WORK" opens 20 "$TMP" >"$TMP/job"
sleep 1
stop recorder KILL
between killed-leaves 1 "$(left)" 100
"$SONDE" opensnoop --csv --input "$TMP/data" 2>"$TMP/err" | grep -c ',work,' >"$TMP/out"
between killed-rows 60 "$(cat "$TMP/out")" 1000
"$SONDE" opensnoop --duration 1 >"$TMP/out" 2>&1
wait_for 30 none_left
equal killed-left 0 "$(left)" || { left_lines >"$TMP/left"; notes "$TMP/left"; }
