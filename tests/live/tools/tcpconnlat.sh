# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# tcpconnlat: each connection that is answered is one row with the time that took, on every engine, whatever tells.
. "${0%/*}/../lib.sh"

# answers FILE...: pid comm ip saddr daddr dport answer of what the workload said.
answers() {
	awk -F '\t' -v OFS='\t' '
		$1 == "connect" { print $2, $4, $5, $6, $8, $9, $10 ? "reset" : "accepted" }
		$1 == "stall" { print $2, $3, $4, $5, $7, $8, "accepted" }' "$@"
}
# The sum of the counts that the cells of a picture tell.
cells() {
	sed -n 's|^<path class="c[0-9]*" .*<title>.* [a-z]*: \([0-9]*\)</title></path>$|\1|p' "$1" | awk '{ n += $1 } END { print n + 0 }'
}
families=4
if [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; then
	families="4 6"
else
	skip ipv6 "no ::1 on this machine"
fi

# try NAME ENGINE WITHOUT: rows, times and what is left out.
try() {
	name=$1
	b=$2
	without=${3:+--without $3}
	ids=
	for f in $families; do
		load w$f "$WORK" connects 30 7310 $f
		load r$f "$WORK" -c 'no\x1bone' connects 5 7311 $f refused
		load s$f "$WORK" stalls $f 7312
		ids="$ids w$f r$f s$f"
	done
	load n "$WORK" stalls 4 7313 1
	pids=$(for id in $ids n; do pid $id; done | xargs | tr ' ' ,)
	# shellcheck disable=SC2086
	start_or_skip rows-$name "$(absences $b)" s tcpconnlat --backend $b $without --json -L -p "$pids" || { go $ids n; return 1; }
	# shellcheck disable=SC2086
	start m tcpconnlat --backend $b $without --json -p "$pids" 900.5
	go $ids n
	stop s && equal ends-$name 0 "$STATUS"
	stop m
	lossless lost-$name $b "$TMP/s.out" || return 1
	for id in $ids; do
		answers "$TMP/$id.said"
	done >"$TMP/wanted"
	fields "$TMP/s.out" pid comm ip saddr daddr dport answer >"$TMP/got"
	same rows-$name "$TMP/wanted" "$TMP/got"
	# The local port of those that were accepted, and how long the others took.
	for id in $ids; do
		awk -F '\t' -v OFS='\t' '$1 == "connect" && !$10 { print $2, $7 } $1 == "stall" { print $2, $6 }' "$TMP/$id.said"
	done >"$TMP/wanted"
	fields "$TMP/s.out" pid lport answer | awk -F '\t' -v OFS='\t' '$3 == "accepted" { print $1, $2 }' >"$TMP/got"
	same local-ports-$name "$TMP/wanted" "$TMP/got"
	for f in $families; do
		fields "$TMP/s.out" pid lat_ms dport | awk -F '\t' '$3 == 7312 { print $1, int($2 * 1000 + 0.5) }' | grep "^$(pid s$f) " |
			while read -r _ us; do
				between time-$f-$name "$(cut -f 10 "$TMP/s$f.said")" "$us" "$(cut -f 11 "$TMP/s$f.said")"
			done
		answers "$TMP/s$f.said" | cut -f 1,6
	done >"$TMP/times"
	grep -E '^(PASS|FAIL|#)' "$TMP/times"
	grep -vE '^(PASS|FAIL|#)' "$TMP/times" >"$TMP/wanted"
	equal times-$name "$(wc -l <"$TMP/wanted")" "$(grep -c '^PASS' "$TMP/times")"
	fields "$TMP/m.out" pid dport >"$TMP/got"
	same slow-ones-$name "$TMP/wanted" "$TMP/got"
}

for b in $ENGINES; do
	try $b $b '' || continue
	if has_kprobes; then
		try functions-$b $b tracepoint:sock:inet_sock_set_state
	else
		skip functions-$b "no kprobes"
	fi

	# One family; as a histogram, which has each once.
	load w "$WORK" connects 20 7314 4
	load r "$WORK" connects 6 7314 4 refused
	start s tcpconnlat --backend $b --json -d -4 -p "$(pid w),$(pid r)"
	start h tcpconnlat --backend $b --json -d -4 -p "$(pid w),$(pid r)" --interval 1 --heatmap="$TMP/h.svg"
	start x tcpconnlat --backend $b --json -6 -p "$(pid w),$(pid r)"
	go w r
	sleep $SLOW.2
	stop s
	stop x
	stop h
	# Intervals, and a heat map, add up to the same.
	expect intervals-$b [ "$(fields "$TMP/h.out" time | wc -l)" -ge 2 ]
	equal intervals-counts-$b 26 "$(counted "$TMP/h.out")"
	equal heatmap-$b 26 "$(cells "$TMP/h.svg")"
	equal histogram-$b 26 "$(counted "$TMP/s.out")"
	equal other-family-$b 0 "$(fields "$TMP/x.out" pid | wc -l)"

	# As text: bcc's columns.
	load w "$WORK" connects 2 7315 4
	start s tcpconnlat --backend $b -t -L -p "$(pid w)"
	go w
	stop s
	{
		echo "TIME(s)   PID     COMM         IP SADDR            LPORT  DADDR            DPORT LAT(ms)"
		awk -F '\t' '{ printf "TIME      %-7s %-12s %-2s %-16s %-6s %-16s %-5s MS\n", $2, $4, $5, $6, $7, $8, $9 }' "$TMP/w.said"
	} >"$TMP/wanted"
	sed 's/^[0-9]*\.[0-9]\{3\}  */TIME      /; s/[0-9]*\.[0-9][0-9]$/MS/' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
done

# What makes no sense is refused.
for wrong in '-d --name x' '--interval 5' '0.x' '-1' '--heatmap'; do
	# shellcheck disable=SC2086
	"$SONDE" tcpconnlat $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
