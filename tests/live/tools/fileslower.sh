# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# fileslower: each read and write of a file is one row, whatever file system it is on; pipes only with -a.
. "${0%/*}/../lib.sh"

if ! has_kprobes; then
	for b in $ENGINES; do
		refused no-kprobes-$b "no kprobes|$(absences $b)" fileslower --backend $b
	done
	skip rows "this kernel has no kprobes"
	exit 0
fi
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "fileop" && $4 ~ /[RW]/ { print $2, $3, $4, $5, $7 }' "$@"; }

mkdir "$TMP/files"
for b in $ENGINES; do
	load w "$WORK" fileops 2 "$TMP/files"
	start_or_skip rows-$b "$(absences $b)" s fileslower --backend $b --json 0 -p "$(pid w)" || { go w; continue; }
	start t fileslower --backend $b -m 0 -p "$(pid w)"
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop t
	# Those by preadv(2) begin at odd places.
	vectors=1
	! grep -q '^sonde: fileslower: readv(2), writev(2) and the like are not shown' "$TMP/s.err" || vectors=0
	awk -F '\t' -v vectors=$vectors '$4 != "R" || vectors || $6 % 2 == 0' "$TMP/w.said" >"$TMP/said"
	wanted_rows "$TMP/said" >"$TMP/wanted"
	# What it says at its end goes to a file, too.
	fields "$TMP/s.out" pid comm type bytes file | grep -v '	w.said$' >"$TMP/got"
	lossless lost-$b $b "$TMP/s.out" && same rows-$b "$TMP/wanted" "$TMP/got"
	contains head-$b "$TMP/t.out" '^TIME\(s\)  COMM           TID     D BYTES   LAT\(ms\) FILENAME$'
	contains text-$b "$TMP/t.out" '^[0-9.]+ +work +[0-9]+ +W 5000 +[0-9]+\.[0-9]{2} file "1"\\xff$'

	# A pipe, of a shell whose child writes into it.
	for all in "" -a; do
		timeout $((20 * SLOW)) "$SONDE" fileslower $all --backend $b --json 0 \
			--exec sh -c 'echo through a pipe | cat >/dev/null' >"$TMP/${all:-s}.out" 2>"$TMP/${all:-s}.err" </dev/null
		status=$?
		[ $status = 0 ] || [ -z "$(absences $b)" ] || ! grep -qE "$(absences $b)" "$TMP/${all:-s}.err" || {
			skip pipe-$b$all "$(grep -E "$(absences $b)" "$TMP/${all:-s}.err" | head -n 1)"
			continue 2
		}
		equal pipe-ends-$b$all 0 $status
	done
	equal no-pipe-$b 0 "$(fields "$TMP/s.out" type bytes | grep -c '^W	15$')"
	equal pipe-$b 1 "$(fields "$TMP/-a.out" type bytes | grep -c '^W	15$' | sed 's/[2-9]/1/')"
done
clean left
quiet kernel-log
