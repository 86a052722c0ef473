# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# swapin: reads from swap, as many as the kernel itself counts, of the process that reads its memory again.
. "${0%/*}/../lib.sh"

if ! has_kprobes; then
	for b in $ENGINES; do
		refused no-kprobes-$b 'swap.read: this kernel has no kprobes, for (swap_readpage|swap_read_folio)' swapin --backend $b
	done
	exit 0
fi
swap=
cluster=$(cat /proc/sys/vm/page-cluster)
cleanup_hook() { [ -z "$swap" ] || { swapoff "$swap"; echo "$cluster" >/proc/sys/vm/page-cluster; }; }
disk counts && mkswap "$DISK" >/dev/null 2>&1 && swapon "$DISK" 2>/dev/null || {
	skip counts "there is no disk for swap here, or the kernel has no swap"
	exit 0
}
swap=$DISK
echo 0 >/proc/sys/vm/page-cluster	# no neighbours
swapped_in() { sed -n 's/^pswpin //p' /proc/vmstat; }

for b in $ENGINES; do
	load w "$WORK" -c swaps swap 2000
	start_or_skip counts-$b "$(absences $b)" s swapin --backend $b --json 1 || { go w; continue; }
	start o swapin --backend $b --json -p 1 3600
	start t swapin --backend $b -T 3600
	before=$(swapped_in)
	go w || break
	after=$(swapped_in)
	for id in s o t; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	[ "$(said w 2)" != no ] || { skip counts-$b "this kernel writes no memory to swap when asked to (5.4)"; continue; }
	lossless lost-$b $b "$TMP/s.out" || continue
	expect some-$b [ $((after - before)) -gt 100 ]
	equal counts-$b $((after - before)) "$(fields "$TMP/s.out" count | awk '{ n += $1 } END { print n + 0 }')"
	fields "$TMP/s.out" pid comm count | awk -v pid="$(pid w)" '$1 == pid && $2 == "swaps" { n += $3 } END { print n + 0 }' >"$TMP/own"
	between own-$b $(((after - before) * 9 / 10)) "$(cat "$TMP/own")" $((after - before))
	equal other-$b 0 "$(fields "$TMP/o.out" count | wc -l | tr -d ' ')"
	contains time-$b "$TMP/t.out" '^[0-9]{2}:[0-9]{2}:[0-9]{2}$'
	contains head-$b "$TMP/t.out" '^COMM             PID     COUNT$'
	contains text-$b "$TMP/t.out" "^swaps +$(pid w) +[0-9]+\$"

	# Neighbours that are read in advance count, too.
	echo 3 >/proc/sys/vm/page-cluster
	load w "$WORK" -c swaps swap 2000
	start s swapin --backend $b --json 3600
	before=$(swapped_in)
	go w
	after=$(swapped_in)
	stop s
	echo 0 >/proc/sys/vm/page-cluster
	lossless around-lost-$b $b "$TMP/s.out" || continue
	equal around-$b $((after - before)) "$(fields "$TMP/s.out" count | awk '{ n += $1 } END { print n + 0 }')"
done
clean left
quiet kernel-log
