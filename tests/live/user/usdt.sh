# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# Probes that programs bring along (USDT), on every engine: those of the workload, by its path and its process, at two
# places with arguments of their own; the semaphore that the program asks.
. "${0%/*}/../lib.sh"

work=$(readlink -f "$WORK")

# untraced: is the probe's semaphore 0 again? The kernel takes a moment to remove probes.
untraced() { [ "$("$WORK" probes 1 | sed -n 's/^heard	//p')" = 0 ]; }

for b in $ENGINES; do
	why="$(absences $b)|uprobes of this kernel can't read|Thumb code"
	load w "$WORK" probes 5
	if start_or_skip trace-$b "$why" s trace --backend $b --json -p "$(pid w)" \
		"u:$work:beat \"%d|%s|%d\", arg1, arg2, arg3" "u:$work:sonde_work:heard \"%d\", arg1"; then
		start c funccount --backend $b --json -p "$(pid w)" "u:$work:*"
		start d argdist --backend $b --json -p "$(pid w)" -d 60 -i 60 -C "u:$work:beat():int:arg1:arg1 > 2"
		go w
		for i in s c d; do
			stop $i && equal ends-$i-$b 0 "$STATUS"
		done
		sed -n 's/^beat	\(.*\)	\(.*\)	\(.*\)/beat	\1|\2|\3/p' "$TMP/w.said" >"$TMP/wanted"
		fields "$TMP/s.out" func message | grep beat >"$TMP/got"
		same beat-$b "$TMP/wanted" "$TMP/got"
		equal heard-$b 5 "$(said w 2)"
		equal heard-rows-$b 5 "$(fields "$TMP/s.out" func | grep -c heard)"
		printf 'beat\t10\nheard\t5\npick\t5\nsonde_one:many\t5\nsonde_two:many\t5\n' >"$TMP/wanted"
		fields "$TMP/c.out" func count | sort >"$TMP/got"
		same counts-$b "$TMP/wanted" "$TMP/got"
		printf '1\t3\n1\t4\n1\t5\n' >"$TMP/wanted"
		fields "$TMP/d.out" count value1 | sort >"$TMP/got"
		same values-$b "$TMP/wanted" "$TMP/got"
		equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
		detached
		expect untraced-$b wait_for 20 untraced
	else
		go w
		continue
	fi

	# By the process: which file it is need not be said.
	load w "$WORK" probes 3
	start s trace --backend $b --json -p "$(pid w)" 'u::sonde_work:beat (arg3 < 0) "%d", arg1'
	go w
	stop s
	equal process-$b '1 2 3' "$(fields "$TMP/s.out" message | tr '\n' ' ' | sed 's/ $//')"
	equal process-lost-$b 0 "$(reported "$TMP/s.out" lost)"
	# It has one thread, and that has ended: nobody goes on unseen.
	equal process-whole-$b 0 "$(grep -c 'main thread' "$TMP/s.err")"

	if [ $b != ftrace ]; then
		load w "$WORK" probes 4
		start_or_skip stacks-$b "$why|no BPF programs on samples" s stackcount --backend $b -f -p "$(pid w)" "u:$work:beat" || { go w; continue; }
		go w
		stop s
		equal stacks-$b 8 "$(awk '$NF ~ /^[0-9]+$/ { n += $NF } END { print n + 0 }' "$TMP/s.out")"
	fi
done

if [ -n "$WORK32" ]; then
	why="$(absences bpf)"
	work32=$(readlink -f "$WORK32")
	load w "$WORK32" probes 2
	if start_or_skip narrow "$why|can't be probed on this kernel" s trace --backend bpf --json -p "$(pid w)" "u:$work32:beat \"%d|%s|%d\", arg1, arg2, arg3"; then
		go w
		stop s
		sed -n 's/^beat	\(.*\)	\(.*\)	\(.*\)/\1|\2|\3/p' "$TMP/w.said" >"$TMP/wanted"
		fields "$TMP/s.out" message >"$TMP/got"
		same narrow "$TMP/wanted" "$TMP/got"
	else
		go w
	fi
fi

# An argument that is found by two registers, for BPF programs.
case " $ENGINES " in
*" bpf "*)
	load w "$WORK" probes 5
	if start_or_skip pick "$(absences bpf)|Thumb code" s trace --backend bpf --json -p "$(pid w)" "u:$work:pick \"%d\", arg1"; then
		go w
		stop s
		equal pick '20 -300 4000 -1 20' "$(fields "$TMP/s.out" message | tr '\n' ' ' | sed 's/ $//')"
	else
		go w
	fi
	;;
esac

