# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# wqlat: works of a known number: each byte to a terminal is handed over by one; tables, histograms, text.
. "${0%/*}/../lib.sh"

bytes=200
total() { fields "$1" function "$2" | awk -F '\t' '$1 == "flush_to_ldisc" { n += $2 } END { printf "%d\n", n }'; }

for b in $ENGINES; do
	load w "$WORK" terminal_bytes $bytes
	start_or_skip works-$b "$(absences $b)" s wqlat --backend $b --buffer-pages 256 --json || { go w; continue; }
	start f wqlat --backend $b --buffer-pages 256 --json -f flush_to_ldisc 1
	start H wqlat --backend $b --buffer-pages 256 --json -H -f flush_to_ldisc
	# The name of the queue: of older kernels only bpf knows it, by type information.
	queues=
	if start_or_skip queues-$b "$(absences $b)|has no string in workqueue|no workqueue_struct.name" W wqlat --backend $b --buffer-pages 256 --json -W; then
		start w1 wqlat --backend $b --buffer-pages 256 --json -w events_unbound 1
		start w0 wqlat --backend $b --buffer-pages 256 --json -w events_unboun 1
		queues="W w1 w0"
	fi
	start N wqlat --backend $b --buffer-pages 256 --json -N -f flush_to_ldisc
	start R wqlat --backend $b --buffer-pages 256 --json -H -R -F -f flush_to_ldisc
	go w
	for id in s f H R N $queues; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	lossless lost-$b $b "$TMP/s.out" && lossless lost-f-$b $b "$TMP/f.out" || continue
	# Other terminals may be in use.
	between runs-$b $bytes "$(total "$TMP/s.out" runs)" $((bytes * 3 / 2))
	between runs-f-$b $bytes "$(total "$TMP/f.out" runs)" $((bytes * 3 / 2))
	equal one-$b flush_to_ldisc "$(fields "$TMP/f.out" function | sort -u)"
	fields "$TMP/s.out" run_us run_avg_us run_max_us wait_avg_us wait_max_us >"$TMP/rows"
	awk -F '\t' '$2 > $3 + 0.1 || $4 != "-" && $4 > $5 + 0.1 || $1 + 0.1 < $3 || $1 < 0' "$TMP/rows" >"$TMP/wrong"
	: >"$TMP/none"
	same sane-$b "$TMP/none" "$TMP/wrong"
	# The kernel gives the bytes to this queue.
	[ -z "$queues" ] || {
		contains queues-$b "$TMP/W.out" '"usecs".*"wqname": *"events_unbound"'
		between queue-$b $bytes "$(total "$TMP/w1.out" runs)" $((bytes * 3 / 2))
		equal no-queue-$b 0 "$(grep -c '"function":' "$TMP/w0.out")"
	}
	between ns-$b $bytes "$(counted "$TMP/N.out")" $((bytes * 3 / 2))
	contains ns-unit-$b "$TMP/N.out" '"wait".*nsecs'
	contains hist-$b "$TMP/H.out" '"wait".*usecs'
	contains hist-runs-$b "$TMP/R.out" '"run".*"function": *"flush_to_ldisc"'
	timeout $((20 * SLOW)) "$SONDE" wqlat --backend $b -n 1 1 2 >"$TMP/text" 2>"$TMP/err"
	equal count-ends-$b 0 $?
	equal heads-$b 2 "$(grep -c '^   RUNS      RUN(us)    RUN_AVG    RUN_MAX   WAIT_AVG   WAIT_MAX FUNCTION$' "$TMP/text")"
done
for misuse in '-W -F' '-N -n 5' '-R' '-F' '-H -n 5' '-S name' '-f no_such_function'; do
	"$SONDE" wqlat $misuse >"$TMP/out" 2>"$TMP/err"
	equal "misuse$(echo "$misuse" | tr -d ' ')" "$(case $misuse in -f*) echo 1 ;; *) echo 2 ;; esac)" $?
done
clean left
quiet kernel-log
