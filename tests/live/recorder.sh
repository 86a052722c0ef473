# SPDX-License-Identifier: GPL-2.0
#
# sonde record beside a workload. To be sourced, behind lib.sh.

recording() { grep -q '^sonde: record: [0-9]* events on' "$TMP/record.err" || ! alive recorder; }
# begin ARGS...: starts a recorder, and waits until all is on.
begin() {
	: >"$TMP/record.err"
	"$WORK" signals "$SONDE" record "$@" 2>"$TMP/record.err" </dev/null &
	pid_recorder=$!
	running="$running $pid_recorder"
	wait_for 30 recording
	alive recorder || notes "$TMP/record.err"
}

# record FILE EVENTS JOB...: what the tool needs; the workload runs in a process that begins when all is on. $rings: options
# of the recorder.
rings=
record() {
	to=$1
	shift 2
	# shellcheck disable=SC2086
	begin $rings -o "$to" $tool
	sh -c '"$@" & wait' sh "$WORK" "$@" >"$TMP/job"
	stop recorder
}

# older_tasks: the parent and the age of a process that began before the recording, and the end of one that has threads.
older_tasks() {
	sleep 60 &
	older=$!
	"$WORK" named 60000 old >"$TMP/threads" &
	threads=$!
	running="$running $older $threads"
	wait_for 20 test -s "$TMP/threads"
	# shellcheck disable=SC2086
	begin $rings -o "$TMP/older" exitsnoop
	kill "$older" "$threads"
	wait "$older" "$threads" 2>/dev/null
	stop recorder
	"$SONDE" exitsnoop --csv --input "$TMP/older" 2>"$TMP/err" | awk -F, -v older="$older" -v threads="$threads" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["PID"] == older || $at["PID"] == threads {
			age = $at["AGE(s)"]
			print $at["PID"], $at["PPID"], (age ~ /^[0-9]/ && age < 60 ? "aged" : age), $NF }' | sort >"$TMP/got"
	printf '%s\n' "$older $$ aged signal 15 (TERM)" "$threads $$ aged signal 15 (TERM)" | sort >"$TMP/wanted"
	same older-tasks "$TMP/wanted" "$TMP/got" || notes "$TMP/err"
}
. "$LIVE/recorded.sh"
