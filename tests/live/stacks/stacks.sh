# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Stacks of the kernel are the same on all engines, at a tracepoint and at a function, and at the tracepoint the same as
# those that ftrace's own trigger `stacktrace` records.
. "${0%/*}/../lib.sh"

# Stacks are known by their functions here.
if [ "$(cat /proc/sys/kernel/kptr_restrict 2>/dev/null)" = 2 ]; then
	skip stacks 'this kernel hides the addresses of functions (kptr_restrict is 2)'
	exit 0
fi

own=$TRACEFS/instances/stacks-$$

# recorded PID: what ftrace recorded of it, folded, without the functions that record.
recorded() {
	awk -v task="-$1 " '
		function flush() { if (on && s != "") print s; s = "" }
		/^ => 0x/ { next }	# of user space, on ARM
		/^ => / { sub(/\+.*/, "", $2); if (s != "" || $2 !~ /^(trace_event_|__traceiter_)/) s = $2 (s == "" ? "" : ";" s); next }
		{ flush(); on = index($0, task) && /<stack trace>/ }
		END { flush() }' "$own/trace"
}

# slept FILE: the stacks of a sleep, each once, without counts; a task may be preempted before and behind it.
slept() { sed -n 's/^[^;]*;\(.*nanosleep.*\) [0-9]*$/\1/p' "$1" | grep -E "$2" | sort -u; }

# Kernels of 32-bit ARM leave some out in some versions, which a trial tells.
cut=
for b in $ENGINES; do
	load w "$WORK" sleeps 300
	why=$(absences $b)
	has tracefs || why="$why|(list of tracepoints in tracefs can.t be read|has no list of tracepoints)"
	[ $b != ftrace ] || ! older 4.4 || why="$why|instances have no stacks of their own"
	# Compilers may have put functions that record into others: old kernels leave out as many as ever.
	[ $b != ftrace ] || { [ "$(uname -m)" != armv7l ] && ! older 4.18; } || why="$why|lack the innermost functions .one of sonde's own did"
	start_or_skip switch-$b "$why" s stackcount --backend $b -f -K -p "$(pid w)" t:sched:sched_switch || { go w; cut="$cut$(grep 'lack the inn' "$TMP/s.err" | head -n 1)"; continue; }
	start_or_skip function-$b "$(absences $b)" f stackcount --backend $b -f -K -p "$(pid w)" hrtimer_nanosleep || { go w; stop s; continue; }
	go w
	stop s
	stop f
	slept "$TMP/s.out" ';do_nanosleep;schedule;' >"$TMP/switch-$b"
	slept "$TMP/f.out" ';hrtimer_nanosleep$' >"$TMP/function-$b"
	equal one-switch-$b 1 "$(wc -l <"$TMP/switch-$b" | tr -d ' ')"
	equal one-function-$b 1 "$(wc -l <"$TMP/function-$b" | tr -d ' ')"
	first=${first:-$b}
	same switch-$b "$TMP/switch-$first" "$TMP/switch-$b"
	same function-$b "$TMP/function-$first" "$TMP/function-$b"
done

if [ -n "$first" ] && mkdir "$own" 2>/dev/null && echo stacktrace 2>/dev/null >"$own/events/sched/sched_switch/trigger"; then
	load w "$WORK" sleeps 20
	echo 1 >"$own/events/sched/sched_switch/enable"
	p=$(pid w)
	go w
	echo 0 >"$own/events/sched/sched_switch/enable"
	recorded "$p" | grep ';do_nanosleep;schedule;' | sort -u >"$TMP/own"
	if ! grep -q '<stack trace>' "$own/trace"; then
		skip switch-own "this kernel's trigger records no stacks in an instance"
	elif [ -n "$cut" ] && ! grep -q ';__schedule$' "$TMP/own"; then
		skip switch-own "$cut"
	else
		same switch-own "$TMP/switch-$first" "$TMP/own"
	fi
else
	skip switch-own 'this kernel has no instances, or no trigger stacktrace'
fi
[ ! -d "$own" ] || rmdir "$own"
clean left
quiet kernel-log
