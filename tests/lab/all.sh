#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# all.sh: the live tests of every tool, and sonde's own selftest, on every kernel of the lab and in every form; then the
# matrix of what works where, in docs/kernels.md, and its summary in docs/support.md.
# all.sh --own: the same of the images in the folder SONDE_LAB_KERNELS (tests/lab/own.sh), with the tests that forms run:
# the parts about these of both documents. What was said of images that are not there now is kept. Without it these parts
# stay as they were.
# all.sh --kinds [NAME...]: a short run on these kernels, or on all: which kinds of probes bpf uses for each tool, the part
# about that of docs/kernels.md. The columns of other kernels stay as they were.
# all.sh --update NAME...: only these kernels and forms; the columns of others stay as they were.
# all.sh NAME...: only these kernels, forms and images; the matrix is printed, and no document is changed.
# TESTS="selftest" all.sh: these live tests instead of all tools', in a form those of its own among them. BRIEF: of the
# selftest's test, the matrix's part.
#
# As many guests run as there are CPUs. What each said is kept in build/lab/results/NAME; all of it is run again each
# time. Ends with status 1 if a test failed or a row was WRONG; a kernel that is unavailable is named, and is no failure.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
results=$root/build/lab/results
[ "${1:-}" != --kinds ] && [ "${1:-}" != --one-kinds ] || results=$root/build/lab/kinds
# The live tests of the tools, the selftest, and the tests of what the selftest has no checks of.
export BRIEF=1
tests="${TESTS:-}"
[ -n "$tests" ] || tests="$(cd "$root/tests/live/tools" && ls -- *.sh | sed 's/\.sh$//' | xargs) selftest usdt stat probe eventtext oneliners types stacks walk"
# What images are given, and most forms: one tool of each kind.
few="${TESTS:-opensnoop execsnoop tcpconnect cachestat biolatency runqlat selftest stat probe usdt stacks walk bt_scripts}"

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
	arch=$("$here/arch.sh" "$name")
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
			[ ! -f "${SONDE_LAB_KERNELS:-}/$name/machine" ] || wanted=$few
			set -- --tests "$wanted"
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

# What a guest says of kinds; the self-test has programs for the tools that find none to probe.
asked='
./sonde features --json >$RESULTS/features.json || exit 1
without=$(sed "s/{\"tool\": /\n&/g" $RESULTS/features.json | sed -n "s/^{\"tool\": \"\([a-z0-9]*\)\", \"engine\": null.*/\1/p")
[ -z "$without" ] || ./sonde selftest --json --backend bpf $without >$RESULTS/selftest.json
'
# one_kinds NAME: the same of a kernel, which says its kinds alone.
one_kinds() {
	rm -rf "${results:?}/$1"
	mkdir -p "$results/$1"
	if sh "$here/lab.sh" "K=$1" --results "$results/$1" --run "$asked" >"$results/$1/said" 2>&1; then
		echo "PASS lab:$1: kinds" >"$results/$1/verdicts"
	else
		grep -E '^(SKIP|FAIL) ' "$results/$1/said" >"$results/$1/verdicts" ||
			echo "FAIL lab:$1: kinds: $(tail -n 1 "$results/$1/said")" >"$results/$1/verdicts"
	fi
	cat "$results/$1/verdicts"
}

case ${1:-} in
--one)
	one "$2"
	exit 0
	;;
--one-kinds)
	one_kinds "$2"
	exit 0
	;;
esac

what=all each=--one
case ${1:-} in
--kinds)
	what=kinds each=--one-kinds
	shift
	names=${*:-$(awk '!/^(#|$)/ { print $1 }' "$here/kernels")}
	;;
'') names=$(SONDE_LAB_KERNELS= "$here/arch.sh") ;;
--own)
	what=own
	[ -n "${SONDE_LAB_KERNELS:-}" ] && names=$(cd "$SONDE_LAB_KERNELS" && ls -d */machine 2>/dev/null | sed 's,/.*,,' | sort -V)
	[ -n "${names:-}" ] || {
		echo "SKIP lab: no images: SONDE_LAB_KERNELS is to be a folder of what tests/lab/own.sh or build.sh makes"
		exit 77
	}
	;;
--update)
	what=update
	shift
	names=$*
	;;
*) what=named names=$* ;;
esac
mkdir -p "$results"
rm -f "$results"/build-*
# The machines of these kernels; those whose compilers others need for 32-bit tasks come first by chance of the alphabet.
machines=$(for name in $names; do
	"$here/arch.sh" "$name" || echo none
done | sort -ru)
case $machines in *none*) exit 2 ;; esac
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
echo "$names" | tr ' ' '\n' | setsid xargs -n 1 -P "$(nproc)" sh "$0" $each &
group=$!
wait $group
group=

made=$root/build/lab docs=$root/docs
# replace MARK FILE DOCUMENT: what is between the comments of this name in the document becomes FILE.
replace() {
	awk -v mark="$1" -v file="$2" '
		$0 == "<!-- " mark " -->" { print; while ((getline line <file) > 0) print line; skipping = 1 }
		$0 == "<!-- end of " mark " -->" { skipping = 0 }
		!skipping { print }' "$3" >"$3.new" && mv "$3.new" "$3"
}
case $what in
named) sh "$here/matrix.sh" "$results" $names | tee "$made/kernels.md" ;;
own)
	kept="--kept-own $docs/kernels.md"
	sh "$here/matrix.sh" --own $kept "$results" $names >"$made/own.md" &&
		sh "$here/matrix.sh" --summary $kept "$results" $names >"$made/summary.md" || exit 1
	replace own "$made/own.md" "$docs/kernels.md"
	replace "own kernels" "$made/summary.md" "$docs/support.md"
	;;
kinds)
	sh "$here/kinds.sh" "$docs/kernels.md" "$results" $names >"$made/kinds.md" || exit 1
	replace kinds "$made/kinds.md" "$docs/kernels.md"
	;;
all | update)
	# What was said of images that are not here now is kept.
	sed -n '/^<!-- own -->$/,/^<!-- end of own -->$/{/^<!--/d;p;}' "$docs/kernels.md" >"$made/own.md"
	kept=
	[ $what = all ] || kept="--kept $docs/kernels.md"
	sh "$here/matrix.sh" $kept "$results" $names >"$made/kernels.md" &&
		sh "$here/matrix.sh" --summary $kept "$results" $names >"$made/summary.md" || exit 1
	sh "$here/kinds.sh" "$docs/kernels.md" "$results" $names >"$made/kinds.md" || exit 1
	cp "$made/kernels.md" "$docs/kernels.md"
	replace own "$made/own.md" "$docs/kernels.md"
	replace kinds "$made/kinds.md" "$docs/kernels.md"
	replace kernels "$made/summary.md" "$docs/support.md"
	make -s -C "$root" lists	# the rows of tools that ran for the first time
	;;
esac
for name in $names; do
	cat "$results/$name/verdicts"
done | awk '
	/^(PASS|FAIL|SKIP) / { n[$1]++ }
	END { printf "%d passed, %d failed, %d skipped\n", n["PASS"], n["FAIL"], n["SKIP"]; exit n["FAIL"] > 0 }'
status=$?
[ $what != all ] || echo "SKIP lab:own: the images of one's own are not part of this: \`make lab KERNELS=DIR\` runs them." \
	"What docs/kernels.md says of them is of an earlier run"
exit $status
