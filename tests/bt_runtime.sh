#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# bt_runtime.sh FOLDER [FILE...]: runs tests of bpftrace's own, FOLDER/FILE (its source has them in tests/runtime), with
# `sonde bt`, and prints how many passed, failed and were left out, by reasons. Only tests of a program alone are run:
# those that need other programs, features or files are left out. SONDE= is the binary. -v prints each failure's output.
#
# A file has blocks of lines `DIRECTIVE VALUE` with blank lines between them; lines that begin with blanks go on.
set -u
verbose=
[ "${1:-}" != -v ] || { verbose=1; shift; }
[ $# -gt 0 ] || { sed -n '/^# bt_runtime.sh/,/^$/p' "$0" | sed '/^[^#]/d; s/^# \{0,1\}//' >&2; exit 2; }
folder=$1
shift
sonde=${SONDE:-$(cd "$(dirname "$0")/.." && pwd)/sonde}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
if [ ! -d "$folder" ]; then
	echo "SKIP bt_runtime: there is no folder $folder: a copy of bpftrace's source has one, tests/runtime"
	exit 77
fi
[ $# -gt 0 ] || set -- $(cd "$folder" && find . -maxdepth 1 -type f ! -name '*.*' | sed 's,^./,,' | sort)

# Cuts a file into a folder for each block, with a file for each directive; a directive that comes again adds a line.
cut_blocks() {
	awk -v to="$scratch/blocks" '
		function done() { if (block) { close(name); name = "" } block = 0 }
		/^#/ { next }
		/^[ \t]*$/ { done(); next }
		/^[A-Z_]+( |$)/ {
			if ($1 == "NAME") {
				n++
				block = 1
				system("mkdir -p " to "/" sprintf("%04d", n))
			}
			directive = $1
			value = substr($0, length($1) + 2)
			if (block)
				print value >> (to "/" sprintf("%04d", n) "/" directive)
			next
		}
		block { sub(/^[ \t]+/, ""); print >> (to "/" sprintf("%04d", n) "/" directive) }' "$1"
}

# What a test needs that is not here: the first such directive.
lacks() {
	[ -e PROG ] || { echo 'no program alone (RUN)'; return; }
	for directive in BEFORE AFTER SETUP CLEANUP REQUIRES REQUIRES_FEATURE ENV EXPECT_FILE EXPECT_JSON NEW_PIDNS WILL_FAIL \
			MAX_KERNEL SKIP_IF_ENV_HAS; do
		[ -e $directive ] && { echo "needs $directive"; return; }
	done
	[ ! -e ARCH ] || grep -q "$(uname -m)" ARCH || { echo 'another machine'; return; }
	return 1
}

# Whether all is there that the test expects of the file `said`. A missing file has no lines.
as_expected() {
	sed 's/^[ \t]*//; s/[ \t]*$//' said >trimmed
	touch EXPECT EXPECT_REGEX EXPECT_NONE EXPECT_REGEX_NONE
	while IFS= read -r line; do
		line=$(printf '%s' "$line" | sed 's/^[ \t]*//; s/[ \t]*$//')
		grep -qxF -e "$line" trimmed || return 1
	done <EXPECT
	while IFS= read -r line; do
		grep -qP -e "$line" said || grep -qPz -e "(?m)$line" said || return 1
	done <EXPECT_REGEX
	while IFS= read -r line; do
		! grep -qxF -e "$line" trimmed || return 1
	done <EXPECT_NONE
	while IFS= read -r line; do
		! grep -qP -e "$line" said || return 1
	done <EXPECT_REGEX_NONE
}

for file; do
	cd /
	rm -rf "$scratch/blocks"
	mkdir "$scratch/blocks"
	cut_blocks "$folder/$file"
	for block in "$scratch"/blocks/*; do
		cd "$block" 2>/dev/null || continue
		if why=$(lacks); then
			echo "skipped: $why" >>"$scratch/results"
			continue
		fi
		timeout -s INT -k 2 "$(cat TIMEOUT 2>/dev/null || echo 5)" "$sonde" bt -e "$(cat PROG)" >out 2>said </dev/null
		# bpftrace says how many probes are attached before all else.
		cat out >>said
		if as_expected; then
			echo passed >>"$scratch/results"
			continue
		fi
		why=$(sed -n 's/^stdin:[0-9]*:[0-9-]*: ERROR: //p; s/^ERROR: //p' said | head -n 1)
		echo "failed: ${why:-other output}" >>"$scratch/results"
		echo "FAIL $file: $(cat NAME): ${why:-other output}"
		[ -z "$verbose" ] || { sed 's/^/    program: /' PROG; sed 's/^/    wanted: /' EXPECT EXPECT_REGEX 2>/dev/null; sed 's/^/    /' said; }
	done
done
cd /
echo
sed 's/:.*//' "$scratch/results" | sort | uniq -c | sort -rn
grep ':' "$scratch/results" | sort | uniq -c | sort -rn
