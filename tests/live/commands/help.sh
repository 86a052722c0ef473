# SPDX-License-Identifier: GPL-2.0
#
# help: a text that is higher than the terminal is shown by a pager, and any other is written as it is.
. "${0%/*}/../lib.sh"

# shown COLUMNS LINES ENVIRONMENT... -- ARGS...: what a terminal got, in $TMP/out; the status is sonde's, or its pager's.
shown() {
	terminal_words "$@"
	shift $set_words
	# shellcheck disable=SC2086
	timeout 30 env -u LESS $set_to "$WORK" terminal $terminal "$SONDE" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
}
printf '#!/bin/sh\nwhile IFS= read -r l; do echo "paged: $l"; done\n' >"$TMP/pager"
chmod +x "$TMP/pager"
paged() { grep -c '^paged: ' "$TMP/out"; }

if ! shown 80 24 TERM=xterm PAGER="$TMP/pager" -- version; then
	skip terminal "there are no pseudo terminals"
	exit
fi
equal short 0 "$(paged)"
"$SONDE" trace --help >"$TMP/whole"
for words in 'help trace' 'trace --help'; do
	name=${words%% *}
	# shellcheck disable=SC2086
	shown 80 24 TERM=xterm PAGER="$TMP/pager" -- $words
	equal $name-status 0 $?
	equal $name-paged "$(wc -l <"$TMP/out")" "$(paged)"
	between $name-lines 25 "$(paged)" 200
	# shellcheck disable=SC2086
	shown 80 200 TERM=xterm PAGER="$TMP/pager" -- $words
	equal $name-fits 0 "$(paged)"
	# shellcheck disable=SC2086
	shown 80 24 TERM=dumb PAGER="$TMP/pager" -- $words
	equal $name-dumb 0 "$(paged)"
	# shellcheck disable=SC2086
	PAGER=$TMP/pager TERM=xterm "$SONDE" $words >"$TMP/piped"
	expect $name-piped cmp "$TMP/piped" "$TMP/whole"
done
shown 80 24 TERM=xterm PAGER="$TMP/pager" -- help
between list-paged 50 "$(paged)" 500
# Nothing that pages: it is written.
shown 80 24 TERM=xterm PAGER="$TMP/none" PATH="$TMP" -- help trace
equal no-pager-status 0 $?
contains no-pager "$TMP/out" '^Usage: sonde trace'

# ended SIGNAL: what ends less, after its first screen.
ended() {
	: >"$TMP/out"
	env -u LESS -u PAGER TERM=xterm "$WORK" signals "$WORK" terminal 80 24 "$SONDE" help trace >"$TMP/out" \
		2>"$TMP/err" </dev/null &
	pid_h=$!
	running="$running $!"
	wait_for 30 grep -q 'Usage: sonde trace' "$TMP/out"
	sleep 0.3
	kill -"$1" "$pid_h"
	wait_for 30 eval "! kill -0 $pid_h 2>/dev/null"
}
if command -v less >/dev/null; then
	expect ends-with-q ended USR2
	expect ends-with-ctrl-c ended INT
else
	skip less "there is no less"
fi
