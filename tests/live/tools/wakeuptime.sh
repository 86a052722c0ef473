# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# wakeuptime: how long a thread sleeps, by the waker and its stack.
. "${0%/*}/../lib.sh"

# us FILE TID [PATTERN]: the sum of the rows of a sleeper whose waker and stack match, in microseconds.
us() { awk -F , -v tid="$2" -v like="${3:-.}" '$3 == tid && $6 "," $7 ~ like { n += $NF } END { print n + 0 }' "$1"; }

find_cpu naps || exit 0
for b in $ENGINES; do
	known=$(absences_of_stacks $b)

	# It is woken by its process, and by timers, whatever these interrupt; then it waits for a CPU, which is no sleep.
	load w "$WORK" asleep 5 50 $CPU
	start_or_skip slept-$b "$known" s wakeuptime --backend $b --buffer-pages 1024 --csv -d -p "$(pid w)" || { go w; continue; }
	go w
	stop s && equal ends-$b 0 "$STATUS"
	if lossless_said lost-$b $b "$TMP/s.err"; then
		tid=$(said w 3)
		between slept-$b $(($(said w 6) * 3 / 4)) "$(us "$TMP/s.out" "$tid")" $(($(said w 6) + 30000 * SLOW))
		between woken-$b 250000 "$(us "$TMP/s.out" "$tid" '^work,.*pipe_write.*wake_up')" "$(said w 5)"
		! user_walks || between by-$b 250000 "$(us "$TMP/s.out" "$tid" '^work,.*;wake_outer;wake_middle;')" "$(said w 5)"
		between timers-$b 250000 "$(us "$TMP/s.out" "$tid" 'hrtimer')" "$(said w 4)"
	fi

	# What falls asleep and is not woken by the end; what slept before is counted from then on, and who wakes it is known.
	load w "$WORK" sleep 600000 $CPU
	load v "$WORK" asleep 1 10 $CPU
	taskset -p "$(printf %x $((1 << CPU)))" "$(pid v)" >/dev/null	# it sleeps before it goes there by itself
	start s wakeuptime --backend $b --buffer-pages 1024 --csv -p "$(pid w),$(pid v)"
	: >"$TMP/w.go"
	sleep 2
	go v
	stop s
	if lossless_said still-lost-$b $b "$TMP/s.err"; then
		between still-$b 1000000 "$(us "$TMP/s.out" "$(pid w)" 'not woken')" $((30000000 * SLOW))
		between after-$b 1000000 "$(us "$TMP/s.out" "$(pid v)" hrtimer)" $((30000000 * SLOW))
	fi
	kill -KILL "$(pid w)"
	forget w

	load w "$WORK" asleep 5 50 $CPU
	start s wakeuptime --backend $b --buffer-pages 1024 -K -p "$(pid w)" -m 40000
	start t wakeuptime --backend $b --buffer-pages 1024 -f -u
	go w
	stop s
	stop t
	contains banner-$b "$TMP/s.out" '^Tracing blocked time \(us\) of PID [0-9]+ by kernel stack\.\.\. Hit Ctrl-C to end\.$'
	contains target-$b "$TMP/s.out" '^    target:          work \([0-9]+\)$'
	contains waker-$b "$TMP/s.out" '^    waker:           work \([0-9]+\)$'
	expect no-user-stacks-$b eval "! grep -q wake_outer '$TMP/s.out'"
	contains folded-$b "$TMP/t.out" '^work;.*pipe_write.*;work [0-9]+$'
done
"$SONDE" wakeuptime --state 0 2>"$TMP/err"
equal no-runnable 2 $?
contains no-runnable-said "$TMP/err" 'a runnable thread has no waker'
clean left
quiet kernel-log
