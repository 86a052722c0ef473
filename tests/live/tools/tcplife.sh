# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# tcplife: both ends of sessions with known bytes are rows of whose they are, on every engine, whoever closes and however;
# filters; network namespaces; a flood.
. "${0%/*}/../lib.sh"

has_v6() { [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; }
has_v6 || skip ipv6 "no ::1 on this machine"
kinds="4 46 6"
has_v6 || kinds=4

# wanted ID...: pid comm ip laddr lport raddr rport tx_kb rx_kb, of what the workloads said, and of what $TMP/s.err says
# is unavailable here. Where the other side resets a server's connection, or it does itself, only an accept tells whose.
wanted() {
	missing=$(grep 'unavailable here' "$TMP/s.err" | tr '\n' ' ')
	summed=$(sed -n 's/^sonde: \(tcp\.sent\|tcp\.received\): .*/\1/p' "$TMP/s.err" | sort -u | tr '\n' ' ')
	for id; do
		awk -F '\t' -v OFS='\t' -v missing="$missing" -v summed="$summed" -v id="$id" '$1 == "life" {
			if (id ~ /reset/ && $2 == "server" && missing ~ /tcp\.accept/)
				$3 = $4 = "-"
			if ($5 == 6 && missing ~ /tcp\.set_state\.daddr6/)
				$6 = $8 = "-"
			tx = missing ~ /tcp\.set_state\.tx/ && summed !~ /sent/ ? "-" : int($10 / 1024)
			rx = missing ~ /tcp\.set_state\.rx/ && summed !~ /received/ ? "-" : int($11 / 1024)
			print $3, $4, $5, $6, $7, $8, $9, tx, rx
		}' "$TMP/$id.said"
	done | sort
}
# ours MEMBER...: these of sonde's rows, and lport and rport before them, but for others' connections.
ours() {
	fields "$TMP/s.out" lport rport "$@" | awk -F '\t' '$1 ~ /^72[0-9][0-9]$/ || $2 ~ /^72[0-9][0-9]$/'
}
# got: of sonde's rows what wanted says.
got() { ours pid comm ip laddr lport raddr rport tx_kb rx_kb | cut -f 3- | sort; }

