# SPDX-License-Identifier: GPL-2.0
#
# drsnoop: as many lines and pages as the kernel itself has counted, on every engine; text, filters. Only a machine of
# which all memory may be taken for a moment: a small one.
. "${0%/*}/../lib.sh"

small=yes
[ "$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)" -le 1100000 ] || small=
[ -w /proc/sys/vm/nr_hugepages ] || small=
for b in $ENGINES; do
	if [ -z "$small" ]; then
		skip rows-$b "this machine has too much memory to be without, or no huge pages to use it up with"
		start_or_skip head-$b "$(absences $b)" s drsnoop --backend $b || continue
		stop s && equal ends-$b 0 "$STATUS"
		equal head-$b "COMM           PID     LAT(ms) PAGES" "$(sed -n 1p "$TMP/s.out")"
		continue
	fi
	"$WORK" reclaim >/dev/null	# what is free at once is gone
	load w "$WORK" -c 'r\x0a"' reclaim
	start_or_skip rows-$b "$(absences $b)" s drsnoop --backend $b --buffer-pages 256 --json || { go w; continue; }
	start p drsnoop --backend $b --buffer-pages 256 -T -p "$(pid w)"
	start o drsnoop --backend $b --buffer-pages 256 --json -p 1
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop p
	stop o
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	fields "$TMP/s.out" pid comm lat_ms pages >"$TMP/rows"
	stalls=$(cut -f 4 "$TMP/w.said")
	if [ "$stalls" = 0 ]; then
		skip rows-$b "this kernel had enough memory"
		continue
	fi
	# A stall is counted again where the kernel tries again before it gives up.
	between rows-$b $(((stalls + 1) / 2)) "$(wc -l <"$TMP/rows")" $((stalls + 2))
	between pages-$b "$(cut -f 5 "$TMP/w.said")" "$(awk -F '\t' '{ n += $4 } END { print n + 0 }' "$TMP/rows")" 1000000
	awk -F '\t' -v pid="$(pid w)" '$1 == pid { print $2 }' "$TMP/rows" | sort -u >"$TMP/got"
	equal comm-$b 'r\x0a"' "$(cat "$TMP/got")"
	equal no-time-$b 0 "$(awk -F '\t' '!($3 >= 0 && $3 < 100000)' "$TMP/rows" | wc -l)"
	equal text-$b "$(awk -F '\t' -v pid="$(pid w)" '$1 == pid' "$TMP/rows" | wc -l)" \
		"$(grep -cE "^[0-9]+\.[0-9]{9} +r.n\" +$(pid w) +[0-9]+\.[0-9]{2} +[0-9]+$" "$TMP/p.out")"
	equal head-$b "TIME(s)        COMM           PID     LAT(ms) PAGES" "$(sed -n 1p "$TMP/p.out")"
	equal other-$b 0 "$(fields "$TMP/o.out" pid | grep -cv '^1$')"
done
clean left
quiet kernel-log
