# SPDX-License-Identifier: GPL-2.0
#
# Events of which perf counts ns: each hit is one on every engine, in a recording, and for perf's own reader of it.
. "${0%/*}/../lib.sh"

EVENT=sched:sched_stat_runtime
if ! has_event sched sched_stat_runtime; then
	skip event "this kernel has no $EVENT"
	exit
elif ! has perf; then
	skip perf "$(feature perf 3-)"
	exit
fi
"$SONDE" record --backend perf -o "$TMP/data" -e "$EVENT,sched:sched_switch" "$WORK" pingpong 500 >"$TMP/job" 2>"$TMP/err"
"$SONDE" info --json "$TMP/data" >"$TMP/info"
of() { tr '{' '\n' <"$TMP/info" | sed -n "s/^\"event\": \"$1\", \"count\": \([0-9]*\)}.*/\1/p"; }
switches=$(of sched:sched_switch)
between switches 1000 "$switches" 100000
# Between two ticks of a clock of some ms a task runs for no time, and the kernel has no hit.
times=$("$SONDE" convert "$TMP/data" --to perf-script 2>"$TMP/err" |
	sed -n 's/.*\] *\([0-9.]*\): sched:sched_switch: .*/\1/p' | sort -u | wc -l)
few=1 some=1
if [ $((times * 4)) -lt "$switches" ]; then
	skip clock "the clock of this kernel has only $times times for $switches switches: hits may be few"
else
	few=$((switches / 2)) some=2000
fi
between recorded $few "$(of $EVENT)" $((switches * 4))
if command -v perf >/dev/null; then
	equal read-by-perf "$("$WORK" json seen <"$TMP/info")" "$(perf script -i "$TMP/data" -F event 2>"$TMP/err" | grep -c .)"
else
	skip read-by-perf "perf is not installed"
fi
# As one alone, which is then the first of the recording.
"$SONDE" record --backend perf -o "$TMP/data" -e "$EVENT" "$WORK" pingpong 500 >"$TMP/job" 2>"$TMP/err"
"$SONDE" info --json "$TMP/data" >"$TMP/info"
between recorded-alone $few "$(of $EVENT)" $((switches * 4))

# Beside the switches of the same time: of one hit perf made tens.
for b in $ENGINES; do
	start_or_skip $b "$(absences)" s funccount --backend $b --json 't:sched:sched_s[tw]*' || continue
	"$WORK" pingpong 2000 >"$TMP/job"
	stop s
	count() { fields "$TMP/s.out" func count | sed -n "s/^$1	//p"; }
	between hits-$b $some "$(count $EVENT)" $(($(count sched:sched_switch) * 4))
done
