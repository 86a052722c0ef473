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
if ! perf record -q -a -z -e 'sched:*' -o "$TMP/packed" "$WORK" pingpong 2000 >"$TMP/job" 2>"$TMP/perf"; then
	skip zstd "$(head -n 1 "$TMP/perf")"
else
	"$SONDE" info "$TMP/packed" >"$TMP/out" 2>"$TMP/err" ||
		contains zstd-refused "$TMP/err" 'is compressed by zstd .* built without it'
fi
if [ ! -x "$zstd" ]; then
	skip zstd "no libzstd to build sonde with"
elif [ -s "$TMP/packed" ]; then
	"$zstd" info --json "$TMP/packed" >"$TMP/info" || fail zstd "status $?"
	equal zstd "$(perf script -i "$TMP/packed" -F event 2>/dev/null | wc -l)" "$("$WORK" json seen <"$TMP/info")"
fi

# sonde info: the same numbers as perf's, and tools that do run.
perf record -q -a -e 'sched:*' -o "$TMP/data" "$WORK" pingpong 200 >"$TMP/job" 2>"$TMP/perf" || notes "$TMP/perf"
"$SONDE" info --json "$TMP/data" >"$TMP/info" || fail info "status $?"
perf script -i "$TMP/data" -F event 2>/dev/null | sort | uniq -c | awk '{ sub(/:$/, "", $2); print $2, $1 }' | sort >"$TMP/wanted"
tr '{' '\n' <"$TMP/info" | sed -n 's/^"event": "\(.*\)", "count": \([1-9][0-9]*\)}.*/\1 \2/p' | sort >"$TMP/got"
same info "$TMP/wanted" "$TMP/got"
for tool in $(sed 's/.*"tools"//' "$TMP/info" | tr '{' '\n' | sed -n 's/^"tool": "\(.*\)", "runs": true, "why": null.*/\1/p'); do
	"$SONDE" "$tool" --dump --input "$TMP/data" >"$TMP/out" 2>"$TMP/err" || notes "$TMP/err"
	contains "info-$tool" "$TMP/out" '^engine replay'
done
