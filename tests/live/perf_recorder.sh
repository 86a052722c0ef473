# SPDX-License-Identifier: GPL-2.0
#
# perf record beside a workload, where perf can record. PERF: which one. To be sourced, behind lib.sh.

PERF=${PERF:-perf}
if ! "$PERF" record -q -a -e sched:sched_process_exit -o "$TMP/data" true >"$TMP/perf" 2>&1; then
	skip perf "$(head -n 1 "$TMP/perf")"
	exit
fi

# record FILE EVENTS JOB...: the workload runs in a process that begins when all is on; its lines go to $TMP/job. $with: more
# options of perf. $known: what rows have that is not in the lines of the workload.
with='' known=''
record() {
	to=$1 events=$2
	shift 2
	# shellcheck disable=SC2086
	"$PERF" record -q -a -k mono $with -e "$events" -o "$to" -- sh -c '"$@" & wait' sh "$WORK" "$@" >"$TMP/job" 2>"$TMP/perf" ||
		notes "$TMP/perf"
	[ -z "$known" ] || printf 'known\t%s\n' "$known" >>"$TMP/job"
}
. "$LIVE/recorded.sh"
