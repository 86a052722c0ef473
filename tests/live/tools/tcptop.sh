# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# tcptop: the bytes of known sessions are those of their rows, on every engine: what calls moved, not what they asked for;
# looks and bytes of the kernel do not count, and threads that waited before do; UDP and UNIX; filters, subnets, text.
. "${0%/*}/../lib.sh"

has_v6() { [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; }
has_v6 || skip ipv6 "no ::1 on this machine"
kinds="4 46 6"
has_v6 || kinds=4

# wanted ID...: pid comm laddr lport raddr rport rx tx, of what the workloads said.
wanted() {
	unread6=$(grep -c 'flow.send.saddr6' "$TMP/s.err")
	for id; do
		awk -F '\t' -v OFS='\t' -v unread6="$unread6" '$1 == "life" {
			if ($5 == 6 && unread6)
				$6 = $8 = "-"
			print $3, $4, $6, $7, $8, $9, $11 - $12, $10
		}' "$TMP/$id.said"
	done | sort
}
# got FILE: the same of sonde's rows, without others' connections.
got() {
	fields "$1" pid comm laddr lport raddr rport rx_bytes tx_bytes |
		awk -F '\t' '$4 ~ /^74[0-9][0-9]$/ || $6 ~ /^74[0-9][0-9]$/' | sort
}

