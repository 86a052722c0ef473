# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# bt: maps that probes and an interval add to at the same time. Nothing of either is lost.
. "${0%/*}/../lib.sh"

# The probe adds as often as dd reads, and the interval a thousand times in each of its turns. @new has new entries all the
# time; what is counted in @read is read by a probe, so that it is a value.
interval='interval:ms:10 {
		if (@end) { if (@end == 1) { printf("ends\n"); @end = 2; } return; }
		if (!@own) { printf("begins\n"); }
		for ($i : 0..250) {
			@n++; @n += 3; @n--; @n -= 2; @down[$i % 3, "x"] -= 3; @new[elapsed / 1ms % 5000]++; @read = count(); @own++;
		}
	} END {
		$new = 0; for ($kv : @new) { $new += $kv.1; }
		$down = 0; for ($kv : @down) { $down += $kv.1; }
		printf("len %d\n", len(@new));
		printf("own %d\nn %d\ndown %d\nnew %d\nread %d\n", @own, @n - @own, $down + 3 * @own, $new - @own, @read - @own);
		clear(@n); clear(@down); clear(@new); clear(@read); clear(@own); clear(@end);
	}'
# probe SIZE: a probe of reads of that size.
probe() {
	if has_event syscalls sys_enter_read && { [ $b != bpf ] || has bpf-syscalls; }; then
		echo "t:syscalls:sys_enter_read /args.count == $1/"
	else
		echo "k:vfs_read /arg2 == $1/"
	fi
}
reads() { dd if=/dev/zero of=/dev/null bs="$1" count="$2" 2>/dev/null; }

for b in $ENGINES; do
	# Rings lose events if there are too many.
	each=1500
	[ $b != bpf ] || each=100000
	start_or_skip steps-$b "$(absences $b)|only BPF programs|no kprobes|before 4.6" s bt --backend $b -q --buffer-pages 1024 -e \
		"$(probe 30053) { @n++; @down[1, \"x\"]++; @new[elapsed / 1ms % 5000]++; @read = count(); }
		$(probe 30059) { @end = 1; } $(probe 30061) { printf(\"len %d %d\\n\", len(@new), @read > 0); } $interval" || continue
	wait_for 20 grep -q begins "$TMP/s.out"
	dds=
	for i in 1 2 3; do
		reads 30053 $each &
		dds="$dds $!"
	done
	wait $dds
	reads 30059 1
	wait_for 60 grep -q ends "$TMP/s.out"
	reads 30061 1
	wait_for 20 grep -q len "$TMP/s.out"
	stop s && equal steps-ends-$b 0 "$STATUS"
	own=$(awk '$1 == "own" { print $2 }' "$TMP/s.out")
	between steps-both-$b 250 "$own" 1000000000
	reads=$((3 * each))
	equal steps-$b "n $reads down $reads new $reads read $reads" "$(awk '/^(n|down|new|read) / { print }' "$TMP/s.out" | xargs)"
	equal steps-length-$b "$(awk '$1 == "len" && NF == 3 { print $2 }' "$TMP/s.out")" \
		"$(awk '$1 == "len" && NF == 2 { print $2 }' "$TMP/s.out")"
done

# A container may forbid to attach the program. Older machines set all of a socket by one call of another name.
case $(uname -m) in
i?86 | s390*) ;;
*)
	both="$(b=bpf && probe 30053) { @n++; } interval:ms:10 { @n++; exit(); }"
	if start_or_skip attach "$(absences bpf)|only BPF programs|no kprobes|before 4.6|no BPF programs" s bt --backend bpf -q -e "$both"; then
		await s
		timeout $((20 * SLOW)) "$WORK" refuses EPERM setsockopt "$SONDE" bt --backend bpf -q -e "$both" >"$TMP/f.out" 2>"$TMP/f.err"
		equal attach-refused 1 $?
		contains attach-refused-why "$TMP/f.err" "can't attach to a socket the program that adds to @n while probes do: Operation not permitted"
		contains attach-refused-cause "$TMP/f.err" 'filter or a policy of this machine forbids it'
		contains attach-refused-what "$TMP/f.err" '[(]--backend perf[)]'
	fi
	;;
esac
