# SPDX-License-Identifier: GPL-2.0
# timeout: 200
#
# nettop: packets and bytes of a pair of devices in a network namespace of their own, as the kernel's own counts have them;
# by queue, by size, text.
. "${0%/*}/../lib.sh"

modprobe veth 2>/dev/null
unshare -n sleep 1000 &
ns=$!
running="$running $ns"
inside() { nsenter -t $ns -n "$@"; }
wait_for 10 inside true 2>/dev/null || { skip devices "no network namespace can be made here"; exit; }
# Packets to all leave by one device, and come in by the other: nobody has to be asked for an address.
for try in 1 2 3 4 5; do
	[ "$(readlink /proc/$ns/ns/net)" = "$(readlink /proc/self/ns/net)" ] || break
	sleep 0.2
done
[ "$(readlink /proc/$ns/ns/net)" != "$(readlink /proc/self/ns/net)" ] || { skip devices "no network namespace can be made here"; exit; }
{
	inside sh -c 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6' 2>/dev/null
	inside ip link add type veth && inside ip link set veth0 name sondea && inside ip link set veth1 name sondeb &&
	inside ip link set sondea up && inside ip link set sondeb up &&
	inside ip addr add 10.84.20.1/24 dev sondea
} >"$TMP/why" 2>&1 || { skip devices "no pair of devices can be made here: $(head -n 1 "$TMP/why")"; exit; }

# counts DEVICE: rx bytes, rx packets, tx bytes, tx packets, as the kernel has them.
counts() { inside cat /proc/net/dev | sed 's/:/ /' | awk -v d="$1" '$1 == d { print $2, $3, $10, $11 }'; }
# shown FILE DEVICE DIRECTION MEMBER: the sum of a member.
shown() {
	fields "$1" device direction "$4" | awk -F '\t' -v d="$2" -v dir="$3" '$1 == d && $2 == dir { n += $3 } END { print n + 0 }'
}

for b in $ENGINES; do
	start_or_skip devices-$b "$(absences $b)" s nettop --backend $b --buffer-pages 1024 --json 1000 || continue
	start i nettop --backend $b --buffer-pages 1024 --json -n sondea 1
	start_or_skip queues-$b net_dev_start_xmit q nettop --backend $b --buffer-pages 1024 --json -q -t 1000 || : >"$TMP/q.out"
	start t nettop --backend $b -C -S -n sondea 1000
	before=$(counts sondea) before_b=$(counts sondeb)
	inside "$WORK" datagrams 10.84.20.255 7601 40 10 >/dev/null
	inside "$WORK" datagrams 10.84.20.255 7601 25 1000 >/dev/null
	wait_for 5 [ "$(counts sondeb | cut -d ' ' -f 2)" -ge $(($(echo "$before_b" | cut -d ' ' -f 2) + 65)) ]
	after=$(counts sondea) after_b=$(counts sondeb)
	for id in s i t; do
		stop $id
		equal ends-$id-$b 0 "$STATUS"
	done
	lossless lost-$b $b "$TMP/s.out" || continue
	echo "$before $after $before_b $after_b" >"$TMP/counts"
	tx=$(awk '{ print $8 - $4 }' "$TMP/counts") rx=$(awk '{ print $14 - $10 }' "$TMP/counts")
	between packets-$b 65 "$tx" 70
	equal sent-$b "$tx" "$(shown "$TMP/s.out" sondea tx packets)"
	equal received-$b "$rx" "$(shown "$TMP/s.out" sondeb rx packets)"
	equal bytes-sent-$b "$(awk '{ print $7 - $3 }' "$TMP/counts")" "$(shown "$TMP/s.out" sondea tx bytes)"
	# IP and UDP have 28 bytes, the link has 14: 52 and 1042.
	equal small-$b $((40 + tx - 65)) "$(shown "$TMP/s.out" sondea tx below_64)"
	equal large-$b 25 "$(shown "$TMP/s.out" sondea tx below_2k)"
	equal intervals-$b "$tx" "$(shown "$TMP/i.out" sondea tx packets)"
	equal other-devices-$b 0 "$(fields "$TMP/i.out" device packets | grep -vc '^sondea	')"
	contains text-head-$b "$TMP/t.out" '^DEVICE +DIR +PACKETS +KBYTES +AVG +<64 +<512 +<2K +<16K +>=16K$'
	contains text-row-$b "$TMP/t.out" "^sondea +tx +$tx +2[78] +4[0-9][0-9] +[0-9]+ +0 +25 +0 +0$"
	if [ -s "$TMP/q.out" ] || alive q 2>/dev/null; then
		stop q
		equal queue-sent-$b "$tx" "$(shown "$TMP/q.out" sondea tx packets)"
		equal queue-received-$b "$rx" "$(shown "$TMP/q.out" sondeb rx packets)"
		equal queue-number-$b 0 "$(fields "$TMP/q.out" device direction queue | awk -F '\t' '
			$1 == "sondea" && $2 == "tx" && $3 !~ /^[0-9]+$/ || $1 == "sondeb" && $2 == "rx" && $3 !~ /^([0-9]+|-)$/' | wc -l)"
	fi
done
for wrong in '-p 1' '--cgroup /'; do
	# shellcheck disable=SC2086
	"$SONDE" nettop $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
