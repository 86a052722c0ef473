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
. "$LIVE/recorded.sh"
