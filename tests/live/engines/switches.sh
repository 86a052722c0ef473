# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Switches of tasks that the kernel does not record are counted, all of them; what is shown then is right. Most machines
# record all; there are some where the idle task of a CPU, or another tracer, leaves its CPU in no ring.
. "${0%/*}/../lib.sh"

# observe: an instance of ftrace of our own, as $OBSERVER, that records all switches from now on.
observe() {
	OBSERVER=$TRACEFS/instances/switches-$1-$$
	mkdir "$OBSERVER" || return 1
	echo 8192 >"$OBSERVER/buffer_size_kb"
	echo 1 >"$OBSERVER/events/sched/sched_switch/enable"
}
# unrecorded FOLDER: ends it. How many switches it lacks: those whose previous task is not the one before came to.
unrecorded() {
	echo 0 >"$1/events/enable"
	overrun=$(cat "$1"/per_cpu/cpu*/stats | awk '/overrun:/ { n += $NF } END { print n + 0 }')
	awk '/ sched_switch: / {
		match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART, RLENGTH)
		match($0, /prev_pid=[0-9]+/); from = substr($0, RSTART + 9, RLENGTH - 9)
		match($0, /next_pid=[0-9]+/); to = substr($0, RSTART + 9, RLENGTH - 9)
		n += cpu in on && on[cpu] != from
		on[cpu] = to
	}
	END { print n + 0 }' "$1/trace"
	rmdir "$1"
	[ "$overrun" = 0 ]
}
cleanup_hook() { for i in "$TRACEFS"/instances/switches-*-$$; do [ ! -d "$i" ] || rmdir "$i"; done; }

if ! observe try 2>/dev/null; then
	skip counted "this kernel has no instances of ftrace to compare with"
	exit 0
fi
unrecorded "$OBSERVER" >/dev/null

for b in $ENGINES; do
	# Sleeps on each CPU, seen by two observers: one for longer than sonde, one for less long.
	observe outer
	outer=$OBSERVER
	start_or_skip counted-$b '' s cpudist --backend $b --buffer-pages 1024 --json -P || { unrecorded "$outer" >/dev/null; continue; }
	observe inner
	inner=$OBSERVER
	"$WORK" sleeps 300 0 >/dev/null
	"$WORK" sleeps 300 $(($(nproc) - 1)) >/dev/null
	least=$(unrecorded "$inner")
	whole=$?
	stop s
	most=$(unrecorded "$outer") || whole=1
	missed=$(reported "$TMP/s.out" missed)
	if [ $b = bpf ]; then
		expect counted-$b eval "! grep -q 'did not record' '$TMP/s.err'"	# it asks no ring
	elif [ $whole != 0 ]; then
		skip counted-$b "the observer's rings were too small"
	elif lossless lost-$b $b "$TMP/s.out"; then
		echo "# $b: $missed switches missed; $least and $most by the observers"
		between counted-$b "$least" "$missed" "$most"
		said=$(sed -n 's/^sonde: cpudist: \([0-9]*\) events\{0,1\} left out: switches of tasks .*/\1/p' "$TMP/s.err")
		equal said-$b "$missed" "${said:-0}"
	fi

	# Each sleep ends a time on the CPU, which is short: no sleep is taken for one.
	for cpu in 0 $(($(nproc) - 1)); do
		load w "$WORK" sleeps 300 $cpu
		start s cpudist --backend $b --buffer-pages 1024 --json -p "$(pid w)"
		start t runqlat --backend $b --buffer-pages 1024 --json -p "$(pid w)"
		go w
		stop s
		stop t
		between on-$b-$cpu 0 "$(slots "$TMP/s.out" | awk '{ n += $3 * $1 } END { print n + 0 }')" $((250000 * SLOW))
		# A wait that is not counted is one that was missed.
		counted=$(counted "$TMP/t.out") missed=$(reported "$TMP/t.out" missed)
		case $missed in *[!0-9]*) missed=0 ;; esac
		lossless waits-lost-$b-$cpu $b "$TMP/t.out" &&
			between waits-$b-$cpu $((298 - ${missed:-0})) "$counted" $(($(said w 4) + 1))
	done
done
clean left
quiet kernel-log
