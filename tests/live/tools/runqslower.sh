# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# runqslower: the waits of a known workload that are longer than asked for, each in a line; the others in none. runqlat
# counts the same waits.
. "${0%/*}/../lib.sh"

find_cpu waits || exit 0
for b in $ENGINES; do
	load w "$WORK" pingpong 500 $CPU
	start_or_skip all-$b '' s runqslower --backend $b --buffer-pages 1024 --json -p "$(pid w)" 0 || { go w; continue; }
	start t runqslower --backend $b --buffer-pages 1024 --json --tid "$(pid w)" -P 0
	start q runqlat --backend $b --buffer-pages 1024 --json -p "$(pid w)"
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop t
	stop q
	if lossless lost-$b $b "$TMP/s.out" && lossless lost-$b $b "$TMP/t.out" && lossless lost-$b $b "$TMP/q.out"; then
		between all-$b 499 "$(fields "$TMP/s.out" lat_us | wc -l)" $(($(said w 5) + 1))
		# Those that were started before have seen more of how it waited for the word to go, by the order of their start.
		rows=$(fields "$TMP/s.out" lat_us | wc -l)
		between as-runqlat-$b "$(counted "$TMP/q.out")" "$rows" $(($(said w 5) + 1))
		fields "$TMP/t.out" tid comm >"$TMP/t.rows"
		between thread-rows-$b "$(counted "$TMP/q.out")" "$(wc -l <"$TMP/t.rows")" "$rows"
		equal thread-$b "$(pid w) work" "$(sort -u "$TMP/t.rows" | tr '\t' ' ')"
		# Its partner has the CPU before it, most of the time.
		between previous-$b 400 "$(fields "$TMP/t.out" prev_tid prev_comm | grep -cE "^$(cut -f 3 "$TMP/w.said")	work$|^0	swapper")" 1200
	fi

	# Three that always want the same CPU: each waits for the two others' turns.
	load w "$WORK" spin 3 2000 $CPU
	start s runqslower --backend $b --buffer-pages 1024 --json -p "$(pid w)" 2000
	start q runqlat --backend $b --buffer-pages 1024 --json -p "$(pid w)"
	go w
	stop s
	stop q
	long=$(slots "$TMP/q.out" | awk '$1 >= 2048 { n += $3 } END { print n + 0 }')
	between preempted-$b $((long > 2 ? long - 2 : 1)) "$(fields "$TMP/s.out" lat_us | wc -l)" 4000
	equal only-long-$b 0 "$(fields "$TMP/s.out" lat_us | awk '$1 <= 2000' | wc -l)"

	timeout $((20 * SLOW)) "$SONDE" runqslower --backend $b --duration 1 -P 1 >"$TMP/text" 2>"$TMP/err"
	equal duration-ends-$b 0 $?
	equal banner-$b "Tracing run queue latency higher than 1 us" "$(sed -n 1p "$TMP/text")"
	equal text-head-$b "TIME     COMM             TID           LAT(us) PREV COMM        PREV TID" "$(sed -n 2p "$TMP/text")"
	contains text-row-$b "$TMP/text" '^[0-9]{2}:[0-9]{2}:[0-9]{2} .{16} [0-9]+ +[0-9]+ .{16} [0-9]+$'
done
clean left
quiet kernel-log
