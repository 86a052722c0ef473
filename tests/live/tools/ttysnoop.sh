# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# ttysnoop: each byte that a known workload writes to its terminal, and none of another one's, on every engine.
. "${0%/*}/../lib.sh"

# shows ID: the workload, at a terminal of its own: $(readlink $TMP/ID.tty).
shows() {
	rm -f "$TMP/$1" "$TMP/$1".*
	"$WORK" shows "$TMP/$1" &
	eval "pid_$1=$!"
	running="$running $!"
	wait_for 10 [ -L "$TMP/$1.tty" ]
}
# writes ID ENGINE LENGTH: it writes, all of which is seen before it closes its terminal.
writes() {
	: >"$TMP/$1"
	wait_for 30 grep -q '^end$' "$TMP/$1.bytes"
	sleep 0.5
	: >"$TMP/$1.end"
	wait "$(pid "$1")"
	forget "$1"
}

for b in $ENGINES; do
	shows w
	start_or_skip raw-$b "$(absences $b)" s ttysnoop --backend $b -C "$(readlink "$TMP/w.tty")" || { writes w; continue; }
	writes w
	await s && equal ends-$b 0 "$STATUS"
	contains closed-$b "$TMP/s.err" 'was closed, or hung up'
	expect raw-$b cmp "$TMP/w.bytes" "$TMP/s.out"

	# A link to it, JSON, and less of each write.
	shows w
	start s ttysnoop --backend $b --json -s 100 -c 10 "$TMP/w.tty"
	writes w
	await s
	fields "$TMP/s.out" comm bytes data >"$TMP/rows" || fail json-$b "$(tail -n 1 "$TMP/rows")"
	contains row-$b "$TMP/rows" '^work	15	[$].x20.x1b.31mred.x1b.0m.x0a$'
	equal bytes-$b "$(wc -c <"$TMP/w.bytes")" "$(fields "$TMP/s.out" bytes | awk '{ n += $1 } END { print n + 0 }')"
	lost=$(fields "$TMP/s.out" bytes | awk '$1 > 1000 { n += $1 - 1000 } END { print n + 0 }')
	contains lost-$b "$TMP/s.err" ": $lost bytes are not shown"
	equal cut-$b "$(fields "$TMP/s.out" bytes | awk '$1 > 1000' | wc -l)" "$(grep -c '"data_cut":true' "$TMP/s.out")"

	# By its number, with escapes; it is still open when sonde ends, and another one is closed.
	shows w
	shows v
	start s ttysnoop --backend $b --escape "$(readlink "$TMP/w.tty" | sed 's,.*/,,')"
	writes v
	: >"$TMP/w"
	wait_for 30 grep -q '^end$' "$TMP/w.bytes"
	sleep 0.5
	stop s && equal stops-$b 0 "$STATUS"
	: >"$TMP/w.end"
	wait "$(pid w)"
	equal escape-$b '$ \x1b[31mred\x1b[0m\n' "$(head -n 1 "$TMP/s.out")"
	equal last-$b '\nend\n' "$(tail -n 1 "$TMP/s.out")"
	equal others-$b 0 "$(grep -c OTHER "$TMP/s.out")"

	# A terminal: its screen is cleared first.
	shows w
	in_terminal 80 24 -- ttysnoop --backend $b "$(readlink "$TMP/w.tty")"
	writes w
	wait "$pid_t"
	forget t
	terminal_text
	equal clears-$b '~[H~[2J$ ~[31mred~[0m' "$(head -n 1 "$TMP/t.text")"
done

"$SONDE" ttysnoop >"$TMP/out" 2>"$TMP/err"
equal nameless 2 $?
contains nameless-why "$TMP/err" 'it needs a terminal'
if start_or_skip attaches "$(absences bpf)|$(absences perf)|$(absences ftrace)" s trace n_tty_write; then
	stop s
	refused no-such 'No such file' ttysnoop /dev/pts/nosuch
	refused no-tty 'is not a terminal' ttysnoop /dev/null
	refused file 'is not a terminal' ttysnoop "$TMP/err"
	refused ptmx 'is not a terminal' ttysnoop /dev/ptmx
	"$WORK" terminal 80 24 "$SONDE" ttysnoop /dev/tty >"$TMP/out" 2>"$TMP/err"
	contains own "$TMP/err" 'would show its own'
fi
clean left
quiet kernel-log
