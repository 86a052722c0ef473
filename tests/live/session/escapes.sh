# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Whatever programs call their files, arguments and themselves: nothing raw reaches a terminal, JSON is valid, CSV has
# its columns, and nothing is lost of the bytes in JSON.
. "${0%/*}/../lib.sh"

mkdir "$TMP/dir"
bytes() { od -An -v -tx1 "$1" | tr -s ' \n' ' '; }

# harmless NAME FILE: no control bytes but newlines, no C1 controls, nothing that turns the writing around or hides,
# and no byte that is no UTF-8.
harmless() {
	tr -dc '\000-\011\013-\037\177' <"$2" >"$TMP/controls"
	if [ -s "$TMP/controls" ]; then
		fail "$1" "control bytes: $(bytes "$TMP/controls" | cut -c 1-100)"
		return 1
	fi
	bytes "$2" | awk -v name="$1" '
		function digit(c) { return index("0123456789abcdef", c) - 1 }
		function value(h) { return 16 * digit(substr(h, 1, 1)) + digit(substr(h, 2, 1)) }
		function wrong(what) { if (!bad++) why = what " at byte " i ": " $i " " $(i + 1) " " $(i + 2) }
		{
			for (i = 1; i <= NF; i += n) {
				b = value($i)
				n = b < 128 ? 1 : b >= 194 && b < 224 ? 2 : b >= 224 && b < 240 ? 3 : b >= 240 && b < 245 ? 4 : 0
				if (!n) {
					wrong("no UTF-8")
					n = 1
					continue
				}
				for (j = 1; j < n; j++)
					if (value($(i + j)) < 128 || value($(i + j)) > 191 || i + j > NF)
						wrong("no UTF-8")
				second = n > 1 ? value($(i + 1)) : 0
				if (b == 194 && second < 160)
					wrong("a C1 control")
				if (b == 237 && second > 159 || b == 224 && second < 160)
					wrong("no UTF-8")
				third = n > 2 ? value($(i + 2)) : 0
				if (b == 226 && (second == 128 && (third >= 139 && third <= 143 || third >= 168 && third <= 174) ||
						 second == 129 && third >= 160 && third <= 175))
					wrong("an invisible character")
			}
		}
		END { print bad ? "FAIL escapes:" name ": " why : "PASS escapes:" name }'
}

# table NAME FILE: RFC 4180: every record has as many fields as the first; prints their number of records to
# $TMP/records.
table() {
	awk -v name="$1" '
		{
			line = quoted ? line "\n" $0 : $0
			quotes = gsub(/"/, "\"", $0)
			quoted = (quoted + quotes) % 2
			if (quoted)
				next
			fields = 1
			inside = 0
			for (i = 1; i <= length(line); i++) {
				c = substr(line, i, 1)
				if (c == "\"")
					inside = !inside
				else if (c == "," && !inside)
					fields++
			}
			if (!records++)
				wanted = fields
			if (fields != wanted && !bad++)
				why = "record " records " has " fields " fields, the head " wanted ": " line
		}
		END {
			if (quoted)
				why = "a quote is never closed"
			print why ? "FAIL escapes:" name ": " why : "PASS escapes:" name
			print records >"/dev/stderr"
		}' "$2" 2>"$TMP/records"
}

odd='e\x1b[2Jv"\x0a\xff\\l,'
engines=$(engines_for_strings)
for b in $engines; do
	for format in text json csv; do
		option=--$format
		[ $format != text ] || option=
		load w "$WORK" -c "$odd" names "$TMP/dir"
		start_or_skip open-$b-$format '' s opensnoop --backend $b $option -p "$(pid w)" || { go w; continue; }
		go w
		stop s
		harmless open-$b-$format "$TMP/s.out"
		n=$(grep -c '^open' "$TMP/w.said")
		case $format in
		text) equal open-$b-lines $((n + 1)) "$(wc -l <"$TMP/s.out")" ;;
		csv) table open-$b-csv-fields "$TMP/s.out" && equal open-$b-csv-records $((n + 1)) "$(cat "$TMP/records")" ;;
		json)
			# The bytes come back as they were, as far as they are shown.
			awk -F '\t' -v OFS='\t' '{ print $4, (length($8) > 255 ? "long" : $8) }' "$TMP/w.said" >"$TMP/wanted"
			fields "$TMP/s.out" comm path path_cut | awk -F '\t' -v OFS='\t' \
				'{ print $1, ($3 == "true" || length($2) > 255 ? "long" : $2) }' >"$TMP/got"
			same open-$b-bytes "$TMP/wanted" "$TMP/got" ;;
		esac

		load w "$WORK" exec-args
		start_or_skip exec-$b-$format "$(absences $b)" s execsnoop --backend $b $option -P "$(pid w)" || { go w; continue; }
		go w
		stop s
		harmless exec-$b-$format "$TMP/s.out"
		n=$(grep -c '^exec' "$TMP/w.said")
		case $format in
		text) equal exec-$b-lines $((n + 1)) "$(wc -l <"$TMP/s.out")" ;;
		csv) table exec-$b-csv-fields "$TMP/s.out" && equal exec-$b-csv-records $((n + 1)) "$(cat "$TMP/records")" ;;
		json) equal exec-$b-rows $n "$(fields "$TMP/s.out" args | wc -l)" ;;
		esac
	done
done

for b in $ENGINES; do
	for format in text json csv; do
		option=--$format
		[ $format != text ] || option=
		load w "$WORK" -c "$odd" connects 3 7040 4
		start_or_skip connect-$b-$format '' s tcpconnect --backend $b $option -P 7040 || { go w; continue; }
		go w
		stop s
		harmless connect-$b-$format "$TMP/s.out"
		case $format in
		text) equal connect-$b-lines 5 "$(wc -l <"$TMP/s.out")" ;;
		csv) table connect-$b-csv-fields "$TMP/s.out" && equal connect-$b-csv-records 4 "$(cat "$TMP/records")" ;;
		json)
			cut -f 4 "$TMP/w.said" >"$TMP/wanted"
			fields "$TMP/s.out" comm >"$TMP/got"
			same connect-$b-bytes "$TMP/wanted" "$TMP/got" ;;
		esac
	done
	for tool in runqlat biolatency cachestat; do
		"$SONDE" $tool --backend $b --csv 1 1 >"$TMP/csv" 2>"$TMP/err"
		equal $tool-$b-csv 0 $?
		table $tool-$b-csv-fields "$TMP/csv"
	done
done

# The tests' own measure: what is harmful is found.
printf 'a\302\233b\n' >"$TMP/c1"
printf 'a\342\200\256b\n' >"$TMP/bidi"
printf 'a\377b\n' >"$TMP/raw"
printf 'a\033b\n' >"$TMP/escape"
printf 'a,b\n1,"2\n3",4\n' >"$TMP/table"
for f in c1 bidi raw escape; do
	harmless measure-$f "$TMP/$f" | grep -q '^FAIL' && pass measure-$f || fail measure-$f "not found"
done
table measure-table "$TMP/table" | grep -q '^FAIL' && pass measure-table || fail measure-table "not found"
clean left
quiet kernel-log
