# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Random expressions of trace: the kernel computes for bpf what sonde's machine does for perf and ftrace, of one event.
# What the machine does is compared with a C compiler by the unit tests.
. "${0%/*}/../lib.sh"

has_event sched sched_process_exit || { skip tracepoint "this kernel has no sched:sched_process_exit"; exit 0; }

# 6 questions of 6 values; the same seed makes the same ones.
awk -v seed=7 '
function below(n) { return int(rand() * n) }
function leaf() {
	if (below(3))
		return (below(2) ? "" : below(2) ? "(int)" : "(u32)") "($tid * " (below(3) + 1) "0001000030007ULL)"
	return (below(100) + 1) suffixes[1 + below(4)]
}
function expression(depth) {
	if (!depth || !below(6))
		return leaf()
	k = below(9)
	if (k == 0)
		return "(" substr("-~!+", 1 + below(4), 1) expression(depth - 1) ")"
	if (k < 3)
		return "((" types[1 + below(12)] ")" expression(depth - 1) ")"
	if (k == 3)
		return "(" expression(depth - 1) "?" expression(depth - 1) ":" expression(depth - 1) ")"
	if (k == 4)
		return "(" expression(depth - 1) (below(2) ? "<<" : ">>") "(" expression(depth - 1) "&31))"
	if (k == 5)
		return "(" expression(depth - 1) (below(2) ? "/" : "%") "((" expression(depth - 1) "&0xff)|1))"
	return "(" expression(depth - 1) operators[1 + below(14)] expression(depth - 1) ")"
}
BEGIN {
	srand(seed)
	split("u|U|LL|ULL", suffixes, "|")
	split("u8 s8 u16 s16 u32 s32 u64 s64 int long char bool", types, " ")
	split("+ - * & | ^ < > <= >= == != && ||", operators, " ")
	for (i = 0; i < 6; i++) {
		line = "t:sched:sched_process_exit \"" i ": %lld %lld %lld %lld %lld %lld\""
		for (j = 0; j < 6; j++)
			line = line ", " expression(3)
		print line
	}
}' >"$TMP/questions"
equal questions 6 "$(wc -l <"$TMP/questions")"

load w "$WORK" noop
set --
while read -r question; do
	set -- "$@" "$question"
done <"$TMP/questions"
started=
for b in $ENGINES; do
	start_or_skip starts-$b "$(absences $b)" $b trace --backend $b --json -p "$(pid w)" "$@" && started="$started $b"
done
go w
for b in $started; do
	stop $b
	fields "$TMP/$b.out" message | sort >"$TMP/$b.values"
	equal rows-$b 6 "$(wc -l <"$TMP/$b.values")"
	first=${first:-$b}
	same $first-$b "$TMP/$first.values" "$TMP/$b.values"
done
clean left
quiet kernel-log
