# SPDX-License-Identifier: GPL-2.0
#
# syncsnoop: each sync of a known workload is one row, on every engine, and with -a each of a file.
. "${0%/*}/../lib.sh"

mkdir "$TMP/dir"
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "sync" { print $2, $3, $4 }' "$@"; }

rows() { fields "$1" pid comm call; }

for b in $ENGINES; do
	both_abis $b "syncs 4 $TMP/dir" "syncs 2 $TMP/dir" syncsnoop -a || continue

	by_numbers $b "syncs 4 $TMP/dir" syncsnoop -a

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

# Sixty wait at a time, where a kernel that is not told remembers ten returns.
if folder crowd; then
	for b in $ENGINES; do
		load w "$WORK" -c crowd syncflood "$FOLDER" 10 60
		start s syncsnoop --backend $b -a --json --name crowd
		go w
		stop s
		lossless crowd-lost-$b $b "$TMP/s.out" || continue
		rows=$(fields "$TMP/s.out" call | grep -c 'fsync()') missed=$(reported "$TMP/s.out" missed)
		echo "# $b: $rows rows of 600, missed $missed"
		case $missed in
		"") if grep -q 'r\[maxactive\]' "$TRACEFS/README" || ! older 4.13; then
			equal crowd-$b 600 "$rows"
		else
			expect crowd-$b [ "$rows" -le 600 ]
		fi ;;
		*) between crowd-$b $((600 - missed)) "$rows" 600 ;;
		esac
	done
fi

clean left
quiet kernel-log
