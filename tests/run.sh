#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [unit] [live] [quick] [lab=KERNEL]...: runs these tests, prints what failed and what was skipped and why, and at
# the end how many of each. quick: some live tests on an old and on a new kernel of this machine, in QEMU; and
# how the lab takes it when something goes wrong. Every part prints verdicts, a line each: "PASS name", "FAIL name: why", "SKIP name: why";
# all other lines are notes, and shown only for tests that failed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
export BUILD="${BUILD:-build}" SONDE="${SONDE:-$root/sonde}" WORK="${WORK:-$root/build/tests/work}"
verdicts=$(mktemp)
trap 'rm -f "$verdicts"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Keeps the verdicts, shows those that a person must see.
collect() {
	awk -v file="$verdicts" '
		/^(PASS|FAIL|SKIP) / { print >>file; fflush(file) }
		!/^PASS / { print; fflush() }'
}

# part NAME COMMAND...: a part that ends badly without having said which test failed is a failure itself.
part() {
	name=$1
	shift
	before=$(grep -c '^FAIL' "$verdicts")
	lines=$(wc -l <"$verdicts")
	echo "== $name"
	{ "$@" 2>&1; echo "$?" >"$verdicts.status"; } | collect
	status=$(cat "$verdicts.status")
	rm -f "$verdicts.status"
	if [ "$status" != 0 ] && [ "$status" != 77 ] && [ "$(grep -c '^FAIL' "$verdicts")" = "$before" ]; then
		echo "FAIL $name: ended with status $status and without a verdict" | collect
	elif [ "$(wc -l <"$verdicts")" = "$lines" ]; then
		echo "FAIL $name: ran no test" | collect
	fi
}

# Both guests at a time.
quick() {
	arch=$(awk -v machine="$(uname -m)-" 'index($2, machine) == 1 { print $1 }' tests/lab/machines)
	[ -n "$arch" ] || { echo "SKIP lab: no kernels for this machine ($(uname -m))"; return 77; }
	dir=$(mktemp -d)
	for k in "5.10-$arch" "newest-$arch"; do
		grep -q "^$k[[:space:]]" tests/lab/kernels || continue
		{ tests/lab/lab.sh "K=$k" --tests quick >"$dir/$k" 2>&1; echo $? >"$dir/$k.status"; } &
	done
	wait
	tests/lab/luck.sh "newest-$arch"
	cat "$dir"/*.status | sort -n | awk '$1 != 77 { worst = $1 } END { print worst + 0 }' >"$dir/worst"
	cat "$dir"/*-"$arch"
	status=$(cat "$dir/worst")
	rm -rf "$dir"
	return "$status"
}

[ $# -gt 0 ] || set -- unit live
for p in "$@"; do
	case $p in
	unit) part unit "$BUILD/tests/run-unit" ;;
	live) part live tests/live/run.sh ;;
	lab=*) part "$p" tests/lab/lab.sh "K=${p#lab=}" ;;
	quick) part quick quick ;;
	*) echo "run.sh: no part '$p'; there are unit, live, quick, lab=KERNEL" >&2; exit 2 ;;
	esac
done

passed=$(grep -c '^PASS' "$verdicts")
failed=$(grep -c '^FAIL' "$verdicts")
skipped=$(grep -c '^SKIP' "$verdicts")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
