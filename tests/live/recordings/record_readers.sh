# SPDX-License-Identifier: GPL-2.0
# timeout: 200
#
# What perf makes of sonde's recordings, each command of it that has a use for them: it ends well, and says nothing of a
# damage. PERF: which perf. Where it fails on a recording of its own, too, the fault is its own.
. "${0%/*}/../lib.sh"

PERF=${PERF:-perf}
if ! command -v "$PERF" >/dev/null; then
	skip perf "perf is not installed"
	exit
fi
EVENTS='sched:*,raw_syscalls:*,task:*'
if ! "$SONDE" record -m 2048 -g -F 99 -e "$EVENTS" -o "$TMP/data" "$WORK" pingpong 200 >"$TMP/job" 2>"$TMP/err"; then
	skip record "$(grep -m 1 '^sonde' "$TMP/err")"
	exit
fi
"$SONDE" record -m 2048 -g -F 99 -e 'sched:*' -o - "$WORK" pingpong 200 2>"$TMP/err" >"$TMP/stream"
"$SONDE" record -m 2048 -e 'sched:*' -o "$TMP/plain" "$WORK" pingpong 200 >"$TMP/job" 2>"$TMP/err"
"$PERF" record -q -a -m 2048 -g -F 99 -e cpu-clock -e "$EVENTS" -o "$TMP/own" "$WORK" pingpong 200 >"$TMP/job" 2>"$TMP/err" ||
	notes "$TMP/err"
"$PERF" record -q -a -m 2048 -g -F 99 -e cpu-clock -e 'sched:*' -o - "$WORK" pingpong 200 >"$TMP/own.stream" 2>"$TMP/err"

seen() { "$SONDE" info --json "$1" | "$WORK" json seen; }
# asked FILE COMMAND...: its output in $TMP/out; 1: it failed, or complained.
asked() {
	from=$1
	shift
	case $from in
	*stream) "$PERF" "$@" -i - ;;
	*) "$PERF" "$@" -i "$from" ;;
	esac <"$from" >"$TMP/out" 2>"$TMP/err"
	STATUS=$?
	[ $STATUS = 0 ] && ! grep -qiE 'error|fail|unexpected|invalid|incompatible|corrupt|aligned|mismatch|unknown|lost [0-9]' "$TMP/err"
}
# reads NAME FILE PATTERN COMMAND...: a line of its output, or of what it says, has the pattern.
reads() {
	of=$1 file=$2 pattern=$3
	shift 3
	if asked "$file" "$@"; then
		cat "$TMP/out" "$TMP/err" >"$TMP/all"
		contains "$of" "$TMP/all" "$pattern"
		return
	fi
	cp "$TMP/err" "$TMP/said"
	status=$STATUS own=own
	case $file in *stream) own=own.stream ;; esac
	if asked "$TMP/$own" "$@"; then
		fail "$of" "perf $* ends with status $status: $(head -n 2 "$TMP/said")"
	else
		skip "$of" "perf $1 fails on its own recording, too: status $STATUS, $(grep -m 1 . "$TMP/err")"
	fi
}

for form in data stream; do
	asked "$TMP/$form" script -G -F event || notes "$TMP/err"
	equal "$form-events" "$(seen "$TMP/$form")" "$(grep -c . "$TMP/out")"
	reads "$form-header" "$TMP/$form" 'perf version : sonde' report --header-only
	reads "$form-report" "$TMP/$form" 'Samples: .* of event' report --stdio
done
reads stats "$TMP/data" 'SAMPLE events:' report --stats
reads list "$TMP/data" '^sched:sched_switch' evlist -v
reads latency "$TMP/data" '^ *work:' sched latency
reads timehist "$TMP/data" ' work\[' sched timehist
reads map "$TMP/data" ' => work:' sched map
reads trace "$TMP/data" 'read\(' trace -o /dev/stdout
reads summary "$TMP/data" '^ work ' trace -s -o /dev/stdout
reads timechart "$TMP/data" 'Written .* of trace' timechart -o "$TMP/chart.svg"
reads lock "$TMP/data" 'acquired' lock report
reads json "$TMP/data" 'samples\)' data convert --force --to-json "$TMP/json"
if [ -s "$TMP/json" ] && command -v python3 >/dev/null; then
	equal json-samples "$(seen "$TMP/data")" "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["samples"]))' "$TMP/json")"
fi
# It writes sections anew, and has no writer for those it does not know: names of functions and probes.
asked "$TMP/plain" inject -o "$TMP/injected" || notes "$TMP/err"
equal injected "$(seen "$TMP/plain")" "$("$PERF" script -i "$TMP/injected" -F event 2>"$TMP/err" | wc -l)"
