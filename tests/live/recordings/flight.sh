# SPDX-License-Identifier: GPL-2.0
# timeout: 480
#
# The flight recorder: each stall of a known workload is in a file; by SIGUSR1 and by a command; limits of files; ends.
. "${0%/*}/../lib.sh"

if ! has perf; then
	skip flight "$(feature perf 3-)"
	exit
fi
recording() { grep -q '^sonde: record: keeps' "$TMP/flight.err" || ! alive flight; }
# begin ARGS...: starts a flight recorder, and waits until all is on.
begin() {
	: >"$TMP/flight.err"
	"$WORK" signals "$SONDE" record "$@" 2>"$TMP/flight.err" </dev/null >"$TMP/flight.out" &
	pid_flight=$!
	running="$running $pid_flight"
	wait_for 60 recording
}
# files N: so many were written.
files() { [ "$(grep -c "^sonde: record: $TMP/.*/flight-[0-9]*: " "$TMP/flight.err")" -ge "$1" ] || ! alive flight; }

begin --last 10s -o "$TMP/first" -e sched:sched_switch
if grep -q 'rings of this kernel do not overwrite' "$TMP/flight.err"; then
	wait "$pid_flight"
	equal refused-status 1 $?
	equal refused-folder no "$([ -e "$TMP/first" ] && echo yes || echo no)"
	skip flight "$(head -n 1 "$TMP/flight.err")"
	exit
fi
alive flight || notes "$TMP/flight.err"

# SIGUSR1: what a workload did is in the file, with the name of a process that has ended.
"$WORK" -c sleeper pingpong 300 >"$TMP/job"
kill -USR1 "$pid_flight"
wait_for 20 files 1
contains signal "$TMP/flight.err" "^sonde: record: $TMP/first/flight-0001: [0-9]* events of [0-9.]* s, [0-9.]* MB, by SIGUSR1$"
"$SONDE" info --json "$TMP/first/flight-0001" >"$TMP/info"
equal said "$("$WORK" json seen <"$TMP/info")" "$(sed -n 's/.*flight-0001: \([0-9]*\) events .*/\1/p' "$TMP/flight.err")"
"$SONDE" cpudist -P --csv --input "$TMP/first/flight-0001" 2>"$TMP/err" >"$TMP/out"
between rows 300 "$(awk -F, -v pid="$(cut -f 2 "$TMP/job")" '$5 == pid { n += $8 } END { print n + 0 }' "$TMP/out")" 100000
equal mode 600 "$(stat -c %a "$TMP/first/flight-0001")"
if command -v perf >/dev/null; then
	perf script -i "$TMP/first/flight-0001" -F comm,pid,event 2>"$TMP/err" >"$TMP/script"
	equal perf "$("$WORK" json seen <"$TMP/info")" "$(wc -l <"$TMP/script")"
	between perf-names 300 "$(awk -v pid="$(cut -f 2 "$TMP/job")" '$1 == "sleeper" && $2 == pid' "$TMP/script" | wc -l)" 100000
else
	skip perf "perf is not installed"
fi
# A second one in the folder is refused; nothing is left of one that is killed.
timeout $((20 * SLOW)) "$SONDE" record --last 1s -o "$TMP/first" -e sched:sched_switch 2>"$TMP/err"
equal locked-status 1 $?
contains locked "$TMP/err" "another sonde records into $TMP/first"
stop flight KILL
equal killed flight-0001 "$(ls -A "$TMP/first")"

