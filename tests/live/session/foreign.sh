# SPDX-License-Identifier: GPL-2.0
#
# What other users may have prepared: a set-user-ID sonde, links where sonde writes, a pipe in place of a time zone.
. "${0%/*}/../lib.sh"

nobody=$(awk -F: '$1 == "nobody" { print $3 }' /etc/passwd)
nobody=${nobody:-65534}

cp "$SONDE" "$TMP/own-rights"
chown "$nobody" "$TMP/own-rights"
chmod 4755 "$TMP/own-rights"
chmod 755 "$TMP"
"$TMP/own-rights" opensnoop --duration 1 >"$TMP/rights.out" 2>"$TMP/rights.err"
equal set-user-id-status 1 $?
contains set-user-id "$TMP/rights.err" 'does not run set-user-ID'
equal set-user-id-rows 0 "$(wc -c <"$TMP/rights.out")"

# written NAME FILE: stat -o FILE, with its status in $STATUS.
written() {
	"$SONDE" stat -e task-clock -o "$2" -- true >"$TMP/$1.out" 2>"$TMP/$1.err"
	STATUS=$?
}
echo precious >"$TMP/target"
ln -s target "$TMP/theirs"
chown -h "$nobody" "$TMP/theirs"
written theirs "$TMP/theirs"
equal foreign-link-status 1 $STATUS
contains foreign-link "$TMP/theirs.err" 'another user made'
equal foreign-link-kept precious "$(cat "$TMP/target")"

written plain "$TMP/plain"
if [ $STATUS = 0 ]; then
	contains plain-file "$TMP/plain" 'task-clock'
	ln -s target "$TMP/ours"
	written ours "$TMP/ours"
	contains own-link "$TMP/target" 'task-clock'
	equal own-link-emptied 0 "$(grep -c precious "$TMP/target")"
else
	skip plain-file "$(head -n 1 "$TMP/plain.err")"
fi

mkfifo "$TMP/zone"
TZ=$TMP/zone timeout $((20 * SLOW)) "$SONDE" bt -e 'BEGIN { time("%H:%M\n"); exit(); }' \
	>"$TMP/zone.out" 2>"$TMP/zone.err"
STATUS=$?
if [ $STATUS = 0 ] || [ $STATUS = 124 ]; then
	equal zone-pipe 0 $STATUS
	contains zone-time "$TMP/zone.out" '^[0-2][0-9]:[0-5][0-9]$'
else
	skip zone-pipe "$(head -n 1 "$TMP/zone.err")"
fi
clean nothing-left
quiet kernel-log
