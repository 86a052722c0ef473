# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# offwaketime: a thread's times off its CPU, by the stacks it sleeps with and the waker's.
. "${0%/*}/../lib.sh"

# us FILE TID [PATTERN]: the sum of a thread's rows whose stacks match, in microseconds.
us() { awk -F , -v tid="$2" -v like="${3:-.}" '$3 == tid && $7 ~ like { n += $NF } END { print n + 0 }' "$1"; }

find_cpu naps || exit 0
for b in $ENGINES; do
	known=$(absences_of_stacks $b)

	load w "$WORK" asleep 5 50 $CPU
	start_or_skip life-$b "$known" s offwaketime --backend $b --buffer-pages 1024 --csv -d -p "$(pid w)" || { go w; continue; }
	start t offwaketime --backend $b --buffer-pages 1024 -p "$(pid w)"
	go w
	stop t
	stop s && equal ends-$b 0 "$STATUS"
	if lossless_said lost-$b $b "$TMP/s.err"; then
		tid=$(said w 3)
		# ftrace may have no room for a stack while another one is recorded; it says for how much time.
		bare=$(sed -n 's/.*the kernel did not record stacks (us: \([0-9]*\)).*/\1/p' "$TMP/s.err")
		room=$((20000 * SLOW + ${bare:-0}))
		# Time in interrupts is none of its own by the kernel's account, but it is on its CPU then.
		between life-$b $(($(said w 6) * 19 / 20)) "$(us "$TMP/s.out" "$tid")" $(($(said w 6) + 30000 * SLOW))
		between waits-$b $(($(said w 5) - room)) "$(us "$TMP/s.out" "$tid" 'pipe_read.*;--;.*pipe_write.*;work$')" "$(said w 5)"
		! user_walks || between both-$b $(($(said w 5) - room)) \
			"$(us "$TMP/s.out" "$tid" ';wait_outer;wait_middle;.*;--;.*;wake_middle;wake_outer;')" "$(said w 5)"
		between asleep-$b $(($(said w 4) - room)) "$(us "$TMP/s.out" "$tid" 'nanosleep.*;--;.*hrtimer')" "$(said w 4)"
	fi
	contains banner-$b "$TMP/t.out" '^Tracing off-CPU time \(us\) and wakers of PID [0-9]+ by user \+ kernel stack\.\.\. Hit Ctrl-C to end\.$'
	contains waker-$b "$TMP/t.out" '^    waker:           work \([0-9]+\)$'
	contains target-$b "$TMP/t.out" '^    target:          work \([0-9]+\)$'

	# Two that want one CPU: nobody wakes who was preempted.
	load w "$WORK" spin 2 1000 $CPU
	start s offwaketime --backend $b --buffer-pages 1024 --csv -p "$(pid w)"
	go w
	stop s
	lossless_said preempted-lost-$b $b "$TMP/s.err" &&
		between preempted-$b 300000 "$(awk -F , '$7 ~ /;--;\[preempted\];-$/ { n += $NF } END { print n + 0 }' "$TMP/s.out")" \
			$(($(said w 6) * 4))
done
clean left
quiet kernel-log
