#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# early.sh KERNEL: a guest prints how its kernel records its own start; the next one is begun so, and sonde reads its rings.
# By the kernel's command line, and by its boot configuration where it takes one. Prints verdicts.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
kernel=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# guest NAME COMMAND OPTION...: what it leaves is in $tmp/left, what it said in $tmp/said.
guest() {
	name=$1 command=$2
	shift 2
	rm -rf "$tmp/left"
	"$here/lab.sh" "K=$kernel" "$@" --results "$tmp/left" --run "$command" >"$tmp/said" 2>&1
	status=$?
	if [ $status = 77 ]; then
		echo "SKIP lab:early: $(tail -n 1 "$tmp/said")"
		exit 0
	fi
	verdict ran "[ $status = 0 ]"
}
# verdict NAME CONDITION, a shell's.
verdict() {
	if eval "$2"; then
		echo "PASS lab:early-$name-$1"
	else
		echo "FAIL lab:early-$name-$1: $2 (status $status)"
		tail -n 20 "$tmp/said" | sed 's/^/# /'
	fi
}
# look FOLDER INPUT: a kernel before 6.10 gives its events once. The text of the rings tells when they begin.
look() {
	cat <<-LOOK
		grep -h -v '^#' $1/trace | head -n 1 | sed 's/.* \\([0-9]*[.][0-9]*\\): .*/began \\1/'
		dmesg | sed -n 's/^\\[ *\\([0-9.]*\\)\\] Run .* as init process.*/first \\1/p'
		cat $1/per_cpu/cpu*/stats | sed -n '/^overrun/p; /^dropped/p'
		./sonde bootchart $2 -o - >\$RESULTS/svg; ./sonde execsnoop --input $2 2>&1 | head -n 3; true
	LOOK
}
# Records are from before the first program; what it began, and what that began, are processes of the picture.
seen() {
	verdict early "awk '\$1 == \"began\" { b = \$2 } \$1 == \"first\" { f = \$2 } END { exit !(b && b < f) }' \"\$tmp/said\""
	verdict whole '! grep -E "^(overrun|dropped events): [1-9]" "$tmp/said"'
	verdict child "grep -q '^<g><title>mount ([0-9]*) of init (1), from [0-9.]* s, to ' \"\$tmp/left/svg\""
	verdict threads "grep -q 'threads of the kernel' \"\$tmp/left/svg\""
	verdict idle "! grep -q '<title>swapper' \"\$tmp/left/svg\""
}

guest print './sonde record --print-bootconfig -m 1024 >$RESULTS/boot; zcat /proc/config.gz 2>/dev/null | grep BOOTTIME; true'
cp "$tmp/left/boot" "$tmp/boot"
line=$(sed -n 's/^# \(trace_buf_size=.*\)/\1/p' "$tmp/boot")
verdict line '[ -n "$line" ]'
takes=$(grep -c CONFIG_BOOTTIME_TRACING=y "$tmp/said")

guest parameters "$(look /sys/kernel/tracing tracefs)" --append "$line"
seen
verdict init "grep -q '^<g><title>init (1), from [0-9.]* s: ' \"\$tmp/left/svg\""
# The second reader finds them again, or is told.
verdict again 'grep -q "busybox\|events were taken out" "$tmp/said"'

if [ "$takes" = 0 ]; then
	echo "SKIP lab:early-bootconfig: this kernel was built without CONFIG_BOOTTIME_TRACING"
	exit 0
fi
guest bootconfig "$(look /sys/kernel/tracing/instances/sonde tracefs:sonde)" --bootconfig "$tmp/boot"
seen
