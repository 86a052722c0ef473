# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# lockstat: waits for a mutex and for an rwsem, which are held for a known time: by caller, lock and thread, as stacks and
# histograms; limits and filters.
. "${0%/*}/../lib.sh"

waits=20 ms=50
if ! "$WORK" contend pipe 1 1 >/dev/null 2>"$TMP/no"; then
	skip waits "this kernel provides no memory later: $(cat "$TMP/no")"
	waits=
fi
# rows FILE COLUMN...: of one kind of lock, with its first column.
rows() { fields "$@" | sed 's/\.[0-9]*//g'; }
sum() { awk -F '\t' -v of="$1" '{ n += $of } END { printf "%d\n", n }' "$2"; }

for b in $ENGINES; do
	if [ -z "$waits" ]; then
		timeout $((20 * SLOW)) "$SONDE" lockstat --backend $b --verbose --duration 1 >"$TMP/text" 2>"$TMP/err"
		status=$?
		if [ $status = 1 ] && grep -qE "$(reasons "$(absences_of_stacks $b)|no stacks of their own")" "$TMP/err"; then
			skip waits-$b "$(grep -m 1 'not ' "$TMP/err")"
		else
			equal ends-$b 0 $status
		fi
		continue
	fi
	load w "$WORK" contend pipe $waits $ms
	only="--backend $b --buffer-pages 256 -p $(pid w) -Y mutex,rwsem -m $((ms * 200))"
	start_or_skip waits-$b "$(absences_of_stacks $b)" l lockstat $only --json -l || { go w; continue; }
	start P lockstat $only --json -P
	start H lockstat $only --json -H
	start f lockstat $only --folded
	start R lockstat ${only%%-Y*} --json -Y rwsem -m $((ms * 200))
	start a lockstat --backend $b --buffer-pages 256 --json -P
	# Where returns are traced, those of the others hide the callers from all but the newest.
	start c lockstat $only --json
	go w
	for id in c l P H f R a; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	lossless lost-$b $b "$TMP/c.out" && lossless lost-l-$b $b "$TMP/l.out" && lossless lost-P-$b $b "$TMP/P.out" &&
		lossless lost-a-$b $b "$TMP/a.out" || continue
	us=$(said w 4)
	rows "$TMP/c.out" type caller count total_us max_us >"$TMP/got"
	equal caller-$b "mutex pipe_write $waits" "$(awk '{ sub(/^anon_/, "", $2); print $1, $2, $3 }' "$TMP/got")"
	between total-$b $((us * 9 / 10)) "$(sum 4 "$TMP/got")" $((us + us / 10))
	between max-$b $((ms * 500)) "$(sum 5 "$TMP/got")" "$us"
	rows "$TMP/l.out" type count address >"$TMP/got"
	equal lock-$b "mutex $waits" "$(cut -f 1,2 "$TMP/got" | tr '\t' ' ')"
	contains address-$b "$TMP/got" '0x[0-9a-f]+$'
	rows "$TMP/P.out" tid pid comm count >"$TMP/got"
	equal thread-$b "$(pid w) $(pid w) work $waits" "$(tr '\t' ' ' <"$TMP/got")"
	equal hist-$b "mutex" "$(sed -n 's/.*"type": *"\([^"]*\)".*/\1/p' "$TMP/H.out")"
	awk '{ n += $NF } END { printf "%d\n", n / 1000 }' "$TMP/f.out" >"$TMP/got"
	between folded-$b $((us * 9 / 10)) "$(cat "$TMP/got")" $((us + us / 10))
	if has_event lock contention_begin; then
		contains stack-$b "$TMP/f.out" 'pipe_write;.*mutex_lock'
	fi
	equal others-$b 0 "$(rows "$TMP/R.out" count | wc -l)"
	# Without a limit waits for spin locks come in addition.
	n=$(rows "$TMP/a.out" tid count | awk -v pid="$(pid w)" '$1 == pid { n += $2 } END { print n + 0 }')
	[ "$n" -ge $waits ] && pass all-$b || fail all-$b "wanted $waits or more, got $n"

	# A file's rwsem; the lock as -l has shown it.
	load w "$WORK" contend "$TMP/file" $waits $ms
	only="--backend $b --buffer-pages 256 --json -p $(pid w) -Y mutex,rwsem -m $((ms * 200))"
	start c lockstat $only
	start l lockstat $only -l -i 1
	go w
	stop c
	stop l
	lossless lost-c2-$b $b "$TMP/c.out" && lossless lost-l2-$b $b "$TMP/l.out" || continue
	rows "$TMP/c.out" type count >"$TMP/got"
	equal rwsem-$b "rwsem:W $waits" "$(tr '\t' ' ' <"$TMP/got")"
	rows "$TMP/l.out" count >"$TMP/got"
	equal intervals-$b $waits "$(sum 1 "$TMP/got")"
done
# Mutexes that are held: twenty times as long as the workload's other process holds that of the pipe.
for b in $ENGINES; do
	[ -n "$waits" ] || break
	load w "$WORK" contend pipe $waits $ms
	only="--backend $b --buffer-pages 1024 -m $((ms * 500)) --json"
	start_or_skip hold-$b "$(absences_of_stacks $b)|no kprobes|no tracepoint lock" l lockstat $only -l -S hld_max || { go w; continue; }
	start H lockstat $only --hold -H
	start c lockstat $only --hold	# the newest, as above
	go w
	us=$(said w 4)
	for id in l H c; do
		stop $id && equal ends-hold-$id-$b 0 "$STATUS"
	done
	load w "$WORK" contend pipe $waits $ms
	start b lockstat $only -S acq_max,hld_total -s 2
	go w
	stop b && equal ends-hold-b-$b 0 "$STATUS"
	lossless lost-hold-$b $b "$TMP/c.out" && lossless lost-hold-l-$b $b "$TMP/l.out" &&
		lossless lost-hold-b-$b $b "$TMP/b.out" || continue
	rows "$TMP/c.out" type caller count total_us max_us >"$TMP/all"
	grep pipe_write "$TMP/all" >"$TMP/got"
	equal hold-$b "mutex-held pipe_write $waits" "$(awk '{ sub(/^anon_/, "", $2); print $1, $2, $3 }' "$TMP/got")"
	# A hold is as long as the process sleeps within it; somebody waits for the greater part of it.
	between hold-total-$b $((waits * ms * 1000)) "$(sum 4 "$TMP/got")" $((us * 3 / 2))
	between hold-max-$b $((ms * 1000)) "$(sum 5 "$TMP/got")" "$us"
	equal hold-lock-$b 1 "$(rows "$TMP/l.out" type count | grep -c "^mutex-held	$waits\$")"
	# The other process waits in the same function; probes on returns may hide that.
	rows "$TMP/b.out" type caller count | awk -F '\t' '$2 ~ /pipe_write.x20<.x20.*write/ || $1 == "mutex" && $2 == "-" {
		print $1, $3 }' >"$TMP/got"
	printf 'mutex %s\nmutex-held %s\n' $waits $waits >"$TMP/wanted"
	same hold-both-$b "$TMP/wanted" "$TMP/got"
	contains hold-hist-$b "$TMP/H.out" '"hold".*"mutex-held"'
done
for misuse in '--hold -Y rwsem' '-P -S acq_max,hld_max' '-s 0' '-s 2 -l' '-S max,name' '-l -P' '-l -K' '-Y name' '-S name' '-K -n 5' '-P -c vfs' '-L 0xyz' '-L no_such_lock'; do
	"$SONDE" lockstat $misuse >"$TMP/out" 2>"$TMP/err"
	equal "misuse$(echo "$misuse" | tr -d ' ')" "$(case $misuse in -L*) echo 1 ;; *) echo 2 ;; esac)" $?
done
clean left
quiet kernel-log