# All changes of state on this machine, others' too, by an instance of our own. Each connection of the flood is ten, two of
# them ends. Functions are hit less often, but tell of accepts; where there is no event, nobody else is supposed to connect.
instance=$TRACEFS/instances/tcplife-test-$$
cleanup_hook() { [ ! -d "$instance" ] || rmdir "$instance"; }
truth_begin() {
	mkdir "$instance" && echo 'protocol == 6' >"$instance/events/sock/inet_sock_set_state/filter" &&
		echo 1 >"$instance/events/sock/inet_sock_set_state/enable"
} 2>/dev/null
truth_end() {
	all=$((10 * N + 2000))
	[ -d "$instance" ] || return 0
	echo 0 >"$instance/events/enable"
	! has_event sock inet_sock_set_state || all=$(cat "$instance"/per_cpu/cpu*/stats | awk '
		$1 == "entries:" || $1 == "overrun:" { n += $2 } $1 == "dropped" { n += $3 } END { print n }')
	rmdir "$instance"
}

uncounted=member:tcp_sock.bytes_acked,member:tcp_sock.bytes_received

for b in $ENGINES; do
	# A listener that was there before, which is no connection; sessions that end by FINs and by resets.
	ids=
	for k in $kinds; do
		load client$k "$WORK" sessions 5 7201 $k 100000 5000 client
		load server$k "$WORK" sessions 5 7202 $k 3000 300000 server
		load reset$k "$WORK" sessions 3 7203 $k 10000 20000 server reset
		load resets$k "$WORK" sessions 3 7204 $k 10000 20000 client reset
		ids="$ids client$k server$k reset$k resets$k"
	done
	start_or_skip rows-$b "$(absences $b)" s tcplife --backend $b --json || { go $ids; continue; }
	go $ids
	stop s && equal ends-$b 0 "$STATUS"
	wanted $ids >"$TMP/wanted"
	got >"$TMP/got"
	lossless lost-$b $b "$TMP/s.out"
	same rows-$b "$TMP/wanted" "$TMP/got"
	ours ms | awk -v most=$((20000 * SLOW)) '!($3 > 0 && $3 < most)' >"$TMP/strange"
	expect times-$b [ ! -s "$TMP/strange" ] || notes "$TMP/strange"

	# Attempts that fail are lives, too.
	load r "$WORK" connects 4 7210 4 refused
	start s tcplife --backend $b --json -D 7210 -4
	go r
	stop s
	awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $6, $8, $9 }' "$TMP/r.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid laddr raddr rport >"$TMP/got"
	same refused-$b "$TMP/wanted" "$TMP/got"

	# By process, by name, by ports.
	load a "$WORK" sessions 3 7205 4 2000 2000 client
	load reset "$WORK" sessions 2 7206 4 2000 2000 client reset
	load c "$WORK" sessions 2 7207 4 2000 2000 server
	start s tcplife --backend $b --json -p "$(pid a),$(pid reset)"
	start t tcplife --backend $b --json --name server -L 7205,7207
	start u tcplife --backend $b --json -D 7206
	go a reset c
	stop s && stop t && stop u
	wanted a reset | grep "^$(pid a)	\|^$(pid reset)	" >"$TMP/wanted"
	got >"$TMP/got"
	same pids-$b "$TMP/wanted" "$TMP/got"
	wanted a c | grep '	server	' >"$TMP/wanted"
	mv "$TMP/t.out" "$TMP/s.out"
	got >"$TMP/got"
	same names-$b "$TMP/wanted" "$TMP/got"
	wanted reset | awk -F '\t' '$7 == 7206' >"$TMP/wanted"
	mv "$TMP/u.out" "$TMP/s.out"
	got >"$TMP/got"
	same ports-$b "$TMP/wanted" "$TMP/got"

	# By mount namespace: of others' connections nothing is shown, not even an end without a process.
	if unshare -m true 2>"$TMP/why"; then
		load_by in 'unshare -m' "$WORK" sessions 3 7212 4 2000 2000 client
		load out "$WORK" sessions 3 7213 4 2000 2000 client
		if start_or_skip mntns-$b "namespaces|type information|current task|$(absences $b)" s \
		   tcplife --backend $b --json --mntns "$pid_in"; then
			go in out
			stop s
			wanted in >"$TMP/wanted"
			got >"$TMP/got"
			same mntns-$b "$TMP/wanted" "$TMP/got"
		else
			go in out
		fi
	else
		skip mntns-$b "no mount namespaces here: $(head -n 1 "$TMP/why")"
	fi

	# Where the kernel's own counts are unavailable, sums of what calls took and gave: in each way there is, none counted twice.
	load each "$WORK" transfers 3 7211
	start t tcplife --backend $b --json
	start s tcplife --backend $b --json --without "$uncounted"
	go each
	stop s && stop t
	wanted each >"$TMP/wanted"
	got >"$TMP/got"
	lossless sums-lost-$b $b "$TMP/s.out"
	same sums-$b "$TMP/wanted" "$TMP/got"
	if [ -n "$summed" ]; then
		contains sums-said-$b "$TMP/s.err" 'TX_KB and RX_KB are sums'
	else
		skip sums-said-$b "no sums here: $(grep 'tcp_recvmsg\|kprobes' "$TMP/s.err")"
	fi
	mv "$TMP/t.err" "$TMP/s.err" && mv "$TMP/t.out" "$TMP/s.out"
	wanted each >"$TMP/wanted"
	got >"$TMP/got"
	same counts-$b "$TMP/wanted" "$TMP/got"

	# In a network namespace of its own.
	printf '%s\n' '#!/bin/sh' "exec unshare -n sh -c 'ip link set lo up 2>/dev/null || ifconfig lo up || exit 9
		exec \"\$0\" \"\$@\"' '$WORK' \"\$@\"" >"$TMP/elsewhere"
	chmod 755 "$TMP/elsewhere"
	if "$TMP/elsewhere" noop 2>/dev/null; then
		load n "$TMP/elsewhere" sessions 3 7208 4 50000 50000 client
		start s tcplife --backend $b --json -L 7208
		go n
		stop s
		wanted n | grep '	server	' >"$TMP/wanted"
		got >"$TMP/got"
		same namespace-$b "$TMP/wanted" "$TMP/got"
	else
		skip namespace-$b "no network namespace can be made here"
	fi

	# As text: bcc's columns, narrow and wide; -s is CSV.
	load w "$WORK" sessions 2 7209 4 20000 2000 client
	start s tcplife --backend $b -D 7209
	start t tcplife --backend $b -D 7209 -w -T -t
	start u tcplife --backend $b -D 7209 -s
	go w
	stop s && stop t && stop u
	wanted w | awk -F '\t' '
		BEGIN { print "PID   COMM       LADDR           LPORT RADDR           RPORT TX_KB RX_KB MS" }
		$7 == 7209 { printf "%-5s %-10s %-15s %-5s %-15s %-5s %5s %5s MS\n", $1, $2, $4, $5, $6, $7, $8, $9 }' >"$TMP/wanted"
	sed 's/[0-9]*\.[0-9][0-9]$/MS/' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	wanted w | awk -F '\t' '
		BEGIN { print "TIME     TIME(s)   PID   COMM             IP LADDR                      LPORT " \
			"RADDR                      RPORT  TX_KB  RX_KB MS" }
		$7 == 7209 { printf "TIME TIME %-5s %-16s %-2s %-26s %-5s %-26s %-5s %6s %6s MS\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }
		' >"$TMP/wanted"
	sed 's/[0-9]*\.[0-9][0-9]$/MS/; s/^[0-9][0-9]:[0-9][0-9]:[0-9][0-9] [0-9]*\.[0-9]\{6\}  /TIME TIME /' "$TMP/t.out" >"$TMP/got"
	same wide-$b "$TMP/wanted" "$TMP/got"
	wanted w | awk -F '\t' -v OFS=, '
		BEGIN { print "PID,COMM,IP,LADDR,LPORT,RADDR,RPORT,TX_KB,RX_KB,MS,TX_BYTES,RX_BYTES" }
		$7 == 7209 {
			tx = $8 == "-" ? "" : $8
			rx = $9 == "-" ? "" : $9
			print $1, $2, $3, $4, $5, $6, $7, tx, rx, "MS", tx == "" ? "" : "20000", rx == "" ? "" : "2000"
		}' >"$TMP/wanted"
	# The kernel takes the beginning and the end of a side for a byte each.
	awk -F , -v OFS=, 'NR > 1 { $10 = "MS"; sub(/^2000[012]$/, "20000", $11); sub(/^200[012]$/, "2000", $12) } 1' \
		"$TMP/u.out" >"$TMP/got"
	same csv-$b "$TMP/wanted" "$TMP/got"

	# As fast as one CPU connects: each row is one that was, once; with what was lost there are as many as there were.
	N=$((30000 / SLOW))
	load f "$WORK" connects $N 7220 4
	truth_begin
	start s tcplife --backend $b --json
	go f
	cpu=$(cpu_ms s)
	stop s
	truth_end
	awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $7, $9; print $2, $9, $7 }' "$TMP/f.said" | sort >"$TMP/wanted"
	fields "$TMP/s.out" pid lport rport >"$TMP/rows"
	grep '	7220\(	\|$\)' "$TMP/rows" | sort >"$TMP/got"
	rows=$(wc -l <"$TMP/got") others=$(($(wc -l <"$TMP/rows") - rows)) lost=$(reported "$TMP/s.out" lost)
	echo "# flood-$b: $rows rows of $((2 * N)), $others others, $lost lost, $cpu ms of CPU; $all changes of state"
	strange flood-$b
	away=$((2 * N - rows - lost))
	case $b in
	bpf)
		# A program of a tracepoint runs behind perf's own guard against being called again, which does not count: what
		# keeps samples from the ring keeps it from an event.
		if [ $away -gt 0 ] && [ $away -le $((N / 1000)) ] && perf_leaves_out; then
			skip flood-lost-$b "this kernel leaves out events in interrupts; $away here"
		else
			between flood-lost-$b $((2 * N)) $((rows + lost)) $((all - 8 * N - others))
		fi ;;
	*) between flood-lost-$b $((10 * N)) $(($(reported "$TMP/s.out" seen) + lost)) "$all" ;;
	esac
	if [ $b != bpf ]; then
		refused no-uid-$b 'user id' tcplife --backend $b --uid 0
	fi
done
clean left
quiet kernel-log
