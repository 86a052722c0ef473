# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# dcstat: names that a known workload looks up, those found with a lock, and those not in the cache; text.
. "${0%/*}/../lib.sh"

if ! has_kprobes; then
	for b in $ENGINES; do
		refused no-kprobes-$b 'names.fast: this kernel has no kprobes, for __d_lookup_rcu' dcstat --backend $b
	done
	exit 0
fi
head='TIME       REFS/s   SLOW/s   MISS/s     HIT%'
mkdir "$TMP/tmpfs" && mount -t tmpfs none "$TMP/tmpfs" || exit 0
cleanup_hook() { umount "$TMP/tmpfs"; }

for b in $ENGINES; do
	rm -f "$TMP/tmpfs"/*
	load w "$WORK" lookups 100 "$TMP/tmpfs"
	start_or_skip counts-$b "$(absences $b)" s dcstat --backend $b --json -p "$(pid w)" 1 || { go w; continue; }
	go w
	stop s && equal ends-$b 0 "$STATUS"
	missed=$(without_return "$TMP/s.out")
	[ "$missed" = 0 ] || { skip counts-$b "the kernel missed $missed returns, which sonde says"; continue; }
	lossless lost-$b $b "$TMP/s.out" || continue
	# While the workload waits for its word, it looks whether that file is there: up to that these are missed, and its
	# folder is found each time. A walk that begins again counts its names again.
	waits=$(dirname "$TMP/w.go" | tr -cd / | wc -c)
	fields "$TMP/s.out" refs slow misses | awk '{ r += $1; s += $2; m += $3 } END { print r - m, s - m, m }' >"$TMP/got"
	read -r hits locked misses <"$TMP/got"
	more=$((misses - $(said w 4)))
	between misses-$b 0 $more $((40 * SLOW))
	equal locked-$b $(($(said w 3) - $(said w 4))) "$locked"
	between hits-$b 0 $((hits - $(said w 2) + $(said w 4))) $(((more + 1) * waits + 21))

	# Everybody's, as text. Without a lookup there is no percentage.
	rm -f "$TMP/tmpfs"/*
	load w "$WORK" lookups 1000 "$TMP/tmpfs"
	start s dcstat --backend $b --buffer-pages 1024 3600
	start n dcstat --backend $b -p 1 3600
	go w
	stop s
	stop n
	equal head-$b "$head" "$(sed -n 1p "$TMP/s.out")"
	equal rows-$b 1 "$(sed 1d "$TMP/s.out" | grep -cE '^[0-9:]{8} +[0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+$')"
	equal sane-$b 1 "$(awk 'NR == 2 && $2 >= $3 && $3 >= $4 && $4 > 0 && $5 < 100' "$TMP/s.out" | wc -l | tr -d ' ')"
	equal none-$b 1 "$(sed 1d "$TMP/n.out" | grep -cE '^[0-9:]{8} +0 +0 +0 +-$')"
done
clean left
quiet kernel-log
