# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# tcpconnect: each connect of a known workload is one row, on every engine; ports, filters, counts.
. "${0%/*}/../lib.sh"

# wanted_rows FILE...: pid comm ip saddr daddr dport of what the workload said.
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $4, $5, $6, $8, $9 }' "$@"; }
# The functions that connect do not have the local address of IPv6: sonde says so, and shows none.
without_local6() {
	if grep -q 'unavailable here: tcp\.connect\.saddr6' "$TMP/$1.err"; then
		awk -F '\t' -v OFS='\t' '$3 == 6 { $4 = "-" } { print }'
	else
		cat
	fi
}
has_v6() { [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; }
families=4
if has_v6; then
	families="4 6"
else
	skip ipv6 "no ::1 on this machine"
fi

for b in $ENGINES; do
	# 300 connections, and some that are refused: attempts all of them.
	ids=
	pids=
	for f in $families; do
		load w$f "$WORK" connects 150 7010 $f
		load r$f "$WORK" -c 'no\x1bone' connects 5 7011 $f refused
		ids="$ids w$f r$f"
		pids=$pids,$(pid w$f),$(pid r$f)
	done
	if [ -n "$WORK32" ]; then
		load c "$WORK32" connects 20 7010 4
		ids="$ids c"
		pids=$pids,$(pid c)
	else
		need32 rows-32-$b
	fi
	start_or_skip rows-$b "$(absences $b)" s tcpconnect --backend $b --json -p "${pids#,}" || { go $ids; continue; }
	go $ids
	stop s && equal ends-$b 0 "$STATUS"
	: >"$TMP/wanted"
	for id in $ids; do
		wanted_rows "$TMP/$id.said" | without_local6 s >>"$TMP/wanted"
	done
	fields "$TMP/s.out" pid comm ip saddr daddr dport >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"

	# The local port comes with the socket's next state: also where the connection is refused.
	load w "$WORK" connects 20 7012 4
	load r "$WORK" connects 2 7013 4 refused
	start s tcpconnect --backend $b --json -L -P 7012,7013
	go w r
	stop s
	wanted_rows "$TMP/w.said" "$TMP/r.said" | cut -f 1,6 >"$TMP/wanted"
	fields "$TMP/s.out" pid dport >"$TMP/got"
	same ports-$b "$TMP/wanted" "$TMP/got"
	awk -F '\t' -v OFS='\t' '$10 == 0 { print $7, $9 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" lport dport | grep '	7012$' >"$TMP/got"
	same local-ports-$b "$TMP/wanted" "$TMP/got"

	# Counted by destination; one family only.
	load w "$WORK" connects 30 7014 4
	load r "$WORK" connects 7 7015 4 refused
	start s tcpconnect --backend $b --json -c -4 -P 7014 -P 7015
	go w r
	stop s
	printf '127.0.0.1\t7014\t30\n127.0.0.1\t7015\t7\n' >"$TMP/wanted"
	fields "$TMP/s.out" raddr rport connects | grep '	701[45]	' >"$TMP/got"
	same counts-$b "$TMP/wanted" "$TMP/got"
	if has_v6; then
		load w "$WORK" connects 3 7016 4
		load r "$WORK" connects 3 7016 6
		start s tcpconnect --backend $b --json -6 -p "$(pid w),$(pid r)"
		go w r
		stop s
		wanted_rows "$TMP/r.said" | without_local6 s >"$TMP/wanted"
		fields "$TMP/s.out" pid comm ip saddr daddr dport >"$TMP/got"
		same ipv6-$b "$TMP/wanted" "$TMP/got"
	fi

	# As text: bcc's columns.
	load w "$WORK" connects 2 7017 4
	start s tcpconnect --backend $b -t -U -p "$(pid w)"
	go w
	stop s
	uid=0
	[ $b = bpf ] || uid=-
	{
		echo "Tracing connect ... Hit Ctrl-C to end"
		echo "TIME(s)   UID    PID     COMM         IP SADDR            DADDR            DPORT"
		wanted_rows "$TMP/w.said" | awk -F '\t' -v uid=$uid \
			'{ printf "TIME      %-6s %-7s %-12s %-2s %-16s %-16s %s\n", uid, $1, $2, $3, $4, $5, $6 }'
	} >"$TMP/wanted"
	sed 's/^[0-9]*\.[0-9]\{3\}  */TIME      /' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"

	if [ $b != bpf ]; then
		refused no-uid-$b 'user id' tcpconnect --backend $b -u 0
		continue
	fi
	cp "$WORK" "$TMP/work-nobody"
	chmod 755 "$TMP" "$TMP/work-nobody"
	load w "$TMP/work-nobody" as 65534 "$TMP/work-nobody" connects 2 7018 4
	load r "$WORK" connects 2 7018 4
	start s tcpconnect --backend $b --json -u 65534 -U -P 7018
	go w r
	stop s
	wanted_rows "$TMP/w.said" | awk -F '\t' -v OFS='\t' '{ print 65534, $1, $6 }' >"$TMP/wanted"
	fields "$TMP/s.out" uid pid dport >"$TMP/got"
	same uid-$b "$TMP/wanted" "$TMP/got"
done
clean left
quiet kernel-log
