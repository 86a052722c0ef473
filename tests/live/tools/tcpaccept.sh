# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# tcpaccept: each connection a program is handed is a row of that program, on every engine; ports, families, processes.
. "${0%/*}/../lib.sh"

has_v6() { [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; }
has_v6 || skip ipv6 "no ::1 on this machine"
kinds="4 46 6"
has_v6 || kinds=4

# wanted ID...: pid comm ip raddr rport laddr lport of the servers' ends.
wanted() {
	for id; do
		awk -F '\t' -v OFS='\t' '$1 == "life" && $2 == "server" { print $3, $4, $5, $8, $9, $6, $7 }' "$TMP/$id.said"
	done | if grep -q 'unavailable here: tcp\.accept\.daddr6' "$TMP/s.err"; then
		awk -F '\t' -v OFS='\t' '$3 == 6 { $4 = $6 = "-" } { print }'
	else
		cat
	fi
}
got() { fields "$TMP/s.out" pid comm ip raddr rport laddr lport; }

for b in $ENGINES; do
	known=$(absences $b)
	has_kprobes || known="${known:+$known|}this kernel has no kprobes, for inet_csk_accept"
	ids=
	for k in $kinds; do
		load client$k "$WORK" sessions 5 7231 $k 3000 2000 client
		load reset$k "$WORK" sessions 3 7232 $k 3000 2000 server reset
		ids="$ids client$k reset$k"
	done
	start_or_skip rows-$b "$known" s tcpaccept --backend $b --json -P 7231,7232 || { go $ids; continue; }
	go $ids
	stop s && equal ends-$b 0 "$STATUS"
	wanted $ids >"$TMP/wanted"
	got >"$TMP/got"
	lossless lost-$b $b "$TMP/s.out"
	same rows-$b "$TMP/wanted" "$TMP/got"

	# One process; one family; calls that find nobody waiting return no socket.
	load w "$WORK" connects 5 7233 4
	load v "$WORK" sessions 2 7234 4 2000 2000 client
	load x "$WORK" accepts-nobody 20 7235
	start s tcpaccept --backend $b --json -p "$(pid w),$(pid x)" -4
	start t tcpaccept --backend $b --json -6 -P 7233,7234,7235
	go w v x
	stop s && stop t
	awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $4, 4, $8, $7, $6, $9 }' "$TMP/w.said" >"$TMP/wanted"
	got >"$TMP/got"
	same pids-$b "$TMP/wanted" "$TMP/got"
	mv "$TMP/t.out" "$TMP/s.out"
	got >"$TMP/got"
	expect family-$b [ ! -s "$TMP/got" ]

	# Many wait at a time, more than the kernel keeps returns for by itself.
	if has kretprobe-room; then
		load w "$WORK" crowd 60 7237
		start s tcpaccept --backend $b --json -P 7237
		go w
		stop s
		awk '$1 == "accept" { print $2 }' "$TMP/w.said" | sort >"$TMP/wanted"
		fields "$TMP/s.out" pid | sort >"$TMP/got"
		same crowd-pids-$b "$TMP/wanted" "$TMP/got"
		awk '$1 == "port" { print $2 }' "$TMP/w.said" | sort >"$TMP/wanted"
		fields "$TMP/s.out" rport | sort >"$TMP/got"
		same crowd-ports-$b "$TMP/wanted" "$TMP/got"
		missed=$(reported "$TMP/s.out" missed)
		# Before 6.2 kernels do not count returns, and before 6.7 not what BPF programs miss.
		[ -z "$missed" ] && older 6.7 || equal crowd-missed-$b 0 "$missed"
	else
		skip crowd-$b "this kernel keeps few returns of one function"
	fi

	# As text: bcc's columns.
	load w "$WORK" sessions 2 7236 4 2000 2000 client
	start s tcpaccept --backend $b -T -t --port 7236
	go w
	stop s
	wanted w | awk -F '\t' '
		BEGIN { print "TIME      TIME(s)   PID     COMM         IP RADDR            RPORT LADDR            LPORT" }
		{ printf "TIME      TIME      %-7s %-12s %-2s %-16s %-5s %-16s %s\n", $1, $2, $3, $4, $5, $6, $7 }' >"$TMP/wanted"
	sed 's/^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]  [0-9]*\.[0-9]\{3\}     /TIME      TIME      /; s/ *$//' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
done
clean left
quiet kernel-log
