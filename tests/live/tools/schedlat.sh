# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# schedlat: switches, times and waits of a known workload, as the kernel counts them; each stay on a CPU in a line; tasks
# that stay on their CPU for long.
. "${0%/*}/../lib.sh"

# total FILE COLUMN PID: of all tables. rows_of FILE PID COLUMN: of each of them.
total() { fields "$1" pid "$2" | awk -F '\t' -v pid="$3" '$1 == pid { n += $2 } END { printf "%d\n", n }'; }
rows_of() { fields "$1" pid "$3" | awk -F '\t' -v pid="$2" '$1 == pid { print $2 }'; }

find_cpu stays || exit 0
for b in $ENGINES; do
	# Each turn takes both off the CPU once; so does each task that preempts them.
	load w "$WORK" pingpong 500 $CPU
	start_or_skip pingpong-$b "$(absences $b)" s schedlat --backend $b --buffer-pages 1024 --json || { go w; continue; }
	start p schedlat --backend $b --buffer-pages 1024 --json -p "$(pid w)"
	start t schedlat --backend $b --buffer-pages 1024 --json --timehist -p "$(pid w)"
	go w
	for id in s p t; do
		stop $id && equal ends-$id-$b 0 "$STATUS"
	done
	if lossless lost-$b $b "$TMP/s.out" && lossless lost-p-$b $b "$TMP/p.out" && lossless lost-t-$b $b "$TMP/t.out"; then
		# Between the workload's last look at its switches and its end there are a few more.
		for id in s p; do
			n=$(($(total "$TMP/$id.out" voluntary "$(said w 2)") + $(total "$TMP/$id.out" involuntary "$(said w 2)")))
			between switches-$id-$b 500 $n $(($(said w 5) + 10))
		done
		child=$(($(total "$TMP/s.out" voluntary "$(said w 3)") + $(total "$TMP/s.out" involuntary "$(said w 3)")))
		between child-$b 500 $child $(($(said w 6) + 10))
		# While it waited for its beginning the workload could move, also before the other trace began.
		changes=$(fields "$TMP/t.out" pid cpu | awk -F '\t' -v pid="$(pid w)" '
			$1 == pid { n += seen && $2 != cpu; cpu = $2; seen = 1 } END { print n + 0 }')
		between moves-$b $((changes > 3 ? changes - 3 : 0)) "$(total "$TMP/p.out" moves "$(said w 2)")" 1000
		between child-moves-$b 0 "$(total "$TMP/s.out" moves "$(said w 3)")" 1
		equal others-$b "$(pid w)" "$(fields "$TMP/p.out" pid | sort -u)"
		between stays-$b 500 "$(fields "$TMP/t.out" pid | grep -cx "$(pid w)")" $(($(said w 5) + 10))
		# A wait for a CPU is a part of the time off it.
		fields "$TMP/t.out" wait_ms delay_ms run_ms | awk -F '\t' '
			$1 != "-" && $2 != "-" && $2 > $1 + 0.001 || $3 != "-" && $3 < 0' >"$TMP/wrong"
		: >"$TMP/none"
		same parts-$b "$TMP/none" "$TMP/wrong"
		known=$(fields "$TMP/t.out" wait_ms run_ms | awk -F '\t' '$1 != "-" && $2 != "-" { n++ } END { print n + 0 }')
		between known-$b 490 "$known" $(($(said w 5) + 10))
	fi

	# Three that want one CPU for two seconds: what they are on it is what the kernel says or, with interrupts, more; the
	# longest wait is no longer than the whole.
	load w "$WORK" spin 3 2000 $CPU
	start s schedlat --backend $b --buffer-pages 1024 --json -p "$(pid w)"
	start P schedlat --backend $b --buffer-pages 1024 --json -P -p "$(pid w)"
	go w
	stop s
	stop P
	cpu=$(($(said w 5) / 1000)) wall=$(($(said w 6) / 1000))
	between run-$b $((cpu * 9 / 10)) "$(total "$TMP/s.out" run_ms "$(pid w)")" $((wall + wall / 10))
	between run-P-$b $((cpu * 9 / 10)) "$(total "$TMP/P.out" run_ms "$(pid w)")" $((wall + wall / 10))
	between longest-$b 1 "$(rows_of "$TMP/s.out" "$(pid w)" max_ms | sort -n | tail -n 1 | cut -d . -f 1)" $((wall + 100))
	between one-row-$b 2 "$(rows_of "$TMP/P.out" "$(pid w)" run_ms | wc -l)" $((wall / 1000 + 3))

	# One that nobody takes the CPU from has its time in each table, not only in the last.
	load w "$WORK" spin 1 3500 $CPU
	start s schedlat --backend $b --buffer-pages 1024 --json -p "$(pid w)" 1
	go w
	stop s
	cpu=$(($(said w 5) / 1000)) wall=$(($(said w 6) / 1000))
	between hog-$b $((cpu * 9 / 10)) "$(total "$TMP/s.out" run_ms "$(pid w)")" $((wall + wall / 10))
	rows_of "$TMP/s.out" "$(pid w)" run_ms | awk '$1 > 1300 { n++ } END { print n + 0 }' >"$TMP/got"
	[ $SLOW != 1 ] || equal hog-parts-$b 0 "$(cat "$TMP/got")"

	# Text: a table a second, sorted; the screen is not cleared in a file.
	timeout $((20 * SLOW)) "$SONDE" schedlat --backend $b -s run -r 5 1 2 >"$TMP/text" 2>"$TMP/err"
	equal count-ends-$b 0 $?
	equal heads-$b 2 "$(grep -c '^TID     PID     COMM                RUN(ms)     VOL   INVOL  MOVES   AVG(ms)   MAX(ms)      MAX END$' "$TMP/text")"
	unrecorded load-$b || contains load-$b "$TMP/text" '^[0-9:]{8} loadavg: [0-9]'
	awk '/^TID/ { last = "" } /^[0-9]+ +[0-9]+ / { run = substr($0, 34, 10) + 0; if (last != "" && run > last) print; last = run }
		' "$TMP/text" >"$TMP/wrong"
	same sorted-$b "$TMP/none" "$TMP/wrong"
done
for misuse in '--timehist -P' '-s name' '-r 0'; do
	"$SONDE" schedlat $misuse >"$TMP/out" 2>"$TMP/err"
	equal "misuse$(echo "$misuse" | tr -d ' ')" 2 $?
done
clean left
quiet kernel-log
