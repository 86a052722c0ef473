# SPDX-License-Identifier: GPL-2.0
# timeout: 200
#
# tcprtt: each segment that comes in on a connection is counted once, on every engine; by ports, addresses and families.
. "${0%/*}/../lib.sh"

families=4
if [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; then
	families="4 6"
else
	skip ipv6 "no ::1 on this machine"
fi
# Segments that the workload got, and its last round trip time.
segments() { cut -f 9 "$TMP/w.said"; }
rtt() { cut -f 10 "$TMP/w.said"; }

for b in $ENGINES; do
	for f in $families; do
		[ $f = 4 ] && address=127.0.0.1 other=127.0.0.2 || address=::1 other=::2
		load w "$WORK" rtts $f 7350 200
		start_or_skip counts-$f-$b "$(absences $b)|has no tracepoint tcp:tcp_probe" s \
			tcprtt --backend $b --json -e -P 7350 || { go w; continue 2; }
		start a tcprtt --backend $b --json -B -e -P 7350 -A $address -a $address -$f
		start o tcprtt --backend $b --json -b -P 7350 -A $other
		start p tcprtt --backend $b --json -p 7350 -m
		go w
		stop s && equal ends-$f-$b 0 "$STATUS"
		stop a
		stop o
		stop p
		for x in s a p; do
			lossless lost-$x-$f-$b $b "$TMP/$x.out" || continue 3
		done
		equal counts-$f-$b "$(segments)" "$(counted "$TMP/s.out")"
		equal by-address-$f-$b "$(segments)" "$(counted "$TMP/a.out" raddr $address)"
		equal other-address-$f-$b 0 "$(counted "$TMP/o.out")"
		# The time before the last round is in one of the slots, and the average between the least and the most.
		slots "$TMP/s.out" | awk -v rtt="$(rtt)" 'rtt >= $1 && rtt <= $2 { found = 1 } END { exit !found }' &&
			pass time-$f-$b || fail time-$f-$b "no slot for $(rtt) us, the last one, in: $(slots "$TMP/s.out")"
		for x in s a; do
			fields "$TMP/$x.out" avg count >"$TMP/totals"
			slots "$TMP/$x.out" | awk -v totals="$(cat "$TMP/totals")" -v wanted="$(segments)" '
				NR == 1 { low = $1 }
				{ high = $2 }
				END { split(totals, t, "\t"); exit !(t[1] >= low && t[1] <= high && t[2] == wanted) }' &&
				pass totals-$x-$f-$b || fail totals-$x-$f-$b "avg and count: $(cat "$TMP/totals"); $(slots "$TMP/$x.out")"
		done
		# The other end got as many, or some more: a connection's last acknowledgement, and its end.
		between other-end-$f-$b 200 "$(counted "$TMP/p.out")" $(($(segments) + 20))
	done
	if [ "$families" != 4 ]; then
		load w "$WORK" rtts 6 7351 20
		start s tcprtt --backend $b --json -P 7351 -4
		go w
		stop s
		equal family-$b 0 "$(counted "$TMP/s.out")"
	fi
	# As text.
	load w "$WORK" rtts 4 7352 10
	start s tcprtt --backend $b -B -P 7352
	go w
	stop s
	contains text-banner-$b "$TMP/s.out" '^Tracing TCP RTT\.\.\. Hit Ctrl-C to end\.$'
	contains text-address-$b "$TMP/s.out" '^Remote Address = 127\.0\.0\.1$'
	contains text-$b "$TMP/s.out" '^ +usecs +: count +distribution$'
done

for wrong in '-a x' '-A 1.2.3' '-4 -6' '-b -B' '5'; do
	# shellcheck disable=SC2086
	"$SONDE" tcprtt $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
