# SPDX-License-Identifier: GPL-2.0
#
# Stacks of what `perf record -g` wrote: names and counts are those of `perf script`, and names that may be wrong are
# not given.
. "${0%/*}/../lib.sh"

if ! perf record -q -a -g -e sched:sched_process_exit -o "$TMP/data" true >"$TMP/perf" 2>&1; then
	skip perf "$(head -n 1 "$TMP/perf")"
	exit
fi

# kernel_stacks FILE EVENT: the kernel's stacks by perf script, as `--folded -K` has them: "first;second;last COUNT".
# Functions without a name are left out: of BPF programs perf may know names that come from nowhere certain.
kernel_stacks() {
	perf script -i "$1" -F event,ip,sym 2>"$TMP/script.err" | awk -v event="$2" '
		function end() { if (on && stack != "") sums[stack]++; stack = ""; on = 0 }
		NF == 0 { end(); next }
		/^[^ \t].*:/ || /:[ \t]*$/ { end(); on = index($0, event) > 0; next }
		on && $1 ~ /^ffff/ { stack = stack == "" ? $2 : $2 ";" stack }
		END { end(); for (stack in sums) print stack, sums[stack] }' | sort
}

perf record -q -a -g -e sched:sched_switch -o "$TMP/data" -- "$WORK" pingpong 300 >"$TMP/job" 2>"$TMP/perf"
"$SONDE" stackcount -K t:sched:sched_switch --folded --input "$TMP/data" 2>"$TMP/err" | sed '/^Tracing/d; s/^[^;]*;//' | sort >"$TMP/got"
kernel_stacks "$TMP/data" sched_switch >"$TMP/wanted"
if grep -q 'have no names' "$TMP/err"; then
	notes "$TMP/err"
	skip names "perf does not tell where the kernel is"
else
	[ -s "$TMP/wanted" ] && same names "$TMP/wanted" "$TMP/got"
fi

# A stream has no build id. Root's copy of the names goes with it, and one of another start does not.
if perf record -q -a -g -e sched:sched_switch -o - -- "$WORK" pingpong 100 2>"$TMP/perf" >"$TMP/stream"; then
	"$SONDE" stackcount -K t:sched:sched_switch --folded --input "$TMP/stream" >"$TMP/got" 2>"$TMP/err"
	contains unnamed "$TMP/err" 'have no names: .*build id'
	contains advised "$TMP/err" 'kallsyms FILE takes it'
	"$SONDE" stackcount -K t:sched:sched_switch --folded --kallsyms /proc/kallsyms --input "$TMP/stream" 2>"$TMP/err" |
		sed '/^Tracing/d; s/^[^;]*;//' | sort >"$TMP/got"
	kernel_stacks "$TMP/stream" sched_switch >"$TMP/wanted"
	same given "$TMP/wanted" "$TMP/got"
	sed 's/^fff\(.*\) T _\(s*\)text$/ffe\1 T _\2text/' /proc/kallsyms >"$TMP/kallsyms"
	"$SONDE" stackcount -K t:sched:sched_switch --folded --kallsyms "$TMP/kallsyms" --input "$TMP/stream" >"$TMP/got" 2>"$TMP/err"
	contains refused "$TMP/err" 'and the recorded kernel had it at'
fi
