# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# cpudist: each stay of a known workload on its CPU is counted once, and each time off it; together they are its life.
. "${0%/*}/../lib.sh"

# total FILE: of all times, in microseconds; a slot's values are up to an eighth above its lowest.
total() { slots "$1" | awk '{ n += $3 * $1 } END { print n + 0 }'; }

find_cpu stays || exit 0
for b in $ENGINES; do
	# Each turn takes both off the CPU once; so does each task that preempts them.
	load w "$WORK" pingpong 500 $CPU
	start_or_skip pingpong-$b '' s cpudist --backend $b --buffer-pages 1024 --json -P || { go w; continue; }
	start t cpudist --backend $b --buffer-pages 1024 --json -O -p "$(pid w)"
	start u cpudist --backend $b --buffer-pages 1024 --json -O -L
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop t
	stop u
	if lossless lost-$b $b "$TMP/s.out" && lossless lost-$b $b "$TMP/t.out" && lossless lost-$b $b "$TMP/u.out"; then
		between pingpong-$b 499 "$(counted "$TMP/s.out" pid "$(said w 2)")" $(($(said w 5) + 1))
		between child-$b 499 "$(counted "$TMP/s.out" pid "$(said w 3)")" $(($(said w 6) + 1))
		between off-$b 499 "$(counted "$TMP/t.out")" $(($(said w 5) + 1))
		between child-off-$b 499 "$(counted "$TMP/u.out" tid "$(said w 3)")" $(($(said w 6) + 1))
		equal no-idle-$b 0 "$(counted "$TMP/s.out" pid 0)"
	fi

	# Three that want one CPU for two seconds, and one that waits for them: what they are on it is what the kernel says
	# or, with interrupts, more; with what they are off it, it is four times the time that passes, whatever else the
	# machine does.
	load w "$WORK" spin 3 2000 $CPU
	start s cpudist --backend $b --buffer-pages 1024 --json -p "$(pid w)" -e
	start t cpudist --backend $b --buffer-pages 1024 --json -p "$(pid w)" -e -O -m
	go w
	stop s
	stop t
	on=$(total "$TMP/s.out")
	wall=$(said w 6)
	between on-$b $(($(said w 5) * 3 / 4)) "$on" $((wall + wall / 10))
	between life-$b $((wall * 3)) $((on + $(total "$TMP/t.out") * 1000)) $((wall * 4 + wall / 3))
	sum() { sed -n 's/.*"total":\([0-9]*\),"count":\([0-9]*\)}$/\2 \1/p' "$1"; }
	# The last switch of a task may come when its end is known, and between the readings of the two tables.
	slots=$(counted "$TMP/s.out")
	between totals-count-$b $((slots - 1)) "$(sum "$TMP/s.out" | cut -d ' ' -f 1)" $((slots + 1))
	between totals-$b "$on" "$(sum "$TMP/s.out" | cut -d ' ' -f 2)" $((on + on / 8 + 1000))

	# Each sleep of a millisecond is one time off the CPU of that length.
	load w "$WORK" sleeps 1000 $CPU
	start s cpudist --backend $b --buffer-pages 1024 --json -O -p "$(pid w)" 1
	go w
	stop s
	lossless sleeps-lost-$b $b "$TMP/s.out" &&
		between sleeps-$b 980 "$(slots "$TMP/s.out" | awk '$1 >= 896 { n += $3 } END { print n + 0 }')" $(($(said w 4) + 1))

	# A count of intervals ends it; the time of day and milliseconds as text.
	timeout $((20 * SLOW)) "$SONDE" cpudist --backend $b -mT 1 2 >"$TMP/text" 2>"$TMP/err"
	equal count-ends-$b 0 $?
	equal banner-$b 'Tracing on-CPU time... Hit Ctrl-C to end.' "$(sed -n 1p "$TMP/text")"
	contains text-head-$b "$TMP/text" '^     msecs               : count     distribution$'
	contains text-row-$b "$TMP/text" '^         0 -> 1          : [0-9]+ +\|[*+ ]{40}\|$'
	between text-times-$b 2 "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2}$' "$TMP/text")" 2
done
clean left
quiet kernel-log
