# SPDX-License-Identifier: GPL-2.0
#
# The examples of sonde-language(7): each is a question that sonde takes, on each engine that this kernel has for it.
. "${0%/*}/../lib.sh"

page=$LIVE/../../man/man7/sonde-language.7
[ -f "$page" ] || { skip examples "the manual page is not here"; exit 0; }
sed -n 's/^# sonde //p' "$page" >"$TMP/examples"
contains examples "$TMP/examples" '^argdist -C'
n=0
while read -r example; do
	n=$((n + 1))
	if eval "\"\$SONDE\" $example --dump" >"$TMP/dump" 2>"$TMP/why" </dev/null; then
		pass example-$n
	elif grep -qE 'this kernel|matches|is no library' "$TMP/why"; then
		skip example-$n "$(head -n 1 "$TMP/why")"
	else
		fail example-$n "$example: $(head -n 1 "$TMP/why")"
	fi
done <"$TMP/examples"
clean left
