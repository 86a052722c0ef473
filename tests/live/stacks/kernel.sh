# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# Stacks of the kernel: they have callers, or each tool that shows them says that this kernel can't walk them: once, on
# stderr, with the reason, and in the end object. The self-test then says that callers are missing.
. "${0%/*}/../lib.sh"

said='callers are missing in stacks of the kernel, which can.t walk them'

for b in $ENGINES; do
	[ $b != ftrace ] || has ftrace-stacks || continue
	load w "$WORK" asleep 5 20
	start_or_skip sleeps-$b "$(absences_of_stacks $b)" s offcputime --backend $b -K --json -p "$(pid w)" || { go w; continue; }
	start_or_skip without-$b "$(absences_of_stacks $b)" o offcputime --backend $b --without kernel-stacks -K --json -p "$(pid w)" || { go w; stop s; continue; }
	start u offcputime --backend $b --without kernel-stacks -U -f -p "$(pid w)"
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop o && equal without-ends-$b 0 "$STATUS"
	stop u
	callers=$(grep -c 'sys[^"]*"' "$TMP/s.out")
	if has kernel-stacks; then
		between callers-$b 1 "$callers" 1000
		expect silent-$b sh -c "! grep -qE '$said' '$TMP/s.err'"
	else
		equal said-$b 1 "$(grep -cE "$said" "$TMP/s.err")"
		contains missing-$b "$TMP/s.out" '"missing": *\[.*callers in stacks of the kernel'
	fi
	equal without-said-$b 1 "$(grep -cE "$said" "$TMP/o.err")"
	contains without-missing-$b "$TMP/o.out" '"missing": *\[.*callers in stacks of the kernel'
	expect user-silent-$b sh -c "! grep -qE '$said' '$TMP/u.err'"
done

# A system call's tracepoint has no functions of the kernel below it: the stack is empty, and the event is there.
cat >"$TMP/calls.bt" <<'EOF'
t:syscalls:sys_enter_getsid /comm == "own-kernel"/ { @[kstack] = count(); @n = count(); }
EOF
cp "$WORK" "$TMP/own-kernel"
for b in $ENGINES; do
	start_or_skip calls-$b "$(absences_of_stacks $b)" s bt --backend $b "$TMP/calls.bt" || continue
	"$TMP/own-kernel" calls 5 >"$TMP/calls"
	stop s
	contains calls-$b "$TMP/s.out" '^@n: 5$'
	contains calls-stack-$b "$TMP/s.out" '^\]: 5$'
done
clean left
