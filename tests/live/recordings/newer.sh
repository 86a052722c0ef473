# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# The tests of readers and recorders with perf, trace-cmd and KernelShark's library of later releases of the distribution
# (tests/lab/programs), which run here with their own libraries.
. "${0%/*}/../lib.sh"

fetch=$LIVE/../lab/fetch.sh
if [ ! -x "$fetch" ]; then
	skip programs "tests/lab, which fetches them, is not here"
	exit
fi
# with SUITE TEST: runs it, and its verdicts have the release in their names.
with() {
	PERF=$programs/perf TRACE_CMD=$programs/trace-cmd KSHARK_ROOT=$programs/root sh "$LIVE/recordings/$2.sh" >"$TMP/said" 2>&1 ||
		fail "$1-$2" "it ended with status $?"
	sed "s/^\(PASS\|FAIL\|SKIP\) $2:/\1 $script:$1-$2-/" "$TMP/said"
}
# They are 45 MB each: only what is in the cache is tried.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/sonde-lab/programs
suites=$(awk '!/^(#|$)/ { print $1 }' "$LIVE/../lab/programs")
# What perf records takes a minute to try: that of the newest release alone.
newest=${suites##*
}
for suite in $suites; do
	if [ ! -d "$cache/$suite" ]; then
		skip "$suite" "its programs are not here: tests/lab/fetch.sh programs $suite brings them"
		continue
	fi
	if ! programs=$("$fetch" programs "$suite" 2>"$TMP/why"); then
		skip "$suite" "$(tail -n 1 "$TMP/why")"
		continue
	fi
	for test in record_readers recording_trace kshark; do
		with "$suite" $test
	done
	[ "$suite" = "$newest" ] || continue
	for test in recording recording_stacks; do
		with "$suite" $test
	done
done