# A file has it that was written since the stall began: on a busy machine the task waits at other times, too.
has_stall() {
	sed -n 's/^sonde: record: \(.*flight-[0-9]*\): .*/\1/p' "$TMP/flight.err" | tail -n +$((before + 1)) >"$TMP/new"
	while read -r file; do
		"$SONDE" runqslower --csv -p "$pid_w" --input "$file" 150000 2>"$TMP/err" | grep -q ',work,' && return 0
	done <"$TMP/new"
	return 1
}
# stalls ENGINE N: so many stalls, one after the other: each is in a file, as the tool that asked for it says.
stalls() {
	engine=$1
	begin --last 2s -m 4096 --every 100ms --files 8 -o "$TMP/$engine" -e 'sched:sched_switch,sched:sched_wakeup*,task:task_newtask' \
		--when "runqslower --backend $engine -v -p $pid_w 100000"
	tracing() { grep -q '^sonde: tracing' "$TMP/flight.err" || ! alive flight; }
	wait_for 60 tracing
	if ! alive flight; then
		wait "$pid_flight"
		equal "$engine-status" 1 $?
		contains "$engine-named" "$TMP/flight.err" "^sonde: record: the trigger runqslower .* has ended with status 1"
		if grep -qE -e "$(reasons "$(absences "$engine")")" "$TMP/flight.err"; then
			skip "$engine" "$(grep -m 1 -E -e "$(reasons "$(absences "$engine")")" "$TMP/flight.err")"
		else
			notes "$TMP/flight.err"
		fi
		return
	fi
	caught=0 i=1
	while [ $i -le "$2" ]; do
		# A task of real time keeps the CPU from the one that wakes up every few milliseconds.
		before=$(grep -c '/flight-' "$TMP/flight.err")
		"$WORK" rival 200 "$CPU" >"$TMP/job"
		if wait_for 20 has_stall; then
			caught=$((caught + 1))
		else
			notes "$TMP/err"
			tail -n 4 "$TMP/flight.err" >"$TMP/said"
			notes "$TMP/said"
		fi
		i=$((i + 1))
	done
	equal "$engine-stalls" "$2" $caught
	between "$engine-files" 1 "$(ls -A "$TMP/$engine" | wc -l)" 8
	equal "$engine-row" "" "$(grep '/flight-' "$TMP/flight.err" | grep -v 'by runqslower .*: {.*"lat_us":[0-9]*.*}$' | head -n 1)"
	stop flight
	equal "$engine-end" 0 "$STATUS"
}
CPU=$(($(nproc) - 1))
"$WORK" naps 10000000 5000000 "$CPU" >/dev/null &
pid_w=$!
running="$running $pid_w"
for b in $ENGINES; do
	stalls "$b" "${STALLS:-20}"
done
kill "$pid_w"

# A command: a file if it fails, and its status.
"$SONDE" record --last 5s -o "$TMP/command" exitsnoop -- sh -c '"$@"; exit 3' sh "$WORK" execs 5 >"$TMP/job" 2>"$TMP/err"
equal command-status 3 $?
contains command "$TMP/err" '/flight-0001: .* by exit status 3 of sh$'
awk '$1 == "exec" && $8 == 0 { print $2 }' "$TMP/job" | sort >"$TMP/wanted"
"$SONDE" exitsnoop --csv --input "$TMP/command/flight-0001" 2>"$TMP/err" | awk -F, 'NR == FNR { mine[$1] = 1; next }
	$2 in mine { print $2 }' "$TMP/wanted" - | sort >"$TMP/got"
same command-rows "$TMP/wanted" "$TMP/got"
"$SONDE" record --last 5s -o "$TMP/success" -e sched:sched_switch true 2>"$TMP/err"
equal success-status 0 $?
equal success-files 0 "$(ls -A "$TMP/success" | wc -l)"

# Rings that are too small say how much they hold; the events before are in no file.
"$SONDE" record --last 60s -m 4 -o "$TMP/small" -e 'sched:*' sh -c '"$@"; exit 1' sh "$WORK" pingpong 2000 >"$TMP/job" 2>"$TMP/err"
contains small "$TMP/err" 'the ring of CPU [0-9]* holds only [0-9.]* s: larger rings with --buffer-pages .now 4.$'
# A full disk is told, and nothing is left.
mkdir "$TMP/full" && mount -t tmpfs -o size=64k none "$TMP/full" && {
	cleanup_hook() { umount "$TMP/full" 2>/dev/null; }
	"$SONDE" record --last 5s -o "$TMP/full" -e 'sched:*' sh -c '"$@"; exit 4' sh "$WORK" pingpong 2000 >"$TMP/job" 2>"$TMP/err"
	equal full-status 1 $?
	contains full "$TMP/err" "can't write $TMP/full/flight-part: No space left"
	equal full-files 0 "$(ls -A "$TMP/full" | wc -l)"
	umount "$TMP/full"
}

# wrong NAME STATUS PATTERN ARGS...
wrong() {
	of=$1 wanted=$2 pattern=$3
	shift 3
	timeout $((20 * SLOW)) "$SONDE" record "$@" >"$TMP/out" 2>"$TMP/err"
	equal "$of-status" "$wanted" $?
	contains "$of" "$TMP/err" "$pattern"
}
wrong tool 1 'the trigger nosuch 3 has ended with status' --last 1s --when 'nosuch 3' -o "$TMP/wrong" runqlat
wrong time 2 '--last takes a time, as 30s, 500ms or 5m, not "x"' --last x runqlat
wrong last 2 'need --last' --when 'runqslower 3' runqlat
wrong size 1 '--max-size is too small: a file may have' --last 1s --max-size 1M -o "$TMP/wrong" runqlat
clean left
quiet kernel-log
