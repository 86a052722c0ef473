# SPDX-License-Identifier: GPL-2.0
# timeout: 200
#
# A line between two network namespaces that takes its time and loses packets (netem): what is sent again is what the
# kernel counts, once, and neither bytes nor connections suffer from it.
. "${0%/*}/../lib.sh"

modprobe sch_netem 2>/dev/null
modprobe veth 2>/dev/null
"$WORK" lossy 1 7370 10 10 0 0 >"$TMP/out" 2>"$TMP/err" || {
	skip netem "$(cat "$TMP/err")"
	exit
}

# Over 100 pieces of data, a quarter of which do not arrive or are not acknowledged at once.
for b in $ENGINES; do
	start_or_skip retransmits-$b "$(absences $b)" r tcpretrans --backend $b --json || continue
	start_or_skip latency-$b "$(absences $b)" c tcpconnlat --backend $b --json || { stop r; continue; }
	start_or_skip lives-$b "$(absences $b)" s tcplife --backend $b --json -L 7371 || { stop r; stop c; continue; }
	load w "$WORK" lossy 2 7371 40000 20000 10 13
	go w
	for id in r c s; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
		lossless lost-$id-$b $b "$TMP/$id.out" || continue 2
	done
	again=$(fields "$TMP/r.out" lport rport | grep -c 7371)
	expect resends-$b [ "$again" -gt 8 ]
	equal retransmits-$b "$(awk '$1 == "resent" { print $2 }' "$TMP/w.said")" "$again"
	# 10 ms there and 10 ms back.
	equal handshakes-$b 2 "$(fields "$TMP/c.out" dport lat_ms | awk '$1 == 7371 && $2 >= 20' | wc -l)"
	missing=$(grep 'unavailable here' "$TMP/s.err" | tr '\n' ' ')
	awk -F '\t' -v OFS='\t' -v missing="$missing" '$1 == "life" && $2 == "server" {
		tx = missing ~ /tcp\.set_state\.tx/ ? "-" : int($10 / 1024)
		rx = missing ~ /tcp\.set_state\.rx/ ? "-" : int($11 / 1024)
		print $3, $4, $6, $7, $8, $9, tx, rx
	}' "$TMP/w.said" | sort >"$TMP/wanted"
	fields "$TMP/s.out" pid comm laddr lport raddr rport tx_kb rx_kb | awk -F '\t' '$4 == 7371' | sort >"$TMP/got"
	same lives-$b "$TMP/wanted" "$TMP/got"
done
clean left
quiet kernel-log
