# SPDX-License-Identifier: GPL-2.0
# timeout: 200
#
# tcpdrop: packets that nobody wants, or that a filter of a socket drops, are rows with their ends, flags and the kernel's
# reason; counts by reason and place; resets. Only BPF programs with type information read headers.
. "${0%/*}/../lib.sh"

families=4
if [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; then
	families="4 6"
else
	skip ipv6 "no ::1 on this machine"
fi
N=6
format=$TRACEFS/events/skb/kfree_skb/format
reasons=0 receivers=0
grep -q ' reason;' "$format" && reasons=1
grep -q ' rx_sk;' "$format" && receivers=1

# wanted: ip saddr sport daddr dport state flags reason, of what the workloads said; of an attempt that was refused the
# port is not said.
wanted() {
	awk -F '\t' -v OFS='\t' -v reasons=$reasons -v receivers=$receivers '
		$1 == "connect" { print $5, $6, "-", $8, $9, "-", "SYN", reasons ? "NO_SOCKET" : "-" }
		$1 == "stall" { for (i = 0; i <= $9; i++)
			print $4, $5, $6, $7, $8, receivers ? "LISTEN" : "-", "SYN", reasons ? "SOCKET_FILTER" : "-" }' "$TMP/said"
}
# got FILE: the same of sonde's rows, without others' packets.
got() {
	fields "$1" ip saddr sport daddr dport state flags reason | awk -F '\t' -v OFS='\t' '
		$5 == 7501 { $3 = "-"; print } $5 == 7502 { print }'
}

for b in $ENGINES; do
	start_or_skip rows-$b "$(absences $b)" s tcpdrop --backend $b --json || continue
	start c tcpdrop --backend $b --json -c
	start f tcpdrop --backend $b --json -4
	stacks=k
	start_or_skip stacks-$b "$(absences $b)|no stacks of their own|lack the innermost" k tcpdrop --backend $b --json -K || stacks=
	start a tcpdrop --backend $b --json -a
	start t tcpdrop --backend $b
	for f in $families; do
		"$WORK" connects $N 7501 $f refused
		"$WORK" stalls $f 7502 2
	done >"$TMP/said"
	"$WORK" strays $N 7503 >"$TMP/strays"
	"$WORK" sessions 3 7505 4 2000 2000 client >"$TMP/ended"
	for id in s c f $stacks a t; do
		stop $id
		equal ends-$id-$b 0 "$STATUS"
	done
	lossless lost-$b $b "$TMP/s.out"
	# Connections that end well leave a FIN, which is no drop.
	equal fins-$b 0 "$(fields "$TMP/s.out" reason | grep -c '^QUEUE_PURGE$')"
	! grep -q '"QUEUE_PURGE"' "$format" || between all-fins-$b 1 "$(fields "$TMP/a.out" reason | grep -c '^QUEUE_PURGE$')" 100000
	stray=NO_SOCKET
	[ $reasons = 1 ] || stray=-
	# Others' packets have the same reasons and places.
	refused=$(fields "$TMP/c.out" reason location count | awk -F '\t' -v reason="$stray" '
		$1 == reason && $2 == "tcp_v4_rcv" { n += $3 } END { print n + 0 }')
	between counted-$b $N "$refused" 100000
	if [ "$stacks" ]; then
		# Some engines miss a stack now and then, and show none.
		fields "$TMP/k.out" location kernel_stack | awk -F '\t' '$1 == "tcp_v4_rcv" && $2 != "-" { print $2 }' >"$TMP/stacks"
		between with-stacks-$b $((N - 1)) "$(wc -l <"$TMP/stacks")" 100000
		equal stacks-$b 0 "$(grep -vc 'tcp_v4_rcv' "$TMP/stacks")"
	fi
	if grep -q 'packet.drop' "$TMP/s.err" && ! grep -q '^sonde: skb.drop: ' "$TMP/s.err"; then
		wanted | sort >"$TMP/wanted"
		got "$TMP/s.out" | sort >"$TMP/got"
		same rows-$b "$TMP/wanted" "$TMP/got"
		wanted | grep '^4' | sort >"$TMP/wanted"
		got "$TMP/f.out" | sort >"$TMP/got"
		same ipv4-$b "$TMP/wanted" "$TMP/got"
		awk -F '\t' -v OFS='\t' -v reason="$stray" '{ print "UDP", $2, $3, $4, $5, "-", "-", reason }' "$TMP/strays" >"$TMP/wanted"
		fields "$TMP/a.out" proto saddr sport daddr dport state flags reason | awk -F '\t' '$5 == 7503' >"$TMP/got"
		same all-$b "$TMP/wanted" "$TMP/got"
		equal only-tcp-$b 0 "$(fields "$TMP/s.out" dport | grep -c '^7503$')"
		{
			echo "TIME     PID     IP SADDR:SPORT          > DADDR:DPORT          STATE (FLAGS)        REASON               LOCATION"
			wanted | awk -F '\t' '$1 == 4 && $5 == 7502 {
				printf "TIME     -       4  %-20s > %-20s %-20s %-20s tcp_v4_rcv\n", $2 ":" $3, $4 ":" $5, $6 " (SYN)", $8 }'
		} >"$TMP/wanted.text"
		sed -n '1p; / 127.*:7502 /p' "$TMP/t.out" | sed 's/^[0-9][0-9]:[0-9][0-9]:[0-9][0-9] /TIME     /' >"$TMP/got"
		same text-$b "$TMP/wanted.text" "$TMP/got"
		netns=$(stat -L -c %i /proc/self/ns/net 2>/dev/null)
		start s tcpdrop --backend $b --json --pid-netns $$
		start f tcpdrop --backend $b --json --netns-id 1
		"$WORK" connects $N 7501 4 refused >"$TMP/said"
		stop s && stop f
		wanted >"$TMP/wanted"
		got "$TMP/s.out" >"$TMP/got"
		same netns-$b "$TMP/wanted" "$TMP/got"
		equal other-netns-$b 0 "$(got "$TMP/f.out" | wc -l)"
		[ -z "$netns" ] || {
			start s tcpdrop --backend $b --json --netns-id "$netns"
			"$WORK" connects $N 7501 4 refused >"$TMP/said"
			stop s
			got "$TMP/s.out" >"$TMP/got"
			same netns-id-$b "$TMP/wanted" "$TMP/got"
		}
	else
		skip headers-$b "only BPF programs with type information can read packets"
		contains said-$b "$TMP/s.err" "protocols above IP can't be told"
		rows=$(fields "$TMP/s.out" reason location saddr | awk -F '\t' -v reason="$stray" '
			$1 == reason && $2 == "tcp_v4_rcv" && $3 == "-" { n++ } END { print n + 0 }')
		between bare-rows-$b $N "$rows" 100000
	fi
	[ $reasons = 1 ] || contains no-reasons-$b "$TMP/s.err" 'gives no reasons \(since 5.17\)'
done

# Who resets: the client, whose connection is reset on the other side.
for b in $ENGINES; do
	start_or_skip resets-$b "$(absences $b)|tcp_send_reset" s tcpdrop --backend $b --json --resets || continue
	start f tcpdrop --backend $b --json --resets -6
	for f in $families; do
		"$WORK" sessions 3 7504 $f 2000 2000 client reset
	done >"$TMP/said"
	stop s && stop f
	awk -F '\t' -v OFS='\t' '$2 == "client" {
		print "sent", $5, $6, $7, $8, $9
		print "received", $5, $6, $7, $8, $9 }' "$TMP/said" | sort >"$TMP/wanted"
	fields "$TMP/s.out" reset ip saddr sport daddr dport | awk -F '\t' '$6 == 7504' | sort >"$TMP/got"
	same resets-$b "$TMP/wanted" "$TMP/got"
	grep '	6	' "$TMP/wanted" >"$TMP/wanted6"
	fields "$TMP/f.out" reset ip saddr sport daddr dport | awk -F '\t' '$6 == 7504' | sort >"$TMP/got"
	same resets6-$b "$TMP/wanted6" "$TMP/got"
done

for wrong in '-4 -6' '-p 1' '--name x' '--resets -a' '--resets -c' '-c -K'; do
	# shellcheck disable=SC2086
	"$SONDE" tcpdrop $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
