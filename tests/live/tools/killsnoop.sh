# SPDX-License-Identifier: GPL-2.0
#
# killsnoop: each kill of a known workload is one row, on every engine; calls to threads; filters.
. "${0%/*}/../lib.sh"

# The rows that sonde should have for what the workload said: pid comm call signal tpid result.
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "kill" { print $2, $4, $5, $6, $7, $8 }' "$@"; }

# The target that the workload takes for one that never exists.
NOBODY=2147480000

rows() { fields "$1" pid comm call signal tpid result; }

for b in $ENGINES; do
	both_abis $b "kills 20" "kills 5" killsnoop -a || continue

	by_numbers $b "kills 20" killsnoop -a

	# As bcc's: kill alone, failures, a signal by number and by name.
	load w "$WORK" -c mine kills 3
	load o "$WORK" kills 1
	start s killsnoop --backend $b -p "$(pid w)"
	start t killsnoop --backend $b --json -T -$NOBODY -p "$(pid w)"
	start x killsnoop --backend $b --json -x -s sigkill --name ine
	go w o
	stop s
	stop x
	stop t
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
	wanted_rows "$TMP/w.said" | awk -F '\t' -v OFS='\t' -v nobody=-$NOBODY '
		$3 == "kill" && $5 == nobody { print $1, $4, $5, $6 }' >"$TMP/wanted"
	fields "$TMP/t.out" pid signal tpid result >"$TMP/got"
	between targets-$b 1 "$(grep -c . "$TMP/wanted")" 1000
	same target-$b "$TMP/wanted" "$TMP/got"
done

expect misuse sh -c '! "$0" killsnoop -s 65 2>"$1" && grep -q "no signal" "$1"' "$SONDE" "$TMP/misuse"
clean left
quiet kernel-log
