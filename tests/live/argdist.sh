# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# argdist: counts and histograms of values of a known workload, on every engine: texts of a library's function,
# fields of tracepoints, functions of the kernel.
. "${0%/*}/lib.sh"

expect library "$WORK" library "$TMP/bash" || exit 1

for b in $ENGINES; do
	load w "$WORK" lines "$TMP/bash" ls ps ls '' lsof ls
	if start_or_skip user-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -p "$(pid w)" \
		-C "r:$TMP/bash:readline():char*,u32:\$retval,\$tid:STRCMP(\"l\", \$retval)#lines"; then
		start t argdist --backend $b -i 1000 -p "$(pid w)" -T 2 -C "r:$TMP/bash:readline():char*:(char*)\$retval"
		go w
		stop s && equal user-ends-$b 0 "$STATUS"
		stop t
		fields "$TMP/s.out" spec count value1 value2 >"$TMP/got"
		printf 'lines\t1\tlsof\t%s\nlines\t3\tls\t%s\n' "$(pid w)" "$(pid w)" >"$TMP/wanted"
		same user-$b "$TMP/wanted" "$TMP/got"
		contains text-$b "$TMP/t.out" '^    3          \(char\*\)\$retval = ls$'
		equal largest-$b 2 "$(grep -c ' = ' "$TMP/t.out")"
		equal user-lost-$b 0 "$(reported "$TMP/s.out" lost)"
	else
		go w
	fi

	# How long calls took: naps of a library's function, by the clock.
	if "$SONDE" trace --dump --backend $b c:clock_nanosleep >/dev/null 2>&1; then
		start n argdist --backend $b --json -i 1000 -C 'r:c:clock_nanosleep():u64,int:$latency / 200000000,$retval#naps'
		sleep 0.21
		stop n
		contains latency-$b "$TMP/n.out" '"spec":"naps","count":[0-9]+,"event":"[^"]*","value1":1,"value2":0}$'
	fi

	if has_event sched sched_process_exit; then
		load w "$WORK" noop
		start_or_skip events-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -p "$(pid w)" \
			-C 't:sched:sched_process_exit():int,char*:args->pid - $tid,args->comm:args->pid == $tid#exits' \
			-H 't:sched:sched_process_exit():u32:(args->pid == $tid) * 100#hist' || { go w; continue; }
		go w
		stop s
		contains events-$b "$TMP/s.out" '"spec":"exits","count":1,"event":"[^"]*","value1":0,"value2":"work"}$'
		contains hist-$b "$TMP/s.out" '"spec":"hist","slots":\[\{"low":96,"high":103,"count":1\}\]\}$'
	fi

	load w "$WORK" sleeps 10
	start_or_skip kernel-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -p "$(pid w)" -C 'r::hrtimer_nanosleep()#r' || { go w; continue; }
	start c argdist --backend $b --json -i 1000 -p "$(pid w)" -C 'p::sys_exit_group(int code):int:code#exit'
	go w
	stop s
	stop c
	contains kernel-$b "$TMP/s.out" '"spec":"r","count":10,"event":"retval = 0","value1":0}$'
	contains exit-$b "$TMP/c.out" '"spec":"exit","count":1,"event":"code = 0","value1":0}$'
done
clean left
quiet kernel-log
