#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# all.sh: the live tests of every tool, and sonde's own selftest, on every kernel of the lab and in every form; then the
# matrix of what works where, in docs/kernels.md, and its summary in docs/support.md.
# all.sh NAME...: only these kernels and forms; the matrix is printed, and no document is changed.
# TESTS="selftest" all.sh: these live tests instead of all tools', in a form those of its own among them. BRIEF: of the
# selftest's test, the matrix's part.
#
# As many guests run as there are CPUs. What each said is kept in build/lab/results/NAME; all of it is run again each
# time. Ends with status 1 if a test failed or a row was WRONG; a kernel that is unavailable is named, and is no failure.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
results=$root/build/lab/results
# The tools that have a live test, the selftest, and what it has no checks of.
export BRIEF=1
tests="${TESTS:-}"
[ -n "$tests" ] || tests="$(cd "$root" && for t in src/tools/*.c; do
	t=$(basename "$t" .c)
	[ ! -f "tests/live/$t.sh" ] || echo "$t"
done | xargs) selftest usdt stat probe eventtext oneliners types stacks walk"

# one NAME: a kernel or a form. Called by xargs below.
one() {
	name=$1 kernel=$1 form=
	dir=$results/$name
	rm -rf "$dir"
	mkdir -p "$dir"
	if grep -qE "^$name[[:space:]]" "$here/forms"; then
		form=$name
		kernel=$(awk -v form="$form" '$1 == form { print $2 }' "$here/forms")
	fi
	arch=$(awk -v name="$kernel" '$1 == name { print $4 }' "$here/kernels")
	started=$(date +%s)
	if [ -s "$results/build-$arch.failed" ]; then
		echo "SKIP lab:$name: sonde can't be built for $arch: $(cat "$results/build-$arch.failed")" >"$dir/verdicts"
	else
		# A form says itself which tests are meant for it.
		if [ -n "$form" ]; then
			wanted=$(awk -v form="$form" '$1 == form { print $5 }' "$here/forms" | tr , '\n')
			[ -z "${TESTS:-}" ] || wanted=$(echo "$wanted" | grep -xF -e "$(echo "$TESTS" | tr ' ' '\n')")
			set -- --form "$form" --tests "$(echo "$wanted" | xargs)"
		else
			wanted=$tests
			set -- --tests "$tests"
		fi
		if [ -n "$wanted" ]; then
			sh "$here/lab.sh" "K=$kernel" --results "$dir" "$@" >"$dir/verdicts" 2>&1
		else
			echo "SKIP lab:$name: none of these tests is one of the form's" >"$dir/verdicts"
		fi
	fi
	# What kept a guest from running at all has one colon less than what a test in it says.
	sed -n "s/^\(SKIP\|FAIL\) lab:$name: //p" "$dir/verdicts" | head -n 1 >"$dir/why"
	awk -v name="$name" -v time=$(($(date +%s) - started)) '
		/^(PASS|FAIL|SKIP) / { n[$1]++ }
		END { printf "%-20s %4d passed, %d failed, %d skipped (%d s)\n", name, n["PASS"], n["FAIL"], n["SKIP"], time }
	' "$dir/verdicts"
	grep -E '^(FAIL|#)' "$dir/verdicts"
	sed 's/^/    /' "$dir/why"
}

if [ "${1:-}" = --one ]; then
	one "$2"
	exit 0
fi

names=$*
[ -n "$names" ] || names=$(awk '!/^(#|$)/ { print $1 }' "$here/kernels" "$here/forms")
for name in $names; do
	grep -qE "^$name[[:space:]]" "$here/kernels" "$here/forms" || {
		echo "no kernel and no form '$name'; there are: $(awk '!/^(#|$)/ { print $1 }' "$here/kernels" "$here/forms" | xargs)" >&2
		exit 2
	}
done

mkdir -p "$results"
rm -f "$results"/build-*
# The machines of these kernels; those whose compilers others need for 32-bit tasks come first by chance of the alphabet.
machines=$(for name in $names; do
	kernel=$(awk -v form="$name" '$1 == form { print $2 }' "$here/forms")
	awk -v name="${kernel:-$name}" '$1 == name { print $4 }' "$here/kernels"
done | sort -ru)
for arch in $machines; do
	echo "building for $arch"
	{ make -C "$root" ARCH="$arch" deps && make -C "$root" ARCH="$arch" WERROR=1 all work; } \
		>"$results/build-$arch" 2>&1 || tail -n 1 "$results/build-$arch" >"$results/build-$arch.failed"
done

group=
finish() {
	[ -z "$group" ] || kill -TERM "-$group" 2>/dev/null
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# A group of its own, to be ended as one: xargs alone would leave its children.
echo "$names" | tr ' ' '\n' | setsid xargs -n 1 -P "$(nproc)" sh "$0" --one &
group=$!
wait $group
group=

mkdir -p "$root/build/lab"
sh "$here/matrix.sh" "$results" $names >"$root/build/lab/kernels.md" || exit 1
if [ $# = 0 ]; then
	mkdir -p "$root/docs"
	cp "$root/build/lab/kernels.md" "$root/docs/kernels.md"
	# The summary is between two comments.
	sh "$here/matrix.sh" --summary "$results" $names >"$root/build/lab/summary.md"
	awk -v file="$root/build/lab/summary.md" '
		/^<!-- kernels -->/ { print; while ((getline line <file) > 0) print line; skipping = 1 }
		/^<!-- end of kernels -->/ { skipping = 0 }
		!skipping || /^<!-- end/ { if (!/^<!-- kernels -->/) print }' "$root/docs/support.md" >"$root/build/lab/support.md" &&
		cp "$root/build/lab/support.md" "$root/docs/support.md"
	make -s -C "$root" lists	# the rows of tools that ran for the first time
else
	cat "$root/build/lab/kernels.md"
fi
for name in $names; do
	cat "$results/$name/verdicts"
done | awk '
	/^(PASS|FAIL|SKIP) / { n[$1]++ }
	END { printf "%d passed, %d failed, %d skipped\n", n["PASS"], n["FAIL"], n["SKIP"]; exit n["FAIL"] > 0 }'
