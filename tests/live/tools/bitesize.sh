# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# bitesize: the sizes of requests to a disk of our own, under the name of the task that made them.
. "${0%/*}/../lib.sh"

disk sizes || exit 0
name=${DISK#/dev/}
# sized FILE KBYTES: values in the slot that begins there.
sized() { slots "$1" | awk -v low="$2" '$1 == low { n += $3 } END { print n + 0 }'; }

for b in $ENGINES; do
	load w "$WORK" -c bites block write "$DISK" 60
	load r "$WORK" -c bites block read "$DISK" 40 65536
	load f "$WORK" -c bites block write "$DISK" 7 512
	start_or_skip sizes-$b '' s bitesize --backend $b --json -d "$name" || { go w r f; continue; }
	start c bitesize --backend $b --json -d "$name" -c bites
	start n bitesize --backend $b --json -d "$name" -c nobody
	go w r f
	for id in s c n; do
		stop $id
		lossless lost-$b $b "$TMP/$id.out" || continue 2
	done
	equal requests-$b 107 "$(counted "$TMP/s.out")"
	equal pages-$b 60 "$(sized "$TMP/s.out" 4)"
	equal large-$b 40 "$(sized "$TMP/s.out" 64)"
	equal half-$b 7 "$(sized "$TMP/s.out" 0)"
	# Also those that a task of the kernel hands on.
	equal by-name-$b 107 "$(counted "$TMP/s.out" comm bites)"
	equal only-name-$b 107 "$(counted "$TMP/c.out")"
	equal nobody-$b 0 "$(counted "$TMP/n.out")"

	load w "$WORK" -c bites block write "$DISK" 60
	start t bitesize --backend $b -T -d "$name"
	go w
	stop t
	contains text-clock-$b "$TMP/t.out" '^[0-9]{2}:[0-9]{2}:[0-9]{2}$'
	contains text-section-$b "$TMP/t.out" '^Process Name = bites$'
	contains text-head-$b "$TMP/t.out" '^     Kbytes              : count     distribution$'
	contains text-row-$b "$TMP/t.out" '^         4 -> 7          : [0-9]+ +\|\*{40}\|$'
done
clean left
quiet kernel-log
