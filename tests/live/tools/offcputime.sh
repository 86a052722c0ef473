# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# offcputime: a thread's times off its CPU are those of its life, by the stacks it sleeps with; who sleeps before and
# after is counted too.
. "${0%/*}/../lib.sh"

# us FILE TID [PATTERN]: the sum of a thread's rows whose stack matches, in microseconds.
us() { awk -F , -v tid="$2" -v like="${3:-.}" '$3 == tid && $5 ~ like { n += $NF } END { print n + 0 }' "$1"; }
# kernel_parts FILE TID: its kernel stacks while it sleeps and waits, without their times.
kernel_parts() {
	awk -F , -v tid="$2" '$3 == tid && $5 ~ /;-;.*(nanosleep|pipe_read)/ { sub(/.*;-;/, "", $5); print $5 }' "$1" | sort -u
}

find_cpu naps || exit 0
for b in $ENGINES; do
	known=$(absences_of_stacks $b)

	# Where another tracer hides a task, the kernel records no switch from it, and our thread may come next: sonde says so.
	for try in 1 2 3 4; do
		load w "$WORK" asleep 5 50 $CPU
		start_or_skip life-$b "$known" s offcputime --backend $b --buffer-pages 1024 --csv -d -p "$(pid w)" || { go w; continue 2; }
		go w
		stop s
		[ $b = bpf ] && grep -q '^sonde: seen .* missed [1-9]' "$TMP/s.err" && [ $try != 4 ] || break
	done
	equal ends-$b 0 "$STATUS"
	if lossless_said lost-$b $b "$TMP/s.err"; then
		tid=$(said w 3)
		# Time in interrupts is none of its own by the kernel's account, but it is on its CPU then.
		between life-$b $(($(said w 6) * 19 / 20)) "$(us "$TMP/s.out" "$tid")" $(($(said w 6) + 30000 * SLOW))
		! user_walks || {
			between asleep-$b $(($(said w 4) - 20000 * SLOW)) "$(us "$TMP/s.out" "$tid" ';sleep_outer;sleep_middle;')" "$(said w 4)"
			between waits-$b $(($(said w 5) - 20000 * SLOW)) "$(us "$TMP/s.out" "$tid" ';wait_outer;wait_middle;')" "$(said w 5)"
		}
		contains kernel-$b "$TMP/s.out" ';-;.*nanosleep.*;(__)?schedule,'
		kernel_parts "$TMP/s.out" "$tid" >"$TMP/$b.stacks"
		[ $b != bpf ] && [ -e "$TMP/bpf.stacks" ] && same engines-$b "$TMP/bpf.stacks" "$TMP/$b.stacks"
	fi

	# What sleeps all the time, and what falls asleep and is still asleep at the end.
	sleep 1000 &
	asleep=$!
	running="$running $asleep"
	load w "$WORK" sleep 600000 $CPU
	start s offcputime --backend $b --buffer-pages 1024 --csv -p "$asleep,$(pid w)"
	: >"$TMP/w.go"
	sleep 2
	stop s
	if lossless_said still-lost-$b $b "$TMP/s.err"; then
		unrecorded before-$b || between before-$b 2000000 "$(us "$TMP/s.out" $asleep 'asleep before the trace')" $((30000000 * SLOW))
		between still-$b 1000000 "$(us "$TMP/s.out" "$(pid w)" nanosleep)" $((30000000 * SLOW))
	fi
	kill -KILL "$(pid w)" $asleep
	forget w

	# Each time alone is 50 ms long: none is longer than ten seconds, and few are shorter than 10 ms.
	load w "$WORK" asleep 5 50 $CPU
	start s offcputime --backend $b --buffer-pages 1024 --csv -p "$(pid w)" -m 10000000
	start t offcputime --backend $b --buffer-pages 1024 --csv -p "$(pid w)" -M 10000
	start u offcputime --backend $b --buffer-pages 1024 --csv -p "$(pid w)" --state 1
	start v offcputime --backend $b --buffer-pages 1024 --csv -p "$(pid w)" --state 0
	go w
	for i in s t u v; do stop $i; done
	tid=$(said w 3)
	equal long-$b 0 "$(us "$TMP/s.out" "$tid")"
	between short-$b 0 "$(us "$TMP/t.out" "$tid")" $(($(said w 4) / 2))
	between interruptible-$b 400000 "$(us "$TMP/u.out" "$tid")" $(($(said w 6) + 30000 * SLOW))
	between runnable-$b 0 "$(us "$TMP/v.out" "$tid")" $(($(said w 6) - 400000))

	# Threads of the kernel, or none of them; one stack, or the other.
	load w "$WORK" asleep 5 50 $CPU
	start s offcputime --backend $b --buffer-pages 1024 --csv -k
	start t offcputime --backend $b --buffer-pages 1024 --csv -u
	start u offcputime --backend $b --buffer-pages 1024 -f -U -p "$(pid w)"
	start v offcputime --backend $b --buffer-pages 1024 -K -p "$(pid w)"
	go w
	for i in s t u v; do stop $i; done
	kernel_threads() {
		for p in $(cut -d , -f 2 "$1" | sort -un | grep '^[0-9]'); do
			awk -v want="$2" '{ sub(/.*\) /, ""); if (($2 == 2 || FILENAME == "/proc/2/stat") == want) print FILENAME }' \
				"/proc/$p/stat" 2>/dev/null
		done
	}
	between kernel-threads-$b 1 "$(kernel_threads "$TMP/s.out" 1 | wc -l)" 100000
	equal kernel-threads-only-$b '' "$(kernel_threads "$TMP/s.out" 0)"
	equal user-threads-only-$b '' "$(kernel_threads "$TMP/t.out" 1)"
	between user-threads-$b 400000 "$(us "$TMP/t.out" "$(said w 3)")" $(($(said w 6) + 30000 * SLOW))
	expect no-kernel-stacks-$b eval "! grep -q schedule '$TMP/u.out'"
	! user_walks || contains user-stacks-$b "$TMP/u.out" '^work;.*;sleep_outer;sleep_middle;[^ ]* [0-9]+$'
	expect no-user-stacks-$b eval "! grep -q sleep_ '$TMP/v.out'"
	contains banner-$b "$TMP/v.out" '^Tracing off-CPU time \(us\) of PID [0-9]+ by kernel stack\.\.\. Hit Ctrl-C to end\.$'
	contains text-$b "$TMP/v.out" '^    -                work \([0-9]+\)$'
done
clean left
quiet kernel-log
