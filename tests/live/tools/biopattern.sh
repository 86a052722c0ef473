# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# biopattern: reads in sequence and writes at random of known number and size, to a disk of our own, on every engine.
. "${0%/*}/../lib.sh"

disk rows || exit 0
name=${DISK#/dev/}

# 50 writes at places that lie apart, from the last to the first; 80 reads of places that follow each other.
for b in $ENGINES; do
	load w "$WORK" block write "$DISK" 50 4096 backward
	load r "$WORK" block read "$DISK" 80 65536
	start_or_skip rows-$b "$(absences $b)" s biopattern --backend $b --json -d "$name" || { go w r; continue; }
	start t biopattern --backend $b -T -d "$name"
	start i biopattern --backend $b --json -d "$name" 1
	go w r
	stop s && equal ends-$b 0 "$STATUS"
	stop t && stop i
	lossless lost-$b $b "$TMP/s.out" || continue
	# The first request of each type has none before it: 49 and 79 have.
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" R 0 100 80 5120 "$name" W 100 0 50 200 >"$TMP/wanted"
	fields "$TMP/s.out" disk type random_pct sequential_pct count kbytes >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	fields "$TMP/i.out" type count kbytes |
		awk -F '\t' -v OFS='\t' '{ n[$1] += $2; kb[$1] += $3 } END { for (t in n) print t, n[t], kb[t] }' | sort >"$TMP/got"
	cut -f 2,5,6 "$TMP/wanted" | sort >"$TMP/sums"
	same intervals-$b "$TMP/sums" "$TMP/got"
	{
		echo "Tracing block device I/O requested seeks... Hit Ctrl-C to end."
		echo "TIME      DISK    T  %RND  %SEQ    COUNT     KBYTES"
		awk -F '\t' '{ printf "TIME      %-7s %-1s %5s %5s %8s %10s\n", $1, $2, $3, $4, $5, $6 }' "$TMP/wanted"
	} >"$TMP/text"
	sed 's/^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]  /TIME      /' "$TMP/t.out" >"$TMP/got"
	same text-$b "$TMP/text" "$TMP/got"

	# Each second one lies apart.
	load h "$WORK" block write "$DISK" 80 4096 pairs
	start s biopattern --backend $b --json -d "$name"
	go h
	stop s
	# 40 pairs: 40 in sequence, 39 not, and the first.
	printf 'W\t49\t51\t80\t320\n' >"$TMP/wanted"
	fields "$TMP/s.out" type random_pct sequential_pct count kbytes >"$TMP/got"
	same pairs-$b "$TMP/wanted" "$TMP/got"
done

"$SONDE" biopattern -p 1 >"$TMP/usage" 2>&1
equal usage-pid 2 $?
"$SONDE" biopattern -d no-such-disk >"$TMP/usage" 2>&1
expect usage-disk [ $? != 0 ]
clean left
quiet kernel-log
