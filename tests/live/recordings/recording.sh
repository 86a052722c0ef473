# SPDX-License-Identifier: GPL-2.0
#
# --input FILE of what `perf record` wrote: a tool shows the same rows of it as the tool that ran beside perf. Times are not
# compared: the kernel reads its clock once more for each of them.
. "${0%/*}/../lib.sh"

. "$LIVE/perf_recorder.sh"
same_rows

# Where no tool runs beside it: the workload tells what it did.
record "$TMP/data" sched:sched_process_exec execs 20
"$SONDE" execsnoop --csv --input "$TMP/data" >"$TMP/out" 2>"$TMP/err"
contains execsnoop-said "$TMP/err" 'failures and arguments .* are missing'
awk '$1 == "exec" && $8 == 0 { print $2, $9 }' "$TMP/job" | sort >"$TMP/wanted"
awk -F, 'NR == FNR { split($0, f, "\t"); mine[f[2]] = 1; next } $2 in mine { sub(/ .*/, "", $5); print $2, $5 }' \
	"$TMP/job" "$TMP/out" | sort >"$TMP/got"
same execsnoop "$TMP/wanted" "$TMP/got"

# What zstd compressed, by a sonde that was built with it, has the same events as perf reads of it.
zstd=$BUILD/tests/sonde-zstd
if ! "$PERF" record -q -a -z -e 'sched:*' -o "$TMP/packed" "$WORK" pingpong 2000 >"$TMP/job" 2>"$TMP/perf"; then
	skip zstd "$(head -n 1 "$TMP/perf")"
else
	"$SONDE" info "$TMP/packed" >"$TMP/out" 2>"$TMP/err" ||
		contains zstd-refused "$TMP/err" 'is compressed by zstd .* built without it'
fi
if [ ! -x "$zstd" ]; then
	skip zstd "no libzstd to build sonde with"
elif [ -s "$TMP/packed" ]; then
	"$zstd" info --json "$TMP/packed" >"$TMP/info" || fail zstd "status $?"
	equal zstd "$("$PERF" script -i "$TMP/packed" -F event 2>/dev/null | wc -l)" "$("$WORK" json seen <"$TMP/info")"
fi

# A stream, and what perf lost: as many as it read, and each loss once, whether perf tells it as it comes, at the end, or both.
# sum TYPE: of the numbers in perf's records of it.
sum() { sed -n "s/.* PERF_RECORD_$1: .*lost[^:]*: *\([0-9]*\)\$/\1/p" "$TMP/dump" | awk '{ n += $1 } END { print n + 0 }'; }
for form in file stream; do
	[ $form = file ] && to="$TMP/data" || to=-
	"$PERF" record -q -a -m 1 --buildid-all -e 'sched:*' -o "$to" "$WORK" pingpong 5000 >"$TMP/stream" 2>"$TMP/perf" ||
		notes "$TMP/perf"
	[ $form = file ] || cp "$TMP/stream" "$TMP/data"
	"$SONDE" info --json "$TMP/data" >"$TMP/info" || fail "$form" "status $?"
	"$PERF" script -D -i "$TMP/data" 2>/dev/null | grep -a PERF_RECORD_LOST >"$TMP/dump"
	told=$(sum LOST) counted=$(sum LOST_SAMPLES)
	equal "$form" "$("$PERF" script -i "$TMP/data" -F event 2>/dev/null | wc -l)" "$("$WORK" json seen <"$TMP/info")"
	equal "$form-lost" $((counted > told ? counted : told)) "$("$WORK" json lost <"$TMP/info")"
done

# sonde info: the same numbers as perf's, and tools that do run.
"$PERF" record -q -a -e 'sched:*' -o "$TMP/data" "$WORK" pingpong 200 >"$TMP/job" 2>"$TMP/perf" || notes "$TMP/perf"
"$SONDE" info --json "$TMP/data" >"$TMP/info" || fail info "status $?"
"$PERF" script -i "$TMP/data" -F event 2>/dev/null | sort | uniq -c | awk '{ sub(/:$/, "", $2); print $2, $1 }' | sort >"$TMP/wanted"
tr '{' '\n' <"$TMP/info" | sed -n 's/^"event": "\(.*\)", "count": \([1-9][0-9]*\)}.*/\1 \2/p' | sort >"$TMP/got"
same info "$TMP/wanted" "$TMP/got"
for tool in $(sed 's/.*"tools"//' "$TMP/info" | tr '{' '\n' | sed -n 's/^"tool": "\(.*\)", "runs": true, "why": null.*/\1/p'); do
	"$SONDE" "$tool" --dump --input "$TMP/data" >"$TMP/out" 2>"$TMP/err" || notes "$TMP/err"
	contains "info-$tool" "$TMP/out" '^engine replay'
done
