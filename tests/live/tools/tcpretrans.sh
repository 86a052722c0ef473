# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# tcpretrans: each segment that is sent again is one row, on every engine, whatever tells; sequence numbers, tail loss
# probes, counts.
. "${0%/*}/../lib.sh"

families=4
if [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; then
	families="4 6"
else
	skip ipv6 "no ::1 on this machine"
fi

# again STATE FILE...: a line for each time that a segment of the workload was sent again:
# ip laddr lport raddr rport type state seq.
again() {
	awk -F '\t' -v OFS='\t' '
		$1 == "stall" { for (i = 0; i < $9; i++) print $4, $5, $6, $7, $8, "R", "SYN_SENT", 0 }
		$1 == "resend" { for (i = 0; i < $9; i++) print $4, $5, $6, $7, $8, "R", "ESTABLISHED", $10 }' "$@"
}
ours() { awk -F '\t' '$3 ~ /^732[0-9]$/ || $5 ~ /^732[0-9]$/'; }
is_missing() { grep -q "\"missing\":.*\"retransmit.skb.$2\"" "$1"; }

# try NAME ENGINE WITHOUT
try() {
	name=$1
	b=$2
	without=${3:+--without $3}
	# shellcheck disable=SC2086
	start_or_skip rows-$name "$(absences $b)" s tcpretrans --backend $b $without --json -s || return 1
	# shellcheck disable=SC2086
	start c tcpretrans --backend $b $without --json -c
	# shellcheck disable=SC2086
	start f tcpretrans --backend $b $without --json -4
	for f in $families; do
		"$WORK" stalls $f 7320
		"$WORK" stalls $f 7321 2
		[ "$4" = no-data ] || "$WORK" resends $f 7322 2
	done >"$TMP/said"
	stop s && equal ends-$name 0 "$STATUS"
	stop c
	stop f
	for id in s c f; do
		lossless lost-$id-$name $b "$TMP/$id.out" || return 1
	done
	sequence=cat
	if is_missing "$TMP/s.out" seq; then
		pass "sequence-$name # none, and it says so"
		sequence='cut -f 1-7'
	fi
	again "$TMP/said" | awk -F '\t' -v OFS='\t' '{ if ($7 == "SYN_SENT") $8 = "-"; print }' | $sequence >"$TMP/wanted"
	fields "$TMP/s.out" ip laddr lport raddr rport type state seq | ours |
		awk -F '\t' -v OFS='\t' '{ if ($7 == "SYN_SENT") $8 = "-"; print }' | $sequence >"$TMP/got"
	same rows-$name "$TMP/wanted" "$TMP/got" || tail -n 1 "$TMP/s.out"
	equal nobody-$name 0 "$(fields "$TMP/s.out" pid | grep -vc '^-$')"
	again "$TMP/said" | cut -f 2-5 | sort | uniq -c | awk -v OFS='\t' '{ print $2, $3, $4, $5, $1 }' >"$TMP/wanted"
	fields "$TMP/c.out" laddr lport raddr rport retransmits | awk -F '\t' '$4 ~ /^732[0-9]$/' | sort >"$TMP/got"
	same counts-$name "$TMP/wanted" "$TMP/got"
	again "$TMP/said" | grep '^4' | cut -f 1-6 >"$TMP/wanted"
	fields "$TMP/f.out" ip laddr lport raddr rport type | ours >"$TMP/got"
	same ipv4-$name "$TMP/wanted" "$TMP/got"
}

for b in $ENGINES; do
	try $b $b '' || continue

	# As text: bcc's columns.
	start s tcpretrans --backend $b
	start c tcpretrans --backend $b -c
	for f in $families; do
		"$WORK" stalls $f 7323
	done >"$TMP/said"
	stop s
	stop c
	{
		echo "Tracing retransmits ... Hit Ctrl-C to end"
		echo "TIME     PID     IP LADDR:LPORT          T> RADDR:RPORT          STATE"
		again "$TMP/said" | awk -F '\t' '{
			left = $1 == 6 ? "[" : ""
			right = $1 == 6 ? "]" : ""
			printf "TIME     -       %-2s %-20s R> %-20s %s\n", $1, left $2 right ":" $3, left $4 right ":" $5, $7
		}'
	} >"$TMP/wanted"
	sed -n '1,2p; /:7323 /p' "$TMP/s.out" | sed 's/^[0-9][0-9]:[0-9][0-9]:[0-9][0-9] /TIME     /' >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	{
		echo "Tracing retransmits ... Hit Ctrl-C to end"
		echo "LADDR:LPORT               RADDR:RPORT               RETRANSMITS"
		again "$TMP/said" | awk -F '\t' '{ printf "%-25s %-25s 1\n", "[" $2 "]#" $3, "[" $4 "]#" $5 }' | sort -t "#" -k 2n
	} >"$TMP/wanted"
	sed -n '1,2p' "$TMP/c.out" >"$TMP/got"
	grep '#7323 ' "$TMP/c.out" | sort -t '#' -k 2n >>"$TMP/got"
	same counts-text-$b "$TMP/wanted" "$TMP/got"

	if ! has_kprobes; then
		refused no-probes-$b 'no kprobes, for tcp_send_loss_probe' tcpretrans --backend $b -l
		skip functions-$b "no kprobes"
		continue
	fi
	# The function is not called for what a tail loss probe sends again: no data here.
	try functions-$b $b tracepoint:tcp:tcp_retransmit_skb no-data
	# One segment that is lost has one probe, which sends it again.
	start s tcpretrans --backend $b --json -l
	start c tcpretrans --backend $b --json -c -l
	for f in $families; do
		"$WORK" resends $f 7324 2
	done >"$TMP/said"
	stop s
	stop c
	again "$TMP/said" | cut -f 1-7 | awk -F '\t' -v OFS='\t' '{ print; if (!n[$3]++) { $6 = "L"; print } }' | sort >"$TMP/wanted"
	fields "$TMP/s.out" ip laddr lport raddr rport type state | awk -F '\t' '$5 == 7324' | sort >"$TMP/got"
	same probes-$b "$TMP/wanted" "$TMP/got"
	cut -f 3,6 "$TMP/wanted" | sort | uniq -c | awk -v OFS='\t' '{ print $2, $3, $1 }' >"$TMP/counted"
	fields "$TMP/c.out" lport rport type retransmits | awk -F '\t' -v OFS='\t' '$2 == 7324 { print $1, $3, $4 }' | sort >"$TMP/got"
	same probes-counted-$b "$TMP/counted" "$TMP/got"
done

# Nobody's process, nobody's name.
for wrong in '-p 1' '--name x' '-4 -6'; do
	# shellcheck disable=SC2086
	"$SONDE" tcpretrans $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
