# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# Programs that are linked to a fixed address have code at the same addresses: a static shell, as boards have one, and what
# it starts. A script's keys with stacks have the functions of the program that was sampled, not addresses.
. "${0%/*}/../lib.sh"

# fixed FILE: an ELF file of this kind (ET_EXEC).
fixed() { [ "$(od -A n -t u1 -j 16 -N 1 "$1" 2>/dev/null | tr -d ' ')" = 2 ]; }

# The ash of busybox finds itself without a file.
for shell in /bin/busybox "$(command -v busybox)"; do
	[ ! -f "$shell" ] || break
done
{ [ -f "$shell" ] && fixed "$(readlink -f "$shell")"; } || { skip shell "busybox is missing here, or not linked to a fixed address"; exit; }
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
# sonde itself is linked so, too, and the command of --exec begins as its child.
for b in $ENGINES; do
	[ $b != ftrace ] || continue
	timeout $((30 * SLOW)) "$SONDE" profile --backend $b -F 199 -f -U --exec "$WORK" frameless 500 >"$TMP/e.out" 2>"$TMP/e.err"
	[ $? = 0 ] || { skip exec-$b "$(head -n 1 "$TMP/e.err")"; continue; }
	contains exec-$b "$TMP/e.out" '^work;.*frameless_often '
	between exec-unknown-$b 0 "$(awk '/^work(;\[unknown\])* [0-9]+$/ { n += $NF } END { print n + 0 }' "$TMP/e.out")" 5
done
clean left
