# SPDX-License-Identifier: GPL-2.0
#
# cpuunclaimed: three tasks that want one CPU leave the others unclaimed, for as long as these are idle by the kernel's own
# account; lengths by CPU; text. Only BPF can read it.
. "${0%/*}/../lib.sh"

for b in $ENGINES; do
	[ $b = bpf ] || refused refused-$b "only BPF programs can read the kernel's memory" cpuunclaimed --backend $b
done
case " $ENGINES " in
*" bpf "*) ;;
*) exit 0 ;;
esac

CPU=0
n=$(nproc)
known='no BPF|is not known: no BTF|has no running|no BPF programs on samples'
# Ticks of all CPUs: idle, all.
ticks() { awk '$1 == "cpu" { for (i = 2; i <= 9; i++) all += $i; print $5 + $6, all }' /proc/stat; }

load w "$WORK" spin 3 4000 $CPU
start_or_skip sampling "$(absences bpf)${known:+|}$known" s cpuunclaimed --json 1 || { go w; exit 0; }
start j cpuunclaimed -j 1
before=$(ticks)
go w
after=$(ticks)
stop s && equal ends 0 "$STATUS"
stop j
# Of the time that the machine had, in percent: how much CPUs were idle, and how much they can be unclaimed at most.
idle=$(echo "$before $after" | awk '{ print int(100 * ($3 - $1) / ($4 - $2)) }')
most=$((100 * (n - 1) / n + 3))
[ $n -le 3 ] || { [ $((200 / n)) -ge $idle ] || idle=$((200 / n)); most=$((300 / n)); }
fields "$TMP/s.out" cpu_percent unclaimed_percent samples >"$TMP/rows"
unclaimed=$(awk -F '\t' '$2 > most { most = $2 } END { print int(most) }' "$TMP/rows")
echo "# idle $idle %, unclaimed $unclaimed %"
between unclaimed $((idle - 20)) "$unclaimed" $most
equal sane 0 "$(awk -F '\t' '$3 > 0 && !($1 >= 0 && $2 >= 0 && $1 + $2 < 100.01)' "$TMP/rows" | wc -l | tr -d ' ')"
between samples 100 "$(awk -F '\t' '{ n += $3 } END { print n + 0 }' "$TMP/rows")" 2000
# The first CPU has three tasks or more in most lines.
awk -F , 'NR > 1 { n++; busy += $2 >= 3 } END { print n + 0, int(100 * busy / (n ? n : 1)) }' "$TMP/j.out" >"$TMP/got"
read -r lines percent <"$TMP/got"
between lines 100 "$lines" 2000
between busy 40 "$percent" 100
equal lines-head "TIMESTAMP_ns,CPU0" "$(sed -n 1p "$TMP/j.out" | cut -d , -f 1,2)"

timeout $((20 * SLOW)) "$SONDE" cpuunclaimed -T 1 2 >"$TMP/text" 2>"$TMP/err"
equal count-ends 0 $?
equal text 2 "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2} %CPU +[0-9]+\.[0-9]{2}%, unclaimed idle [0-9]+\.[0-9]{2}%$' "$TMP/text")"
timeout $((20 * SLOW)) "$SONDE" runqlen --unclaimed 1 1 >"$TMP/text" 2>"$TMP/err"
equal option 1 "$(grep -cE '^%CPU +[0-9]+\.[0-9]{2}%, unclaimed idle [0-9]+\.[0-9]{2}%$' "$TMP/text")"
clean left
quiet kernel-log
