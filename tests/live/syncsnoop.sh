# SPDX-License-Identifier: GPL-2.0
#
# syncsnoop: each sync of a known workload is one row, on every engine, and with -a each of a file.
. "${0%/*}/lib.sh"

mkdir "$TMP/dir"
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "sync" { print $2, $3, $4 }' "$@"; }

for b in $ENGINES; do
	load w "$WORK" -c 's\x0a"' syncs 4 "$TMP/dir"
	ids=w
	need32 rows-32-$b && load c "$WORK32" syncs 2 "$TMP/dir" && ids="w c"
	pids=$(for i in $ids; do echo -n "$(pid $i),"; done)
	start_or_skip rows-$b "$(absences $b)" s syncsnoop --backend $b --json -a -p "${pids%,}" || { go $ids; continue; }
	go $ids
	stop s && equal ends-$b 0 "$STATUS"
	fields "$TMP/s.out" pid comm call >"$TMP/rows" || fail json-$b "$(tail -n 1 "$TMP/rows")"
	wanted_rows "$TMP/w.said" >"$TMP/wanted"
	grep "^$(pid w)	" "$TMP/rows" >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	if [ -n "$WORK32" ]; then
		wanted_rows "$TMP/c.said" >"$TMP/wanted"
		if grep -q '32-bit processes are not seen' "$TMP/s.err"; then
			has_kprobes && fail said-no-32-$b "not seen, although there are kprobes" || pass said-no-32-$b
			: >"$TMP/wanted"
		fi
		grep "^$(pid c)	" "$TMP/rows" >"$TMP/got"
		same rows-32-$b "$TMP/wanted" "$TMP/got"
	fi
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"

	# As bcc's: sync() alone, at times of the kernel's clock.
	load w "$WORK" -c mine syncs 3 "$TMP/dir"
	start s syncsnoop --backend $b --name ine
	start j syncsnoop --backend $b --json --name ine
	go w
	after=$(cut -d ' ' -f 1 /proc/uptime)
	stop s
	stop j
	printf 'TIME(s)            CALL\nTIME               sync()\nTIME               sync()\nTIME               sync()\n' \
		>"$TMP/wanted"
	sed 's/^[0-9]*\.[0-9]\{9\}  */TIME               /; s/ *$//' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	# The machine's uptime counts the time it was suspended, too.
	sed 1d "$TMP/s.out" | awk -v after="$after" '$1 <= last || $1 > after + 0.1 { print } { last = $1 }' >"$TMP/wrong"
	: >"$TMP/none"
	same times-$b "$TMP/none" "$TMP/wrong"
	wanted_rows "$TMP/w.said" | grep '	sync()$' >"$TMP/wanted"
	fields "$TMP/j.out" pid comm call >"$TMP/got"
	same who-$b "$TMP/wanted" "$TMP/got"
done

clean left
quiet kernel-log
