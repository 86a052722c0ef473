# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# runqlat: each wait of a known workload is counted once, preempted tasks too; intervals add up; plausible times.
. "${0%/*}/../lib.sh"

# Waits of at least MS milliseconds: waited MS FILE MEMBER VALUE, in a histogram of microseconds.
waited() {
	ms=$1
	shift
	slots "$@" | awk -v low=$((ms * 1000)) '$1 >= low { n += $3 } END { print n + 0 }'
}

# load_as ID PID JOB...: a workload with that id, or 1: other programs were quicker. load() runs rm before it.
load_as() {
	id=$1 as=$2
	shift 2
	for before in 2 1 2 1 2 1 2 1; do
		echo $((as - before)) >/proc/sys/kernel/ns_last_pid
		load "$id" "$WORK" "$@"
		[ "$(pid "$id")" != "$as" ] || return 0
		stop "$id" KILL
	done
	return 1
}

find_cpu waits || exit 0
for b in $ENGINES; do
	# Each turn puts both on the run queue once; each time that other tasks preempt them they are there again.
	load w "$WORK" pingpong 500 $CPU
	start_or_skip pingpong-$b "$(absences $b)" s runqlat --backend $b --buffer-pages 1024 --json -p "$(pid w)" || { go w; continue; }
	start t runqlat --backend $b --buffer-pages 1024 --json -P
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop t
	if lossless lost-$b $b "$TMP/s.out" && lossless lost-$b $b "$TMP/t.out"; then
		between pingpong-$b 499 "$(counted "$TMP/s.out")" $(($(said w 5) + 1))
		between parent-$b 499 "$(counted "$TMP/t.out" pid "$(said w 2)")" $(($(said w 5) + 1))
		between child-$b 499 "$(counted "$TMP/t.out" pid "$(said w 3)")" $(($(said w 6) + 1))
	fi

	# Three that always want the same CPU are preempted again and again, and wait for two others' turns. Who counts
	# wakeups only sees none of that.
	load w "$WORK" spin 3 2000 $CPU
	start s runqlat --backend $b --buffer-pages 1024 --json -L -p "$(pid w),1"
	go w
	stop s
	fields "$TMP/s.out" tid slots | while IFS='	' read -r tid slots; do
		echo "$tid $(waited 1 "$TMP/s.out" tid "$tid")"
	done | sort -k 2 -n -r | head -n 3 >"$TMP/spinners"
	third=$(sed -n '3s/.* //p' "$TMP/spinners")
	between preempted-$b 2 "${third:-0}" 4000
	# Together they wait for two thirds of their time or, where others want that CPU too, for more of it. In microseconds.
	between usecs-$b 2000000 "$(slots "$TMP/s.out" | awk '{ n += $3 * $1 } END { print n + 0 }')" $((4 * $(said w 6)))

	# Sleepers are counted while sonde prints and takes, once each; hardly one is woken before it is off its CPU, which
	# is no wait.
	load w "$WORK" sleeps 2500 $CPU
	start s runqlat --backend $b --buffer-pages 1024 --json -p "$(pid w)" 1
	go w
	stop s
	lossless intervals-lost-$b $b "$TMP/s.out" && between intervals-$b 2450 "$(counted "$TMP/s.out")" $(($(said w 4) + 1))
	between interval-rows-$b 3 "$(fields "$TMP/s.out" histogram | wc -l)" 60

	# A count of intervals ends it; the time of day and milliseconds as text.
	timeout $((20 * SLOW)) "$SONDE" runqlat --backend $b -mT 1 2 >"$TMP/text" 2>"$TMP/err"
	equal count-ends-$b 0 $?
	contains text-head-$b "$TMP/text" '^     msecs               : count     distribution$'
	contains text-row-$b "$TMP/text" '^         0 -> 1          : [0-9]+ +\|[*+ ]{40}\|$'
	between text-times-$b 2 "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2}$' "$TMP/text")" 2

	! unrecorded namespace-$b || continue
	# By pid namespace; those of tasks that have ended are not known any more, and said so.
	load w "$WORK" sleeps 1000000 $CPU
	start s runqlat --backend $b --buffer-pages 1024 --json --pidnss
	: >"$TMP/w.go"
	sleep 1
	stop s
	stop w KILL
	ns=$(readlink /proc/self/ns/pid | tr -dc 0-9)
	# Beside -P it says nothing new, and is taken, as by bcc.
	timeout $((20 * SLOW)) "$SONDE" runqlat --backend $b --json -P --pidnss 1 1 >"$TMP/both" 2>"$TMP/err"
	equal both-ends-$b 0 $?
	contains both-$b "$TMP/both" '"histogram":"latency".*"pid":'
	between namespace-$b 10 "$(counted "$TMP/s.out" pidns "$ns")" 10000000
done

# Threads whose ids have the same lowest 14 bits would have the same place in a table of bpf's: the second one, and one
# after the first has ended.
load a "$WORK" sleeps 500 $CPU
first=$(pid a)
second=$((first < 16384 + 300 ? first + 16384 : first - 16384))
if [ ! -w /proc/sys/kernel/ns_last_pid ]; then
	stop a KILL
	skip slots "this kernel lets nobody choose the next process's id"
elif ! load_as b $second sleeps 500 $CPU; then
	stop a KILL
	skip slots "other programs took the id that was wanted"
elif ! start_or_skip slots "$(absences bpf)" s runqlat --backend bpf --json -P; then
	stop a KILL
	stop b KILL
else
	: >"$TMP/b.go"
	go a
	a=$(said a 4)
	go b
	b=$(said b 4)
	least=490
	! load_as a "$first" sleeps 500 $CPU || { go a; a=$((a + $(said a 4))) least=980; }
	stop s
	if lossless slots-lost bpf "$TMP/s.out"; then
		between slots-first $least "$(counted "$TMP/s.out" pid "$first")" $((a + 2))
		between slots-second 490 "$(counted "$TMP/s.out" pid "$second")" $((b + 1))
	fi
fi
clean left
quiet kernel-log
