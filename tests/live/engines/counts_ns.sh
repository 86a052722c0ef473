# SPDX-License-Identifier: GPL-2.0
#
# Events of which perf counts ns: each hit is one on every engine, in a recording, and for perf's own reader of it.
. "${0%/*}/../lib.sh"

EVENT=sched:sched_stat_runtime
if ! has_event sched sched_stat_runtime; then
	skip event "this kernel has no $EVENT"
	exit
fi
# What one process does, which each engine sees.
load w "$WORK" pingpong 2000
began=
for b in $ENGINES; do
	start_or_skip $b "$(absences)" $b funccount --backend $b --json -p "$(pid w)" "t:$EVENT" && began="$began $b"
done
go w
for b in $began; do
	stop $b
	fields "$TMP/$b.out" func count | sed "s/^[^	]*/$b/"
done >"$TMP/counts"
least=$(cut -f 2 "$TMP/counts" | sort -n | head -n 1)
# Of one hit perf made tens. Engines that began earlier also saw the process look whether it may go.
while read -r b n; do
	between hits-$b 2000 "$n" $((least * 2))
done <"$TMP/counts"

has perf || exit
"$SONDE" record --backend perf -o "$TMP/data" -e "$EVENT,sched:sched_switch" "$WORK" pingpong 500 >"$TMP/job" 2>"$TMP/err"
"$SONDE" info --json "$TMP/data" >"$TMP/info"
of() { tr '{' '\n' <"$TMP/info" | sed -n "s/^\"event\": \"$1\", \"count\": \([0-9]*\)}.*/\1/p"; }
switches=$(of sched:sched_switch)
if command -v perf >/dev/null; then
	equal read-by-perf "$("$WORK" json seen <"$TMP/info")" "$(perf script -i "$TMP/data" -F event 2>"$TMP/err" | grep -c .)"
else
	skip read-by-perf "perf is not installed"
fi
between switches 1000 "$switches" 100000
between recorded $((switches / 2)) "$(of $EVENT)" $((switches * 4))
# As one alone, which is then the first of the recording.
"$SONDE" record --backend perf -o "$TMP/data" -e "$EVENT" "$WORK" pingpong 500 >"$TMP/job" 2>"$TMP/err"
"$SONDE" info --json "$TMP/data" >"$TMP/info"
between recorded-alone $((switches / 2)) "$(of $EVENT)" $((switches * 4))
