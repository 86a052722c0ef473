# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# argdist: counts and histograms of values of a known workload, on every engine: texts of a library's function,
# fields of tracepoints, functions of the kernel.
. "${0%/*}/../lib.sh"

expect library "$WORK" library "$TMP/bash" || exit 1

for b in $ENGINES; do
	load w "$WORK" lines "$TMP/bash" ls ps ls '' lsof ls
	if start_or_skip user-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -p "$(pid w)" \
		-C "r:$TMP/bash:readline():char*,u32:\$retval,\$tid:STRCMP(\"l\", \$retval);lines"; then
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

	# What calls were handed, at their returns: calls within each other, and threads that end in one.
	load w "$WORK" nests "$TMP/bash" 3 4
	if start_or_skip nests-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -p "$(pid w)" \
		-C "r:$TMP/bash:getaddrinfo(char *name, u64 inner, int level):int,int:\$entry(level),-\$entry(level)*2#levels"; then
		[ $b = bpf ] && start m argdist --backend $b --json -i 1000 -p "$(pid w)" \
			-C "r:$TMP/bash:getaddrinfo(char *name):int:\$entry(name[6])-'0':\$entry(name[6])!='2'#levels"
		# The address is of then, the text that it leads to of now.
		[ $b = bpf ] && start n argdist --backend $b --json -i 1000 -p "$(pid w)" \
			-C "r:$TMP/bash:getaddrinfo(char *name):char*,char:\$entry(name),\$entry(name)[6]:STRCMP(\"level-\", \$entry(name))#names"
		go w
		stop s
		fields "$TMP/s.out" count value1 value2 >"$TMP/got"
		printf '3\t1\t-2\n3\t2\t-4\n3\t3\t-6\n3\t4\t-8\n' >"$TMP/wanted"
		same nests-$b "$TMP/wanted" "$TMP/got"
		if [ $b = bpf ]; then
			stop m
			fields "$TMP/m.out" count value1 >"$TMP/got"
			printf '3\t1\n3\t3\n3\t4\n' >"$TMP/wanted"
			same nests-memory "$TMP/wanted" "$TMP/got"
			stop n
			fields "$TMP/n.out" count value1 value2 >"$TMP/got"
			printf '3\tlevel-%d\t%d\n' 1 49 2 50 3 51 4 52 >"$TMP/wanted"
			same nests-text "$TMP/wanted" "$TMP/got"
		fi
	else
		go w
	fi

	# Percentiles: of 15 values the eighth and the fourteenth, each the largest of its slot.
	load w "$WORK" nests "$TMP/bash" 3 4
	if start_or_skip percentiles-$b "$(absences $b)" s argdist --backend $b --json --percentiles -i 1000 -p "$(pid w)" \
		-H "p:$TMP/bash:getaddrinfo(char *name, u64 inner, int level):u64:level * 1000"; then
		go w
		stop s
		fields "$TMP/s.out" percentiles >"$TMP/got"
		echo '{"p50":2047,"p90":4095,"p99":4095,"p99.9":4095,"max":4095}' >"$TMP/wanted"
		same percentiles-$b "$TMP/wanted" "$TMP/got"
		equal percentiles-lost-$b 0 "$(reported "$TMP/s.out" lost)"
	else
		go w
	fi

	# Sums of what threads on all CPUs hand over, which take more than 64 bits; and of numbers below 0.
	load w "$WORK" nests "$TMP/bash" 3 4
	if start_or_skip sums-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -p "$(pid w)" \
		-A "p:$TMP/bash:getaddrinfo(char *name, u64 inner, int level):u64:(u64)level << 61#wide" \
		-A "p:$TMP/bash:getaddrinfo(char *name, u64 inner, int level):int,bool:level * 10 - 26,level > 2#signed"; then
		go w
		stop s
		fields "$TMP/s.out" spec count average min max total value1 >"$TMP/got"
		printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' \
			wide 15 4611686018427387904.00 0 9223372036854775808 69175290276410818560 - \
			signed 6 9.00 4 14 54 1 signed 9 -16.00 -26 -6 -144 0 >"$TMP/wanted"
		same sums-$b "$TMP/wanted" "$TMP/got"
	else
		go w
	fi

	# Processes that read at the same time, in intervals: no read is lost, counted twice, or not the largest. They are
	# there before sonde, which is told their ids: who else reads so much is not counted.
	if has_event syscalls sys_enter_read; then
		spec='t:syscalls:sys_enter_read():u64,u32:args->count,args->fd:args->count > 30000 && args->count < 30005'
		readers=
		for round in 1 2 3; do
			for size in 30001 30002 30003 30004; do
				sh -c 'until [ -e "$1" ]; do sleep 0.05; done; exec dd if=/dev/zero of=/dev/null bs=$2 count=2000' \
					sh "$TMP/round-$b-$round" $size 2>/dev/null &
				readers="$readers${readers:+,}$!"
			done
		done
		if start_or_skip reads-$b "$(absences $b)" s argdist --backend $b --json -i 1 -p "$readers" -A "$spec#reads"; then
			start c argdist --backend $b --json -i 1 -c -p "$readers" -A "$spec#reads"
			for round in 1 2 3; do
				: >"$TMP/round-$b-$round"
				wait $(echo "$readers" | cut -d , -f $((4 * round - 3))-$((4 * round)) | tr , ' ')
				sleep 0.5
			done
			stop s
			stop c
			printf '24000 30001 30004 720060000\n' >"$TMP/wanted"
			fields "$TMP/s.out" count min max total | awk '
				NR == 1 || $2 < min { min = $2 }
				$3 > max { max = $3 }
				{ count += $1; total += $4 }
				END { print count, min, max, total }' >"$TMP/got"
			same reads-$b "$TMP/wanted" "$TMP/got"
			fields "$TMP/c.out" count min max total average | tail -n 1 >"$TMP/got"
			printf '24000\t30001\t30004\t720060000\t30002.50\n' >"$TMP/wanted"
			same reads-all-$b "$TMP/wanted" "$TMP/got"
		else
			kill $(echo "$readers" | tr , ' ')
		fi
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
	start_or_skip kernel-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -p "$(pid w)" -C 'r::hrtimer_nanosleep()#r' \
		-C 'r::hrtimer_nanosleep():int:retval + 5#five' -H 'r::hrtimer_nanosleep():int:retval + 7#seven' || { go w; continue; }
	start c argdist --backend $b --json -i 1000 -p "$(pid w)" -C 'p::sys_exit_group(int code):int:code#exit'
	go w
	stop s
	stop c
	if grep -q 'some returns of functions may be missing' "$TMP/s.err"; then
		# Of what others wait in, too, they may miss all.
		skip kernel-$b "$(grep -m 1 'some returns of functions may be missing' "$TMP/s.err")"
	else
		contains kernel-$b "$TMP/s.out" '"spec":"r","count":10,"event":"retval = 0","value1":0}$'
		contains joined-$b "$TMP/s.out" '"spec":"five","count":10,"event":"retval \+ 5 = 5","value1":5}$'
		contains joined-hist-$b "$TMP/s.out" '"spec":"seven","slots":\[\{"low":7,"high":7,"count":10\}\]\}$'
	fi
	contains exit-$b "$TMP/c.out" '"spec":"exit","count":1,"event":"code = 0","value1":0}$'
done
# A picture of histograms.
load w "$WORK" sleeps 200
if start_or_skip heat "" s argdist --json -i 1 --heatmap="$TMP/heat.svg" -p "$(pid w)" \
	-H 't:sched:sched_switch():u32:args->prev_prio#prio'; then
	go w
	stop s
	contains heat "$TMP/heat.svg" '^<title>sonde argdist '
	contains heat-hist "$TMP/s.out" '"spec":"prio","slots":\[\{'
else
	go w
fi
clean left
quiet kernel-log
