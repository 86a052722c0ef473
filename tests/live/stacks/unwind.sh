# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# --unwind dwarf: the callers of functions that were built without frame pointers, exactly; where a stack is longer than
# what is copied of it, it says so; engines that can't do it say so.
. "${0%/*}/../lib.sh"

# share FILE: of the samples in frameless_often and frameless_seldom those in the first, per cent.
share() { awk '/;frameless_often/ { o += $NF } /;frameless_seldom/ { s += $NF } END { print int(100 * o / (o + s + !s)) }' "$1"; }

for b in bpf ftrace; do
	case " $ENGINES " in *" $b "*) ;; *) continue ;; esac
	refused refused-$b 'frame pointers|takes no samples|for x86 and ARM' profile --backend $b --unwind dwarf
done
load w "$WORK" frameless 2000
if start_or_skip sampling 'for x86 and ARM only|do not tell tasks|in this pid namespace' s profile --backend perf --unwind dwarf -F 199 -f -U -p "$(pid w)"; then
	go w
	stop s && equal ends 0 "$STATUS"
	# From the first function of the program to the last; a few samples are of calls of the kernel.
	sed -n 's/^work;\(_start;.*;main;job_frameless;frameless_outer;frameless_inner;frameless_[a-z]*\) .*/\1/p' "$TMP/s.out" |
		sed 's/^_start;.*;main;/_start;main;/' | sort -u >"$TMP/got"
	printf '_start;main;job_frameless;frameless_outer;frameless_inner;%s\n' frameless_often frameless_seldom >"$TMP/wanted"
	same frames "$TMP/wanted" "$TMP/got"
	between share 65 "$(share "$TMP/s.out")" 85
	# Tables of 32-bit ARM do not tell where a function begins and ends, nor of all that the C library calls.
	case $(uname -m) in arm*) least=80 ;; *) least=95 ;; esac
	between complete $least "$(awk '{ n += $NF } /^work;_start;/ { c += $NF } END { print int(100 * c / (n + !n)) }' "$TMP/s.out")" 100
	expect callers sh -c "! grep -q 'frame pointers' '$TMP/s.err'"

	# Samples are of the wanted tasks alone: the stacks of others are not copied.
	load w "$WORK" frameless 700
	load other "$WORK" frameless 2500
	start s profile --backend perf --unwind dwarf -F 199 -f -U -p "$(pid w)"
	: >"$TMP/other.go"
	go w
	stop s
	kill "$(pid other)"
	own=$(awk '/^work;/ { n += $NF } END { print n + 0 }' "$TMP/s.out")
	between own-samples 1 "$own" 200
	between seen "$own" "$(sed -n 's/^sonde: seen \([0-9]*\),.*/\1/p' "$TMP/s.err")" $((own + 5))

	# offcputime needs all switches, and copies the stacks of the wanted tasks.
	"$WORK" signals "$SONDE" offcputime --backend perf --unwind dwarf --json --verbose --exec "$WORK" asleep 50 5 >"$TMP/e.out" 2>"$TMP/e.err"
	sum() { sed -n "s/.*\"us\": *\([0-9]*\).*/\1/p" | awk '{ n += $1 } END { print n + 0 }'; }
	all=$(grep '"sleep_outer"\|"kernel_stack"' "$TMP/e.out" | grep '"comm": *"work"' | sum)
	named=$(grep '"sleep_outer"' "$TMP/e.out" | sum)
	# 50 sleeps of 5 ms in one thread, which another thread waits for. A switch that the kernel did not record, which
	# sonde says, ends what is known of one sleep.
	missed=$(sed -n 's/^sonde: seen .* missed \([0-9]*\).*/\1/p' "$TMP/e.err")
	between switches-named $((250000 - ${missed:-0} * 6000)) "$named" "$all"
	tid=$(sed -n '/"sleep_outer"/s/.*"tid": *\([0-9]*\).*/\1/p' "$TMP/e.out" | head -n 1)
	between switches-unnamed 0 "$(grep "\"tid\": *${tid:-0}," "$TMP/e.out" | grep -cv '"sleeper"')" "${missed:-0}"
	expect switches-whole sh -c "! grep -q 'not recorded' '$TMP/e.out'"

	load w "$WORK" frameless 1000 20
	start s profile --backend perf --unwind dwarf -F 199 -f -U -p "$(pid w)"
	go w
	stop s
	contains cut "$TMP/s.out" '^work;\[cut: stack dump\];frameless_deep;.*;frameless_deep;frameless_outer;frameless_inner;'
fi
clean left
quiet kernel-log
