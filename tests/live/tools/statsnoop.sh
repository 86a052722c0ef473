# SPDX-License-Identifier: GPL-2.0
#
# statsnoop: each stat of a path of a known workload is one row, on every engine, whatever the call; filters.
. "${0%/*}/../lib.sh"

mkdir "$TMP/dir"

# The rows that sonde should have for what the workload said: pid comm ret errno path path_cut.
wanted_rows() {
	awk -F '\t' -v OFS='\t' '
		# The first 255 bytes; an escaped one takes four characters.
		function cut(s,  i, n) {
			for (i = n = 1; n <= 255 && i <= length(s); n++)
				i += substr(s, i, 2) == "\\x" ? 4 : 1
			return substr(s, 1, i - 1)
		}
		$1 == "stat" {
			shown = cut($5)
			print $2, $3, $4 < 0 ? -1 : $4, $4 < 0 ? -$4 : 0, shown, shown == $5 ? "-" : "true"
		}' "$@"
}
rows() { fields "$1" pid comm ret errno path path_cut; }

engines=$(engines_for_strings)
if [ "$engines" = bpf ]; then
	for b in perf ftrace; do
		refused no-kprobes-$b 'kprobe|string|copy' statsnoop --backend $b
	done
fi

for b in $engines; do
	both_abis $b "stats 3 $TMP/dir" "stats 2 $TMP/dir" statsnoop || continue

	# As bcc's text; failures of one name.
	load w "$WORK" -c mine stats 1 "$TMP/dir"
	load o "$WORK" stats 1 "$TMP/dir"
	start s statsnoop --backend $b -t -p "$(pid w)"
	start x statsnoop --backend $b --json -x --name ine
	go w o
	stop s
	stop x
	{
		echo "TIME(s)        PID    COMM               FD ERR PATH"
		wanted_rows "$TMP/w.said" | sed 's/\\xff/@/' | awk -F '\t' '{
			printf "TIME           %-6s %-16s %4s %3s %s%s\n", $1, $2, $3, $4, $5 == "\\0" ? "" : $5,
				$6 == "true" ? "..." : "" }' | sed 's/\\x20/ /g; s/\\x22/"/g; s/@/\\xff/; s/ *$//'
	} >"$TMP/wanted"
	sed 's/^[0-9]*\.[0-9]\{9\}  */TIME           /' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	wanted_rows "$TMP/w.said" | awk -F '\t' '$3 < 0' >"$TMP/wanted"
	rows "$TMP/x.out" >"$TMP/got"
	same failed-$b "$TMP/wanted" "$TMP/got"
done

clean left
quiet kernel-log
