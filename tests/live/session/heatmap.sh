# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# --heatmap: what a picture shows adds up to what was counted; files are whole or untouched; a terminal is left as it was.
. "${0%/*}/../lib.sh"

escape=$(printf '\033')
disk heat || exit 0
name=${DISK#/dev/}
mkdir "$TMP/maps"

# The sum of the counts that the cells of a picture tell.
cells() { sed -n 's|^<path class="c[0-9]*" .*<title>.* [a-z]*: \([0-9]*\)</title></path>$|\1|p' "$1" | awk '{ n += $1 } END { print n + 0 }'; }
complete() { [ -s "$1" ] && [ "$(tail -n 1 "$1")" = '</svg>' ]; }
only() { [ "$(ls "$TMP/maps" | tr '\n' ' ')" = "$1 " ]; }

for b in $ENGINES; do
	map=$TMP/maps/io.svg
	echo old >"$map"
	load w "$WORK" block read "$DISK" 300
	start_or_skip svg-$b '' s biolatency --backend $b --json -d "$name" --heatmap="$map" || { go w; continue; }
	start p biolatency --backend $b -d "$name" --heatmap
	# Tried, and not touched yet.
	equal untouched-$b old "$(cat "$map")"
	go w
	sleep 1.5
	stop s && equal svg-ends-$b 0 "$STATUS"
	stop p && equal plain-ends-$b 0 "$STATUS"
	expect svg-complete-$b complete "$map"
	expect svg-alone-$b only io.svg
	lossless svg-lost-$b $b "$TMP/s.out" || continue
	equal svg-counts-$b 300 "$(cells "$map")"
	equal json-counts-$b 300 "$(counted "$TMP/s.out")"
	contains svg-title-$b "$map" "^<title>sonde biolatency --backend $b --json -d $name --heatmap=$map --verbose</title>$"
	contains svg-host-$b "$map" ">$(uname -n | cut -c 1-20).*, 20[0-9-]* [0-9:]* to 20"
	contains svg-total-$b "$map" ', 300 counted(, [0-9]+ lost)?</text>$'
	# Without an interval: a second.
	between svg-columns-$b 2 "$(fields "$TMP/s.out" time | wc -l)" $((20 * SLOW))
	# In a pipe: characters, a line an interval.
	equal plain-counts-$b 300 "$(sed -n 's/^[0-9:]*  |.*| \([0-9]*\).*/\1/p' "$TMP/p.out" | awk '{ n += $1 } END { print n + 0 }')"
	contains plain-banner-$b "$TMP/p.out" '^Tracing block device I/O'
	contains plain-scale-$b "$TMP/p.out" '^count:  \. 1  : 3 '
	expect plain-has-no-controls-$b eval "! grep -q '$escape' '$TMP/p.out'"
	rm "$map"

	# By group: a map for each, and together they are all.
	start s runqlat --backend $b --buffer-pages 1024 --json -P --heatmap="$map" 1
	"$WORK" sleeps 500 >/dev/null
	stop s TERM && equal groups-ends-$b 0 "$STATUS"
	equal groups-counts-$b "$(counted "$TMP/s.out")" "$(cells "$map")"
	contains groups-names-$b "$map" '>pid = [0-9]+ \([0-9]+\)</text>$'
	rm -f "$map"
done

# Killed after a while: what there was ten seconds after the beginning is there.
map=$TMP/maps/killed.svg
if start k runqlat --heatmap="$map"; then
	"$WORK" sleeps 100 >/dev/null
	wait_for 20 complete "$map"
	stop k KILL
	expect killed complete "$map"
	expect killed-counts [ "$(cells "$map")" -ge 100 ]
	expect killed-alone only killed.svg
	rm -f "$map"
fi

# What can't be written is said before anything is traced.
mkfifo "$TMP/fifo.svg"
ln -s /etc/hostname "$TMP/link.svg"
refused no-folder 'No such file or directory' runqlat --heatmap="$TMP/none/x.svg" 1 1
refused fifo 'not a regular file' runqlat --heatmap="$TMP/fifo.svg" 1 1
refused link 'not a regular file' runqlat --heatmap="$TMP/link.svg" 1 1
expect link-kept [ -L "$TMP/link.svg" ]
# One that can't be written at the end is an error, and what was traced is printed all the same.
mkdir "$TMP/going"
if start g runqlat --heatmap="$TMP/going/x.svg"; then
	rmdir "$TMP/going"
	"$WORK" sleeps 20 >/dev/null
	stop g
	equal gone 1 "$STATUS"
	contains gone-why "$TMP/g.err" 'can.t write .*x\.svg'
	contains gone-printed "$TMP/g.out" 'count     distribution'
fi

if [ -e /dev/ptmx ] && [ -d /dev/pts ]; then
	for signal in INT TERM HUP QUIT; do
		in_terminal 60 20 TERM=xterm-256color LANG=C.UTF-8 -- runqlat --heatmap 1
		"$WORK" sleeps 100 >/dev/null
		sleep $((2 * SLOW))
		stop t $signal
		equal terminal-$signal $([ $signal = QUIT ] && echo 131 || echo 0) "$STATUS"
		expect terminal-restored-$signal terminal_restored
		contains terminal-colours-$signal "$TMP/t.text" '~\[48;5;16m'
		[ $signal = QUIT ] && continue
		# The last picture stays.
		sed 's/.*~\[?1049l//' "$TMP/t.text" | tail -n 6 >"$TMP/t.last"
		contains terminal-last-$signal "$TMP/t.last" '^  count '
	done
	# Another size; stopped and continued (here nobody stops it, it goes on at once).
	in_terminal 60 20 TERM=xterm COLORTERM=truecolor LANG=C -- runqlat --heatmap 1
	sleep $((2 * SLOW))
	kill -USR1 "$(pid t)"
	sleep $((2 * SLOW))
	kill -TSTP "$(pid t)"
	sleep $SLOW
	stop t
	expect terminal-stopped-restored terminal_restored
	contains terminal-true-colour "$TMP/t.text" '~\[48;2;0;0;0m {52}~'
	contains terminal-resized "$TMP/t.text" '~\[48;2;0;0;0m {16,22}~'
	equal terminal-entered-twice 2 "$(grep -o '~\[?1049h' "$TMP/t.text" | wc -l)"
	# Where colours are not wanted or not known.
	for off in "TERM=xterm-256color NO_COLOR=1" TERM=dumb; do
		# shellcheck disable=SC2086
		in_terminal 60 20 $off -- runqlat --heatmap 1
		"$WORK" sleeps 100 >/dev/null
		sleep $((2 * SLOW))
		stop t
		contains "terminal-${off##*[ ]}" "$TMP/t.out" '^[0-9:]+  \|.*\| [0-9]+'
		expect "terminal-no-controls-${off##*[ ]}" eval "! grep -q '$escape' '$TMP/t.out'"
	done
else
	skip terminal "there are no pseudo terminals"
fi

clean left
quiet kernel-log
