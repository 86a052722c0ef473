# SPDX-License-Identifier: GPL-2.0
#
# runqlen: three tasks that want one CPU are two that wait, in nearly all samples; occupancy; text. Only BPF can read it.
. "${0%/*}/../lib.sh"

for b in $ENGINES; do
	[ $b = bpf ] || refused refused-$b "only BPF programs can read the kernel's memory" runqlen --backend $b
done
case " $ENGINES " in
*" bpf "*) ;;
*) exit 0 ;;
esac

CPU=0
known='no BPF|is not known: no BTF|has no running|no BPF programs on samples'
timeout $((20 * SLOW)) "$SONDE" runqlen --json -C 1 1 >"$TMP/before" 2>"$TMP/err"
# sampled ARGS...: output in $TMP/s.out while three want the CPU for two seconds; $took: how long it ran at most.
sampled() {
	load w "$WORK" spin 3 2000 $CPU
	began=$(date +%s)
	start_or_skip "sampling-$1" "$(absences bpf)${known:+|}$known" s runqlen --json "$@" || { go w; exit 0; }
	go w
	stop s && equal "ends-$1" 0 "$STATUS"
	took=$(($(date +%s) - began + 1))
}
sampled -C
slots "$TMP/s.out" cpu $CPU >"$TMP/slots"
all=$(awk '{ n += $3 } END { print n + 0 }' "$TMP/slots")
between samples 50 "$all" $((99 * took + 20))
between waiting $((all * 6 / 10)) "$(awk '$1 >= 2 { n += $3 } END { print n + 0 }' "$TMP/slots")" "$all"
expect cpus [ "$(fields "$TMP/s.out" cpu | grep -c .)" = "$(nproc)" ]
# Others may wait, too, but nobody can make it fewer than two.
typical=$(awk '$3 > most { most = $3; at = $1 } END { print at }' "$TMP/slots")
expect typical [ "$typical" -ge 2 ]
# Where nobody else does: two.
slots "$TMP/before" cpu $CPU | awk '{ n += $3 } $1 == 0 { none = $3 } END { exit !(none > 0.9 * n) }' &&
	equal exactly 2 "$typical"
sampled -CO
percent=$(fields "$TMP/s.out" cpu runqocc_percent | awk -F '\t' -v cpu=$CPU '$1 == cpu { print int($2) }')
between occupancy 60 "$percent" 100
sampled -f 500
between more-samples 500 "$(counted "$TMP/s.out")" $((500 * took * $(nproc) + 100))

# Some kernels (6.18 on virtual machines) take no samples of idle CPUs: they count as such.
timeout $((20 * SLOW)) "$SONDE" runqlen --json -CO 2 1 >"$TMP/idle" 2>"$TMP/err"
equal all-cpus "$(nproc)" "$(fields "$TMP/idle" cpu samples | awk -F '\t' '$2 > 100 && $2 <= 220' | wc -l)"

timeout $((20 * SLOW)) "$SONDE" runqlen -T 1 2 >"$TMP/text" 2>"$TMP/err"
equal count-ends 0 $?
equal banner 'Sampling run queue length... Hit Ctrl-C to end.' "$(sed -n 1p "$TMP/text")"
equal heads 2 "$(grep -c '^     runqlen       : count     distribution$' "$TMP/text")"
contains row "$TMP/text" '^        0          : [0-9]+ +\|[*+ ]{40}\|$'
equal times 2 "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2}$' "$TMP/text")"
"$SONDE" runqlen -O 1 1 >"$TMP/text" 2>"$TMP/err"
contains occupancy-text "$TMP/text" '^runqocc: [0-9]+\.[0-9]{2}%$'
"$SONDE" runqlen -CO 1 1 >"$TMP/text" 2>"$TMP/err"
contains occupancy-cpu "$TMP/text" "^runqocc, CPU $CPU   +[0-9]+\.[0-9]{2}%\$"
"$SONDE" runqlen -O --heatmap 1 1 >"$TMP/text" 2>"$TMP/err"
equal no-heatmap 2 $?
clean left
quiet kernel-log
