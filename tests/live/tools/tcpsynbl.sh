# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# tcpsynbl: each connection counts once, with those that wait before it; on every engine, also a listener for both families.
. "${0%/*}/../lib.sh"

families=4
if [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; then
	families="4 6 46"
else
	skip ipv6 "no ::1 on this machine"
fi
for b in $ENGINES; do
	for f in $families; do
		# Nobody else has a backlog of this size.
		load w "$WORK" backlogs $f 7360 23 17
		start_or_skip counts-$f-$b "$(absences $b)|no kprobes, for tcp_v4_syn_recv_sock|sk_max_ack_backlog is not known" \
			s tcpsynbl --backend $b --json || { go w; continue 2; }
		start o tcpsynbl --backend $b --json -$([ $f = 4 ] && echo 6 || echo 4)
		go w
		stop s && equal ends-$f-$b 0 "$STATUS"
		stop o
		# 0 to 15 have slots of their own; 16 shares one with 17.
		awk 'BEGIN { for (i = 0; i < 17; i++) print i, i < 16 ? i : 17, 1 }' >"$TMP/wanted"
		slots "$TMP/s.out" backlog_max 23 >"$TMP/got"
		same counts-$f-$b "$TMP/wanted" "$TMP/got"
		equal other-family-$f-$b 0 "$(counted "$TMP/o.out" backlog_max 23)"
		equal lost-$f-$b 0 "$(reported "$TMP/s.out" lost)"
	done
	load w "$WORK" backlogs 4 7361 23 3
	start s tcpsynbl --backend $b
	go w
	stop s
	{
		echo
		echo "backlog_max = 23"
		echo "     backlog             : count     distribution"
		echo "         0 -> 1          : 2        |****************************************|"
		echo "         2 -> 3          : 1        |********************                    |"
	} >"$TMP/wanted"
	grep -A 3 -B 1 '^backlog_max = 23$' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
done
clean left
quiet kernel-log
