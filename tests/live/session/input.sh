# SPDX-License-Identifier: GPL-2.0
#
# --input: a tool traces the records of a file, by the times of the file, with the facts of a snapshot. Nothing of this
# machine gets into its rows.
. "${0%/*}/../lib.sh"

if ! "$SONDE" snapshot "$TMP/kernel" >"$TMP/snapshot" 2>&1; then
	skip snapshot "$(cat "$TMP/snapshot")"
	exit
fi
if ! "$SONDE" syscount --dump --snapshot "$TMP/kernel" --input /dev/null >"$TMP/dump" 2>&1; then
	skip raw-syscalls "$(cat "$TMP/dump")"
	exit
fi
contains dump "$TMP/dump" '^engine replay'

cat >"$TMP/records" <<END
# three calls of one thread in three seconds of a day in 2026
task 42 42 make
clock 1000000000 1790000000000000000
1000000000 0 42 raw_syscalls:sys_exit id=0 ret=3
2500006000 1 42 raw_syscalls:sys_exit id=1 ret=-13
4000006000 1 42 raw_syscalls:sys_exit id=1 ret=5
END

# traced NAME OPTION...: what syscount prints of the records.
traced() {
	of=$1
	shift
	TZ=UTC0 "$SONDE" syscount --csv --input "$TMP/records" --snapshot "$TMP/kernel" "$@" >"$TMP/out" 2>"$TMP/err"
	STATUS=$?
	[ $STATUS = 0 ] || notes "$TMP/err"
	cut -d, -f1,3,4 "$TMP/out" | grep -v TIME | sort | tr '\n' ' ' >"$TMP/$of"
}

traced all
equal all "14:13:23,0,1 14:13:23,1,2 " "$(cat "$TMP/all")"
# The run ends at the newest record.
traced intervals -i 1
equal intervals "14:13:21,0,1 14:13:22,1,1 14:13:23,1,1 " "$(cat "$TMP/intervals")"
traced duration -d 2
equal duration "14:13:22,0,1 14:13:22,1,1 " "$(cat "$TMP/duration")"
# The process is not one of this machine, which does not matter.
traced pid -p 42
equal pid "14:13:23,0,1 14:13:23,1,2 " "$(cat "$TMP/pid")"
traced other -p 41
equal other "" "$(cat "$TMP/other")"

# Losses are the file's.
echo "gap 0 1500000000 1600000000 7" >>"$TMP/records"
traced gap
contains gap-said "$TMP/err" "syscount: 7 events lost between the kernel and the records$"

# wrong NAME STATUS PATTERN OPTION...
wrong() {
	of=$1 wanted=$2 pattern=$3
	shift 3
	timeout $((10 * SLOW)) "$SONDE" syscount "$@" >"$TMP/out" 2>"$TMP/err"
	STATUS=$?
	equal "$of-status" "$wanted" $STATUS
	contains "$of" "$TMP/err" "$pattern"
}

wrong no-snapshot 1 'records is no recording: .*goes with --snapshot' --input "$TMP/records"
wrong no-file 1 "can't read the records of $TMP/none: No such file" --input "$TMP/none" --snapshot "$TMP/kernel"
wrong folder 1 'Is a directory' --input "$TMP" --snapshot "$TMP/kernel"
wrong zeros 1 'too long, or has a NUL' --input /dev/zero --snapshot "$TMP/kernel"
wrong engine 2 'backend and --input exclude each other' --backend perf --input "$TMP/records" --snapshot "$TMP/kernel"
wrong command 2 'exec and --input exclude each other' --input "$TMP/records" --snapshot "$TMP/kernel" --exec true
echo "1 0 42 raw_syscalls:sys_exit nr=0" >"$TMP/bad"
wrong input 1 'bad, line 1: no such input' --input "$TMP/bad" --snapshot "$TMP/kernel"
echo "1 0 42 sched:sched_switch" >"$TMP/bad"
wrong event 1 'no such event .--dump shows' --input "$TMP/bad" --snapshot "$TMP/kernel"

# A signal ends the wait for a pipe that nobody closes.
mkfifo "$TMP/pipe"
(cat "$TMP/records" && sleep 100) >"$TMP/pipe" &
writer=$!
running="$running $writer"
timeout -s INT 1 "$SONDE" syscount --input "$TMP/pipe" --snapshot "$TMP/kernel" >"$TMP/out" 2>"$TMP/err" &
killer=$!
wait_for 10 sh -c "! kill -0 $killer 2>/dev/null" && pass pipe || fail pipe "it waits on"
kill $writer
