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
	if older 4.5; then
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
clean left
quiet kernel-log
