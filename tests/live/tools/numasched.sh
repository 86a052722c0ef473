# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# numasched: a process and a thread that go from one NUMA node to another and back, so often.
. "${0%/*}/../lib.sh"

hops=20
# first_of NODE: the first CPU of this node.
first_of() { sed 's/[-,].*//' "/sys/devices/system/node/node$1/cpulist" 2>/dev/null; }
nodes=$(ls -d /sys/devices/system/node/node[0-9]* 2>/dev/null | wc -l)

if [ "$nodes" -lt 2 ]; then
	for b in $ENGINES; do
		refused one-node-$b "$(absences $b)|has one NUMA node|NUMA nodes are unknown" numasched --backend $b
	done
	skip moves "this machine has one NUMA node"
	exit 0
fi
a=$(first_of 0) z=$(first_of 1)
# wanted [TID]: "PID TID SRC DST", of this thread or all, in their order.
wanted() {
	awk -F '\t' -v OFS='\t' -v tid="$1" -v a="$a" '$1 == "hop" && (tid == "" || $3 == tid) {
		print $2, $3, $4 == a ? 0 : 1, $5 == a ? 0 : 1 }' "$TMP/w.said"
}

for b in $ENGINES; do
	load_by w "taskset -c $a" "$WORK" hops $hops "$a" "$z"
	start_or_skip moves-$b "$(absences $b)" s numasched --backend $b --json || { go w; continue; }
	start p numasched --backend $b --json -p "$(pid w)"
	start t numasched --backend $b --json -t "$(pid w)"
	start c numasched --backend $b -c work
	start o numasched --backend $b --json -c nobody
	go w
	for id in s p t c o; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	lossless lost-$b $b "$TMP/s.out"
	wanted "" >"$TMP/wanted"
	equal hops-$b $((4 * hops)) "$(wc -l <"$TMP/wanted")"
	fields "$TMP/s.out" pid tid src_nid dst_nid | grep "^$(pid w)	" >"$TMP/got"
	same moves-$b "$TMP/wanted" "$TMP/got"
	fields "$TMP/p.out" pid tid src_nid dst_nid >"$TMP/got"
	same pid-$b "$TMP/wanted" "$TMP/got"
	wanted "$(pid w)" >"$TMP/wanted"
	fields "$TMP/t.out" pid tid src_nid dst_nid >"$TMP/got"
	same tid-$b "$TMP/wanted" "$TMP/got"
	equal names-$b "work	other" "$(fields "$TMP/p.out" comm reason | sort -u)"
	contains heads-$b "$TMP/c.out" '^TIME +PID +TID +SRC_NID +DST_NID +REASON COMM$'
	between comm-$b $((4 * hops)) "$(grep -c ' work$' "$TMP/c.out")" $((4 * hops + 4))
	equal nobody-$b 0 "$(grep -c '"src_nid":' "$TMP/o.out")"
done
clean left
quiet kernel-log
