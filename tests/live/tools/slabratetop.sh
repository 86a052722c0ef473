# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# slabratetop: a known workload takes so many objects of a cache, of memory by its size, and of many at once; on every engine;
# order, text and filters.
. "${0%/*}/../lib.sh"

# objects FILE CACHE...: how many of these caches, in all tables.
objects() {
	file=$1
	shift
	fields "$file" cache allocs | awk -F '\t' -v names=" $* " 'index(names, " " $1 " ") { n += $2 } END { print n + 0 }'
}
# of_size FILE BYTES: how many pieces of memory with so many bytes.
of_size() {
	fields "$1" cache allocs bytes | awk -F '\t' -v size="$2" '
		$1 ~ /^kmalloc-/ && $3 == $2 * size { n += $2 } END { print n + 0 }'
}
# The caches that the kernel made one with this one.
merged() {
	to=$(readlink "/sys/kernel/slab/$1" 2>/dev/null) || { echo "$1"; return; }
	ls -l /sys/kernel/slab | awk -v to="$to" '$NF == to { print $(NF - 2) }' | xargs
}
# What sonde lacks here: what a cache is called.
unnamed="$(reasons "offset of kmem_cache.name is not known|no kprobes")"

for b in $ENGINES; do
	load w "$WORK" slabs 500
	start_or_skip rows-$b "$(absences $b)|$unnamed" s slabratetop --backend $b --buffer-pages 1024 --json -p "$(pid w)" 1000 || { go w; continue; }
	start i slabratetop --backend $b --buffer-pages 1024 --json -p "$(pid w)" 1
	start a slabratetop --backend $b --json -p 1 1000
	go w
	for id in s i a; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	lossless lost-$b $b "$TMP/s.out" || continue
	n=$(said w 3) large=$(said w 4) bulk=$(said w 5)
	equal sockets-$b "$n" "$(objects "$TMP/s.out" sock_inode_cache)"
	lossless intervals-lost-$b $b "$TMP/i.out" && equal intervals-$b "$n" "$(objects "$TMP/i.out" sock_inode_cache)"
	between by-size-$b "$n" "$(of_size "$TMP/s.out" 2048)" $((n + 50))
	# SLAB has a cache for memory of this size; SLUB has not, and what is in no cache is not shown.
	grep -q "^kmalloc-$large " /proc/slabinfo && wanted=$n || wanted=0
	between large-$b $wanted "$(of_size "$TMP/s.out" "$large")" $((wanted ? n + 50 : 0))
	equal others-$b 0 "$(objects "$TMP/a.out" sock_inode_cache)"
	equal names-$b 0 "$(fields "$TMP/s.out" cache | grep -c '^-$')"
	if [ "$bulk" = 0 ]; then
		skip at-once-$b "this kernel has no rings of requests (io_uring), or does not allow them"
	elif grep -q '"missing":[^]]*"slab.bulk"' "$TMP/s.out"; then
		has_kprobes && fail at-once-$b "not seen, although there are kprobes" || skip at-once-$b "without kprobes these objects are missing"
	else
		# Files may come from the same cache: one for each socket and ring, and few others.
		caches="io_kiocb $(merged io_kiocb)"
		case " $caches " in *' filp '*) files=$((n + bulk / 8)) ;; *) files=0 ;; esac
		between at-once-$b $((bulk + files)) "$(objects "$TMP/s.out" $caches)" $((bulk + files + 100))
	fi

	# Text and order, of everybody.
	for order in size count name; do
		timeout $((30 * SLOW)) "$SONDE" slabratetop --backend $b -C -s $order -r 10 1 1 >"$TMP/$order" 2>"$TMP/err"
		equal ends-$order-$b 0 $?
	done
	equal head-$b 1 "$(grep -c '^CACHE                            ALLOCS      BYTES$' "$TMP/size")"
	equal shape-$b 0 "$(sed '1,/^CACHE/d' "$TMP/size" | grep -cvE '^[^ ]+ +[0-9]+ +([0-9]+|-)$')"
	sed '1,/^CACHE/d' "$TMP/size" | awk '{ print $3 + 0 }' >"$TMP/got"
	sort -rn "$TMP/got" >"$TMP/wanted"
	same by-bytes-$b "$TMP/wanted" "$TMP/got"
	sed '1,/^CACHE/d' "$TMP/count" | awk '{ print $2 }' >"$TMP/got"
	sort -rn "$TMP/got" >"$TMP/wanted"
	same by-objects-$b "$TMP/wanted" "$TMP/got"
done
"$SONDE" slabratetop -s rate >"$TMP/out" 2>"$TMP/err"
equal misuse 2 $?
clean left
quiet kernel-log