# Where the kernel does not count, the semaphore is written: in processes that run, in those that start later; and the
# number is taken back at the end, also if sonde is killed.
for b in $ENGINES; do
	"$WORK" listens $((12 * SLOW)) >"$TMP/l.said" &
	pid_l=$!
	running="$running $pid_l"
	if start_or_skip kept-$b "$(absences $b)|Thumb code|can't read" s trace --backend $b --json --without uprobe-semaphore \
		"u:$work:heard \"%d\", arg1"; then
		"$WORK" listens $((4 * SLOW)) >"$TMP/m.said" &
		pid_m=$!
		running="$running $pid_m"
		wait_for $((8 * SLOW)) grep -q "\"pid\":$pid_m," "$TMP/s.out"
		# Whoever reads its output need not wait for the process that goes on.
		wait_for 8 child "$pid_s" sonde-usdt >"$TMP/keeper"
		ls -l "/proc/$(tail -n 1 "$TMP/keeper")/fd" >"$TMP/open"
		equal kept-open-$b 0 "$(grep -c 'perf_event\|bpf-\|/s\.out' "$TMP/open")"
		contains kept-null-$b "$TMP/open" ' 1 -> /dev/null$'
		kill -KILL "$pid_s"
		wait $pid_m $pid_l
		for i in l m; do
			expect kept-$i-$b [ "$(said $i 2)" -gt 0 ]
			expect kept-some-$i-$b [ "$(said $i 3)" -gt 0 ]
			equal kept-left-$i-$b 0 "$(said $i 4)"
		done
		# What the killed one left in tracefs the next one removes.
		start n trace --backend $b "u:$work:pick"
		stop n
	fi
	break	# the engine makes no difference to it
done

# A library by its name, as people have it from bcc, where a process has mapped it. C libraries have such probes where their
# distribution wants them; this one has them always.
lib=$TMP/libpthread.so.0
expect library "$WORK" library "$lib"
for b in $ENGINES; do
	"$WORK" maps "$lib" >"$TMP/m.said" 2>&1 &
	pid_m=$!
	running="$running $pid_m"
	wait_for 10 grep -q mapped "$TMP/m.said"
	if start_or_skip name-$b "$(absences $b)" s trace --backend $b --json -M 3 -p $pid_m 'u:pthread:getaddrinfo (arg1 != 0)'; then
		wait_for 20 grep -q end "$TMP/s.out"
		equal name-$b 3 "$(fields "$TMP/s.out" func | grep -c '^getaddrinfo$')"
		stop s
	fi
	kill -KILL $pid_m
done

# A provider of others, with semaphores, where there is one.
py=/usr/bin/python3
if [ -x $py ] && "$SONDE" tplist -l $py 2>/dev/null | grep -q ' python:gc__start$'; then
	for b in $ENGINES; do
		load w "$WORK" signals $py -c 'import gc
for i in range(6): gc.collect(i % 3)'
		if start_or_skip python-$b "$(absences $b)" s trace --backend $b --json "u:$py:python:gc__start (\$tgid == $(pid w) && arg1 > 0) \"%d\", arg1"; then
			go w
			stop s
			equal python-$b '1 2 1 2' "$(fields "$TMP/s.out" message | head -n 4 | tr '\n' ' ' | sed 's/ $//')"
		else
			go w
		fi
	done
else
	skip python 'no Python with probes here'
fi

# What can't be traced says so.
"$SONDE" trace --duration 1 "u:$work:beat" >/dev/null 2>"$TMP/said"
if grep -q 'Thumb code' "$TMP/said"; then
	skip said "$(grep 'Thumb code' "$TMP/said")"
else
	"$SONDE" trace "u:$work:beet" 2>"$TMP/said"
	contains near "$TMP/said" "did you mean 'beat'"
	"$SONDE" trace "u:$work:beat(int n)" 2>"$TMP/said"
	contains signature "$TMP/said" 'declares its arguments itself'
	"$SONDE" trace "u:$work:beat \"%d\", arg4" 2>"$TMP/said"
	contains arguments "$TMP/said" 'the probe has no arg4'
	"$SONDE" funclatency "u:$work:beat" 2>"$TMP/said"
	contains latency "$TMP/said" 'only functions take time'
fi
"$SONDE" trace "u:$(readlink -f /bin/sh):beat" 2>"$TMP/said"
contains none "$TMP/said" 'it was built without probes'
# Other processes' files are not meant, if those of -p have none.
if grep -q kthreadd /proc/2/comm 2>/dev/null; then
	"$SONDE" trace -p 2 'u::beat' 2>"$TMP/said"
	equal no-files-status 1 $?
	contains no-files "$TMP/said" '^sonde: trace: no file is known that the processes have mapped: '
fi
"$SONDE" trace 'u::beat' 2>"$TMP/said"
contains unnamed "$TMP/said" 'only with -p'
clean left
quiet kernel-log
