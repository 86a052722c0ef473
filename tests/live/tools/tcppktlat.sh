# SPDX-License-Identifier: GPL-2.0
# timeout: 200
#
# tcppktlat: data that waits for a known time has a row each time that it is read, from its oldest segment on; filters, text.
. "${0%/*}/../lib.sh"

has_v6() { [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; }
has_v6 || skip ipv6 "no ::1 on this machine"

# rows FILE: pid comm laddr lport raddr rport, and 1 if the time is long enough and not far too long.
rows() {
	fields "$1" pid comm laddr lport raddr rport ms | awk -F '\t' -v OFS='\t' -v slow="$SLOW" '
		$4 ~ /^76[0-9][0-9]$/ { print $1, $2, $3, $4, $5, $6, ($7 >= 40 && $7 < 40 + 5000 * slow) }'
}
wanted() {
	for id; do
		awk -F '\t' -v OFS='\t' '$1 == "late" { print $2, $3, $4, $5, $6, $7, 1 }' "$TMP/$id.said"
	done
}

for b in $ENGINES; do
	load a "$WORK" late 10 7611 4 20
	load c "$WORK" late 5 7612 4 20
	ids="a c"
	! has_v6 || { load e "$WORK" late 5 7613 6 20; ids="a c e"; }
	start_or_skip rows-$b "$(absences $b)|tcp:tcp_probe" s tcppktlat --backend $b --json 20000 || { go $ids; continue; }
	start p tcppktlat --backend $b --json -p "$(pid a)" 20000
	start l tcppktlat --backend $b --json -l 7612 20000
	start m tcppktlat --backend $b --json -l 7611,7612 100000000
	start t tcppktlat --backend $b -l 7611 20000
	start w tcppktlat --backend $b -w -T -l 7612 20000
	go $ids
	for id in s p l m t w; do
		stop $id
		equal ends-$id-$b 0 "$STATUS"
	done
	lossless lost-$b $b "$TMP/s.out" || continue
	wanted $ids >"$TMP/wanted"
	rows "$TMP/s.out" >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	wanted a >"$TMP/wanted"
	rows "$TMP/p.out" >"$TMP/got"
	same pids-$b "$TMP/wanted" "$TMP/got"
	equal threads-$b 10 "$(fields "$TMP/p.out" pid tid | awk -F '\t' '$1 == $2' | wc -l)"
	wanted c >"$TMP/wanted"
	rows "$TMP/l.out" >"$TMP/got"
	same ports-$b "$TMP/wanted" "$TMP/got"
	equal longer-$b 0 "$(rows "$TMP/m.out" | wc -l)"
	{
		echo "PID     TID     COMM             LADDR           LPORT RADDR           RPORT MS"
		wanted a | awk -F '\t' '{ printf "%-7s %-7s %-16s %-15s %-5s %-15s %-5s MS\n", $1, $1, $2, $3, $4, $5, $6 }'
	} >"$TMP/text"
	sed 's/[0-9]*\.[0-9][0-9]$/MS/' "$TMP/t.out" >"$TMP/got"
	same text-$b "$TMP/text" "$TMP/got"
	contains wide-head-$b "$TMP/w.out" '^TIME     PID     TID     COMM             LADDR                      LPORT RADDR                      RPORT MS$'
	equal wide-rows-$b 5 "$(grep -cE '^[0-9:]{8} .* 7612 .* [0-9]+\.[0-9]{2}$' "$TMP/w.out")"
done
for wrong in '-p 1 -t 1' '-l 0' '-- -1'; do
	# shellcheck disable=SC2086
	"$SONDE" tcppktlat $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
