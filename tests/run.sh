#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [unit] [packaging] [live] [quick] [long] [lab=KERNEL]...: runs these tests, prints what failed and what was
# skipped and why, and at the end what failed again, and how many of each. quick: some live tests on an old and on a new
# kernel of this machine, in QEMU; and how the lab takes it when something goes wrong. long: more of them, which take
# longer than all the rest. Every part prints verdicts, a line each: "PASS name", "FAIL name: why", "SKIP name: why";
# all other lines are notes: "-- ..." says what is going on, others are shown only for tests that failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
export BUILD="${BUILD:-build}" SONDE="${SONDE:-$root/sonde}" WORK="${WORK:-$root/build/tests/work}"
# Most tests wait most of the time.
export JOBS="${JOBS:-$((3 * $(nproc)))}"
tmp=$(mktemp -d)
verdicts=$tmp/verdicts
: >"$verdicts"
pid=
finish() {
	if [ -n "$pid" ]; then
		kill -TERM "-$pid" 2>/dev/null
		# Whoever still says something while it cleans up is listened to: a closed pipe would kill it.
		timeout 30 cat <&3 >/dev/null
		wait "$pid"
	fi
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Keeps the verdicts, shows those that a person must see, at once: awk would read ahead.
collect() {
	while IFS= read -r line; do
		case $line in
		"PASS "*) printf '%s\n' "$line" >>"$verdicts" ;;
		"FAIL "* | "SKIP "*) printf '%s\n' "$line" | tee -a "$verdicts" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done
}

# part NAME COMMAND...: a part that ends badly without having said which test failed is a failure itself. It is a process
# group of its own: who presses Ctrl-C ends all of it.
part() {
	name=$1
	shift
	before=$(grep -c '^FAIL' "$verdicts")
	lines=$(wc -l <"$verdicts")
	begun=$(date +%s)
	echo "== $name"
	rm -f "$tmp/pipe"
	mkfifo "$tmp/pipe"
	setsid "$@" >"$tmp/pipe" 2>&1 </dev/null &
	pid=$!
	exec 3<"$tmp/pipe"
	collect <&3
	wait "$pid"
	status=$?
	pid=
	exec 3<&-
	if [ "$status" != 0 ] && [ "$status" != 77 ] && [ "$(grep -c '^FAIL' "$verdicts")" = "$before" ]; then
		echo "FAIL $name: ended with status $status and without a verdict" | tee -a "$verdicts"
	elif [ "$(wc -l <"$verdicts")" = "$lines" ]; then
		echo "FAIL $name: ran no test" | tee -a "$verdicts"
	fi
	echo "== $name took $(($(date +%s) - begun)) s"
}

[ $# -gt 0 ] || set -- unit live
for p in "$@"; do
	case $p in
	unit) part unit tests/unit/run.sh ;;
	packaging) part packaging tests/packaging.sh ;;
	live) part live tests/live/run.sh ;;
	lab=*) part "$p" tests/lab/lab.sh "K=${p#lab=}" ;;
	quick) part quick tests/lab/quick.sh ;;
	long) part long tests/lab/quick.sh long ;;
	*) echo "run.sh: no part '$p'; there are unit, packaging, live, quick, long, lab=KERNEL" >&2; exit 2 ;;
	esac
done

passed=$(grep -c '^PASS' "$verdicts")
failed=$(grep -c '^FAIL' "$verdicts")
skipped=$(grep -c '^SKIP' "$verdicts")
if [ "$failed" != 0 ]; then
	echo "== failed"
	grep '^FAIL' "$verdicts"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
