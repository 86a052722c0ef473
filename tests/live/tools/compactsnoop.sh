# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# compactsnoop: a shell has each zone of memory compacted once; its rows, stacks, text and filters.
. "${0%/*}/../lib.sh"

if ! echo 1 2>/dev/null >/proc/sys/vm/compact_memory; then
	skip zones "this kernel can't be asked to compact memory"
	exit 0
fi
zones=$(awk '$1 == "present" && $2 > 0 { n++ } END { print n + 0 }' /proc/zoneinfo)
# The zones' names, as the file has them: "Node 0, zone   Normal".
awk '/^Node/ { node = $2 + 0; zone = $4 } $1 == "present" && $2 > 0 { print node, zone }' /proc/zoneinfo | sort >"$TMP/zones"

for b in $ENGINES; do
	start_or_skip rows-$b "$(absences $b)|no tracepoint compaction:" s compactsnoop --backend $b --json || continue
	start_or_skip stack-$b "$(absences_of_stacks $b)" K compactsnoop --backend $b --json -K -T && stacks=K || stacks=
	start t compactsnoop --backend $b
	start p compactsnoop --backend $b --json -p 1
	sh -c 'echo $$ >"$1"; echo 1 >/proc/sys/vm/compact_memory' sh "$TMP/pid"
	for id in s $stacks t p; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	pid=$(cat "$TMP/pid")
	lossless lost-$b $b "$TMP/s.out" || continue
	fields "$TMP/s.out" pid node zone order mode lat_ms status | awk -F '\t' -v pid="$pid" '$1 == pid' >"$TMP/rows"
	equal rows-$b "$zones" "$(wc -l <"$TMP/rows" | tr -d ' ')"
	if older 4.4; then
		equal zones-$b - "$(cut -f 3 "$TMP/rows" | sort -u)"
	else
		cut -f 2,3 "$TMP/rows" | tr '\t' ' ' | sort >"$TMP/got"
		same zones-$b "$TMP/zones" "$TMP/got"
	fi
	equal order-$b - "$(cut -f 4 "$TMP/rows" | sort -u)"
	equal mode-$b sync "$(cut -f 5 "$TMP/rows" | sort -u)"
	equal sane-$b 0 "$(awk -F '\t' '!($6 >= 0 && $6 < 100000) || $7 !~ /^[a-z_]+$/' "$TMP/rows" | wc -l | tr -d ' ')"
	[ -z "$stacks" ] || contains stack-$b "$TMP/K.out" '"kernel_stack":"[^"]*vfs_write;[^"]*compact_node'
	equal head-$b "COMM           PID    NODE ZONE         ORDER MODE      LAT(ms) STATUS" "$(sed -n 1p "$TMP/t.out")"
	equal text-$b "$zones" "$(grep -cE "^sh +$pid +[0-9]+ +[A-Za-z0-9-]+ +- +sync +[0-9.]+ [a-z_]+$" "$TMP/t.out")"
	equal other-$b 0 "$(fields "$TMP/p.out" pid | grep -cv '^1$')"
done
# Watermarks as the kernel's file has them; what is free is never exactly known.
if [ "${ENGINES#*bpf}" != "$ENGINES" ]; then
	if start_or_skip extended "$(absences bpf)|no tracepoint compaction:|raw tracepoints|zone\._watermark|zone\.watermark_boost|64-bit" \
		e compactsnoop --backend bpf --json -e; then
		start h compactsnoop --backend bpf -e
		awk '/^Node/ { zone = $2 + 0 " " $4; n = 0 }
			$1 ~ /^(min|low|high|present)$/ && n < 4 { v[$1] = $2; n++ }
			n == 4 && v["present"] > 0 { print zone, v["min"], v["low"], v["high"]; n = 5 }' /proc/zoneinfo | sort >"$TMP/wanted"
		sh -c 'echo $$ >"$1"; echo 1 >/proc/sys/vm/compact_memory' sh "$TMP/pid"
		stop e && equal ends-extended 0 "$STATUS"
		stop h
		fields "$TMP/e.out" pid node zone min_pages low_pages high_pages free_pages | awk -v pid="$(cat "$TMP/pid")" '$1 == pid' >"$TMP/rows"
		awk '{ print $2, $3, $4, $5, $6 }' "$TMP/rows" | sort >"$TMP/got"
		same extended "$TMP/wanted" "$TMP/got"
		free=$(awk '$1 == "pages" && $2 == "free" { n += $3 } END { printf "%d\n", n }' /proc/zoneinfo)
		between free $((free / 2)) "$(awk '{ n += $7 } END { printf "%d\n", n }' "$TMP/rows")" $((free * 2))
		contains extended-head "$TMP/h.out" '^COMM .* MODE    FRAGIDX  MIN      LOW      HIGH     FREE       LAT\(ms\) STATUS$'
	fi
	refused records 'no field zone|no tracepoint' compactsnoop -e --backend perf
fi
clean left
quiet kernel-log
