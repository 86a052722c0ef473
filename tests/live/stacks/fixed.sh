# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# Programs that are linked to a fixed address have code at the same addresses: a static shell, as boards have one, and what
# it starts. A script's keys with stacks have the functions of the program that was sampled, not addresses.
. "${0%/*}/../lib.sh"

# fixed FILE: an ELF file of this kind (ET_EXEC).
fixed() { [ "$(od -A n -t u1 -j 16 -N 1 "$1" 2>/dev/null | tr -d ' ')" = 2 ]; }

shell=$(command -v busybox) && shell=$(readlink -f "$shell")
{ [ -n "$shell" ] && fixed "$shell"; } || { skip shell "busybox is missing here, or not linked to a fixed address"; exit; }
fixed "$WORK" || { skip program "the workload is not linked to a fixed address here"; exit; }

for b in $ENGINES; do
	[ $b != ftrace ] || continue
	start_or_skip names-$b 'no BPF programs on samples|do not tell tasks|no BPF maps of stacks' s bt --backend $b \
		-e 'profile:hz:199 /comm == "work"/ { @[ustack(1)] = count(); }' || continue
	"$shell" sh -c '"$0" frameless 700 >/dev/null; "$0" frameless 300 >/dev/null; exit $?' "$WORK"
	stop s && equal ends-$b 0 "$STATUS"
	contains function-$b "$TMP/s.out" '^ *frameless_often\+'
	# A few samples are of the shell's child under its old name, and of code that has no symbol.
	equal addresses-$b 0 "$(grep -c '^ *0x[45]' "$TMP/s.out")"
	expect silent-$b sh -c "! grep -q 'other code at the same address' '$TMP/s.err'"
done
clean left
