# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# futexctn: waits for a mutex that another thread holds for a known time, of the plain kind and of the kernel's (PI), by
# FUTEX_WAIT_BITSET and by futex_waitv(2); condition variables that nobody signals; who waits for whom; 32-bit programs.
. "${0%/*}/../lib.sh"

ms=50 timeouts=7
sum() { awk -F '\t' -v of="$1" '{ n += $of } END { printf "%d\n", n }' "$2"; }

for b in $ENGINES; do
	for kind in plain pi; do
		load w "$WORK" futexes $kind 20 $ms $timeouts
		only="--backend $b --buffer-pages 256 -p $(pid w)"
		start_or_skip waits-$kind-$b "$(absences_of_stacks $b)" c futexctn $only --json || { go w; continue; }
		start s futexctn $only --json -s
		start P futexctn $only --json -s -P
		start m futexctn $only --json -s -m 10000
		start H futexctn $only --json -H
		start f futexctn $only --folded
		start o futexctn $only --json -o 1
		start x futexctn --backend $b --buffer-pages 256 --json -s -p 1
		go w
		for id in c s P m H f o x; do
			stop $id && equal ends-$id-$kind-$b 0 "$STATUS"
		done
		lossless lost-$kind-$b $b "$TMP/c.out" && lossless lost-s-$kind-$b $b "$TMP/s.out" || continue
		lossless lost-P-$kind-$b $b "$TMP/P.out" && lossless lost-o-$kind-$b $b "$TMP/o.out" || continue
		lock=$(said w 4) us=$(said w 5) waits=$(said w 6)
		fields "$TMP/c.out" lock waits timeouts total_us max_us kind functions >"$TMP/rows"
		grep "^$lock	" "$TMP/rows" >"$TMP/got"
		equal waits-$kind-$b "$waits" "$(sum 2 "$TMP/got")"
		between total-$kind-$b $((us * 9 / 10)) "$(sum 4 "$TMP/got")" $((us + us / 10))
		equal timeouts-$kind-$b $timeouts "$(grep -v "^$lock	" "$TMP/rows" | sum 3 -)"
		if [ $kind = pi ]; then
			equal kind-$kind-$b mutex "$(cut -f 6 "$TMP/got" | sort -u)"
		fi
		fields "$TMP/s.out" lock waits timeouts >"$TMP/rows"
		equal summary-$kind-$b "$waits" "$(grep "^$lock	" "$TMP/rows" | sum 2 -)"
		fields "$TMP/m.out" lock waits >"$TMP/rows"
		equal min-$kind-$b "$waits" "$(grep "^$lock	" "$TMP/rows" | sum 2 -)"
		fields "$TMP/P.out" lock pid tid waits >"$TMP/rows"
		equal thread-$kind-$b "$(pid w) $(said w 2) $waits" "$(grep "^$lock	" "$TMP/rows" | cut -f 2- | tr '\t' ' ')"
		contains hist-$kind-$b "$TMP/H.out" "\"pid\": *$(pid w)"
		awk '{ n += $NF } END { printf "%d\n", n }' "$TMP/f.out" >"$TMP/got"
		between folded-$kind-$b $((us * 9 / 10)) "$(cat "$TMP/got")" $((us + us / 10 + timeouts * 100000))
		equal others-$kind-$b 0 "$(fields "$TMP/x.out" pid | grep -cv '^1$')"
		# Owners are looked for at the end of each interval: the first second has some of these waits.
		fields "$TMP/o.out" lock tid owner | grep "^$lock	" | grep -v '	-$' | sort -u >"$TMP/got"
		if grep -q 'owners of locks are unknown' "$TMP/o.err"; then
			[ $b != bpf ] && pass said-no-owners-$kind-$b || fail said-no-owners-$kind-$b "bpf reads words"
		else
			equal owner-$kind-$b "$lock $(said w 2) $(said w 3)" "$(tr '\t' ' ' <"$TMP/got")"
		fi
	done

	# The other ways to wait. Only where functions or BPF read the word's address is that of futex_waitv(2) known.
	for kind in bitset waitv; do
		"$WORK" futexes $kind 1 1 0 >"$TMP/said" 2>&1 || { skip waits-$kind-$b "this kernel has no such call (since 5.16)"; continue; }
		load w "$WORK" futexes $kind 10 $ms 0
		start_or_skip waits-$kind-$b "$(absences $b)" c futexctn --backend $b --json -s -p "$(pid w)" || { go w; continue; }
		go w
		stop c
		lossless lost-$kind-$b $b "$TMP/c.out" || continue
		lock=$(said w 4) us=$(said w 5)
		[ $kind = bitset ] || [ $b = bpf ] || has_kprobes || lock=-
		fields "$TMP/c.out" lock waits total_us | grep "^$lock	" >"$TMP/got"
		equal waits-$kind-$b "$(said w 6)" "$(sum 2 "$TMP/got")"
		between total-$kind-$b $((us * 9 / 10)) "$(sum 3 "$TMP/got")" $((us + us / 10))
	done

	# Calls of a 32-bit program, where their function can be probed.
	[ -n "$WORK32" ] && has_kprobes || continue
	load w "$WORK32" futexes plain 5 $ms 3
	start_or_skip waits-32-$b "$(absences $b)" c futexctn --backend $b --json -s -p "$(pid w)" || { go w; continue; }
	go w
	stop c
	lossless lost-32-$b $b "$TMP/c.out" || continue
	fields "$TMP/c.out" lock waits timeouts >"$TMP/rows"
	equal waits-32-$b "$(said w 6)" "$(grep "^$(said w 4)	" "$TMP/rows" | sum 2 -)"
	equal timeouts-32-$b 3 "$(sum 3 "$TMP/rows")"
done
for misuse in '-K -o' '-s -K' '-S name' '-l name' '--folded -n 5'; do
	"$SONDE" futexctn $misuse >"$TMP/out" 2>"$TMP/err"
	equal "misuse$(echo "$misuse" | tr -d ' ')" 2 $?
done
clean left
quiet kernel-log
