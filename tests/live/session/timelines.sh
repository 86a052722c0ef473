# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# --perfetto and --chrome: Perfetto's own trace_processor, and a reader of JSON, find what the rows of the same run say.
. "${0%/*}/../lib.sh"

command -v python3 >/dev/null && command -v node >/dev/null || {
	skip readers "there is no python3, or no node, to read timelines"
	exit 0
}
processor=$("$LIVE/../perfetto.sh" "${BUILD:-$LIVE/../../build}/tests/perfetto" 2>"$TMP/why") || {
	skip readers "$(cat "$TMP/why")"
	exit 0
}

# agrees NAME KIND: the timelines of the last run say what its rows do.
agrees() {
	python3 "$LIVE/perfetto/compare.py" "$2" >"$TMP/sql"
	if ! node "$LIVE/perfetto/query.mjs" "$(realpath "$processor")" "$TMP/t.pf" <"$TMP/sql" >"$TMP/answers" 2>"$TMP/why"; then
		fail "$1" "trace_processor can't read it"
		notes "$TMP/why"
		return
	fi
	if python3 "$LIVE/perfetto/compare.py" "$2" "$TMP/rows" "$TMP/answers" ${3-"$TMP/t.json"} >"$TMP/differ" 2>&1; then
		pass "$1"
	else
		fail "$1" "the timeline differs from the rows:"
		notes "$TMP/differ"
	fi
}
# timeline NAME KIND TOOL ARG...
timeline() {
	verdict=$1 kind=$2
	shift 2
	rm -f "$TMP"/t.*
	if ! timeout $((60 * SLOW)) "$SONDE" "$@" --json --perfetto "$TMP/t.pf" --chrome "$TMP/t.json" $after \
		>"$TMP/rows" 2>"$TMP/err" </dev/null; then
		refused_here "$verdict" || { fail "$verdict" "sonde $* ended with an error:"; notes "$TMP/err"; }
		return 1
	fi
	agrees "$verdict" "$kind"
}
refused_here() {
	grep -qE " can't run here with" "$TMP/err" && skip "$1" "$(head -n 1 "$TMP/err")"
}

after='--exec find /etc/default'
for b in $ENGINES; do
	timeline spans-$b spans systrace --backend $b
	timeline moments-$b moments execsnoop --backend $b
done
after=
timeline waits spans runqslower 10 --duration 1
after="--duration 3"
timeline counters counters syscount -i 1
if disk disk; then
	after="--exec dd if=$DISK of=/dev/null bs=64k count=64 iflag=direct"
	timeline disk disk biosnoop -d "${DISK##*/}"
fi

# A killed run: what it wrote until then, without an end.
"$SONDE" systrace --perfetto "$TMP/t.pf" --chrome "$TMP/t.json" >"$TMP/rows" 2>"$TMP/err" </dev/null &
sonde=$!
running="$running $sonde"
tenths=0
while [ "$(stat -c %s "$TMP/t.pf" 2>/dev/null || echo 0)" -lt 30000 ] && [ $tenths -lt 200 ]; do
	sleep 0.1
	tenths=$((tenths + 1))
done
kill -KILL $sonde
wait $sonde 2>/dev/null
agrees killed-perfetto killed ""
mv "$TMP/t.json" "$TMP/t.pf"
agrees killed-chrome killed ""

# A recording gives the same timeline as its rows; a file that can't be written, and a tool without times, are told.
if "$SONDE" record -o "$TMP/recording" -d 1 runqslower >"$TMP/out" 2>"$TMP/err"; then
	after=
	timeline recorded spans runqslower 10 --input "$TMP/recording"
else
	skip recorded "$(head -n 1 "$TMP/err")"
fi
"$SONDE" opensnoop --perfetto /dev/full --exec cat /dev/null >"$TMP/out" 2>"$TMP/err"
equal full-status 1 $?
contains full "$TMP/err" "can't write all into '/dev/full': No space left on device"
"$SONDE" offcputime --perfetto "$TMP/t.pf" 1 >"$TMP/out" 2>"$TMP/err"
equal stacks-status 2 $?
contains stacks "$TMP/err" "^sonde: offcputime: --perfetto would do nothing: sums by stack have no place in time"
