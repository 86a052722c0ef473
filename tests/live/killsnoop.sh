# SPDX-License-Identifier: GPL-2.0
#
# killsnoop: each kill of a known workload is one row, on every engine; calls to threads; filters.
. "${0%/*}/lib.sh"

# The rows that sonde should have for what the workload said: pid comm call signal tpid result.
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "kill" { print $2, $4, $5, $6, $7, $8 }' "$@"; }

for b in $ENGINES; do
	load w "$WORK" -c 'k\x0a"' kills 20
	ids=w
	need32 rows-32-$b && load c "$WORK32" kills 5 && ids="w c"
	pids=$(for i in $ids; do echo -n "$(pid $i),"; done)
	start_or_skip rows-$b "$(absences $b)" s killsnoop --backend $b --json -a -p "${pids%,}" || { go $ids; continue; }
	go $ids
	stop s && equal ends-$b 0 "$STATUS"
	fields "$TMP/s.out" pid comm call signal tpid result >"$TMP/rows" || fail json-$b "$(tail -n 1 "$TMP/rows")"
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

	# As bcc's: kill alone, failures, a signal by number and by name.
	load w "$WORK" -c mine kills 3
	load o "$WORK" kills 1
	start s killsnoop --backend $b -p "$(pid w)"
	start x killsnoop --backend $b --json -x -s sigkill --name ine
	go w o
	stop s
	stop x
	{
		echo "TIME      PID    COMM             SIG  TPID   RESULT"
		wanted_rows "$TMP/w.said" | awk -F '\t' '$3 == "kill" {
			printf "TIME      %-6s %-16s %-4s %-6s %s\n", $1, $2, $4, $5, $6 }'
	} >"$TMP/wanted"
	sed 's/^[0-9:][0-9:]* */TIME      /' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	wanted_rows "$TMP/w.said" | awk -F '\t' -v OFS='\t' '
		$3 == "kill" && $6 < 0 && $4 == 9 { print $1, $4, $5, $6 }' >"$TMP/wanted"
	fields "$TMP/x.out" pid signal tpid result >"$TMP/got"
	same failed-$b "$TMP/wanted" "$TMP/got"
done

expect misuse sh -c '! "$0" killsnoop -s 65 2>"$1" && grep -q "no signal" "$1"' "$SONDE" "$TMP/misuse"
clean left
quiet kernel-log