for b in $ENGINES; do
	ids=
	for k in $kinds; do
		load client$k "$WORK" sessions 5 7401 $k 100000 5000 client
		load server$k "$WORK" sessions 5 7402 $k 3000 300000 server
		load reset$k "$WORK" sessions 3 7403 $k 10000 20000 server reset
		ids="$ids client$k server$k reset$k"
	done
	load each "$WORK" transfers 3 7404
	start_or_skip rows-$b "$(absences $b)|since 6\\.3" s tcptop --backend $b --json 1000 || { go $ids each; continue; }
	start i tcptop --backend $b --json 1
	go $ids each
	stop s && equal ends-$b 0 "$STATUS"
	stop i
	lossless lost-$b $b "$TMP/s.out"
	wanted $ids each >"$TMP/wanted"
	got "$TMP/s.out" >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	# Intervals add up.
	got "$TMP/i.out" | awk -F '\t' -v OFS='\t' '
		{ key = $1 OFS $2 OFS $3 OFS $4 OFS $5 OFS $6; rx[key] += $7; tx[key] += $8 }
		END { for (key in rx) print key, rx[key], tx[key] }' | sort >"$TMP/got"
	same intervals-$b "$TMP/wanted" "$TMP/got"

	# A thread that has waited for bytes since before sonde: all that it gets counts. TCP_QUICKACK is no byte.
	rm -f "$TMP/wake"
	"$WORK" sleeper 7405 "$TMP/wake" >"$TMP/sleeper.said" 2>"$TMP/sleeper.err" &
	pid_sleeper=$!
	running="$running $pid_sleeper"
	wait_for 10 [ -e "$TMP/wake.ready" ]
	start s tcptop --backend $b --json -s received 1000
	: >"$TMP/wake"
	wait "$pid_sleeper"
	equal sleeper-$b 0 $?
	stop s
	# Without kprobes and the socket, the ends of a connection that only sends are unknown.
	side=.
	! grep -q 'ends.state: tracepoint' "$TMP/s.err" || side='	sleeper	'
	grep "$side" "$TMP/sleeper.said" | awk -F '\t' -v OFS='\t' '{ print $3, $7, $9, $11, $10 }' | sort >"$TMP/wanted"
	got "$TMP/s.out" | cut -f 1,4,6,7,8 >"$TMP/got"
	same sleepers-$b "$TMP/wanted" "$TMP/got"

	# By process, by family, by network, and in order.
	load a "$WORK" sessions 2 7406 4 20000 2000 client
	load c "$WORK" sessions 2 7407 4 2000 20000 client
	[ "$kinds" = 4 ] || load e "$WORK" sessions 2 7408 6 2000 2000 client
	start s tcptop --backend $b --json -p "$(pid a)" 1000
	start t tcptop --backend $b --json -4 -s sent -r 4 1000
	start u tcptop --backend $b --json -6 1000
	start v tcptop --backend $b --json --subnet 127.0.0.0/9,::1,0.0.0.0/0 1000
	start x tcptop --backend $b --json --subnet 192.0.2.0/24 1000
	go a c
	[ "$kinds" = 4 ] || go e
	for id in s t u v x; do
		stop $id
	done
	wanted a | grep "^$(pid a)	" >"$TMP/wanted"
	got "$TMP/s.out" >"$TMP/got"
	same pids-$b "$TMP/wanted" "$TMP/got"
	equal pids-only-$b 2 "$(fields "$TMP/s.out" pid rx_bytes | wc -l)"
	fields "$TMP/t.out" tx_bytes >"$TMP/got"
	sort -rn "$TMP/got" >"$TMP/wanted"
	same order-$b "$TMP/wanted" "$TMP/got"
	equal most-rows-$b 4 "$(wc -l <"$TMP/got")"
	if [ "$kinds" != 4 ]; then
		wanted e >"$TMP/wanted"
		got "$TMP/u.out" >"$TMP/got"
		same ipv6-$b "$TMP/wanted" "$TMP/got"
	fi
	# Others may use the loopback device as well.
	least=$(cat "$TMP/a.said" "$TMP/c.said" | awk -F '\t' '{ n += $11 } END { print n }')
	between subnets-$b "$least" "$(fields "$TMP/v.out" subnet rx_bytes | awk -F '\t' '$1 == "127.0.0.0/9" { print $2 }')" \
		$((least + 10000000))
	equal no-subnet-$b 0 "$(fields "$TMP/x.out" subnet rx_bytes | wc -l)"

	# All kinds of sockets, or a reason.
	load m "$WORK" messages 20 7409
	if start_or_skip all-$b "sock_send_length|skb_splice_from_iter|$(absences $b)" s tcptop --backend $b --json -a -p "$(pid m)" 1000; then
		go m
		stop s
		with_ends=1
		[ $b = bpf ] || with_ends=0
		awk -F '\t' -v OFS='\t' -v ends=$with_ends '$1 == "moved" {
			key = $2 OFS $3 OFS $4 OFS (ends ? $5 OFS $6 : "-" OFS "-"); rx[key] += $7; tx[key] += $8 }
			END { for (key in rx) print key, rx[key], tx[key] }' "$TMP/m.said" | sort >"$TMP/wanted"
		fields "$TMP/s.out" proto pid comm lport rport rx_bytes tx_bytes | sort >"$TMP/got"
		same all-rows-$b "$TMP/wanted" "$TMP/got"
	else
		go m
	fi

	# As text: bcc's columns.
	load w "$WORK" sessions 1 7410 4 20480 2048 client
	start s tcptop --backend $b -C -r 1 -p "$(pid w)" 1000
	start t tcptop --backend $b -C -S -r 1 -p "$(pid w)" 1000
	go w
	stop s && stop t
	wanted w | awk -F '\t' -v pid="$(pid w)" '
		$1 == pid { printf "%-7s %-12s %-21s %-21s %7s %7s\n", $1, $2, $3 ":" $4, $5 ":" $6, 2, 20 }' >"$TMP/wanted"
	tail -n 1 "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	contains text-head-$b "$TMP/s.out" '^PID     COMM         LADDR                 RADDR                   RX_KB   TX_KB$'
	unrecorded text-load-$b || contains text-load-$b "$TMP/s.out" '^[0-9:]{8} loadavg: [0-9]'
	equal text-no-load-$b 0 "$(grep -c loadavg "$TMP/t.out")"
	equal text-no-load-row-$b "$(cat "$TMP/wanted")" "$(tail -n 1 "$TMP/t.out")"
done

for wrong in '--subnet 10.0.0.0/33' '--subnet 1.2.3' '--subnet 10.0.0.0/8,' '--subnet ::/129' '-s most' '-4 -6' '--name x'; do
	# shellcheck disable=SC2086
	"$SONDE" tcptop $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
