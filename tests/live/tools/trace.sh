# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# trace: questions about a known workload, on every engine: functions of a library, tracepoints, functions of the
# kernel; filters, formats, texts, several probes; what it says of mistakes.
. "${0%/*}/../lib.sh"

expect library "$WORK" library "$TMP/bash" || exit 1

for b in $ENGINES; do
	# A library's function: its returns with a text, some of which pass the filter.
	load w "$WORK" lines "$TMP/bash" 'dmesg | tail' '' ls lsof,1
	if start_or_skip user-$b "$(absences $b)" s trace --backend $b --json -p "$(pid w)" \
		"r:$TMP/bash:readline (STRCMP(\"ls\", retval)) \"%s|%d\", retval, \$tid"; then
		go w
		stop s && equal user-ends-$b 0 "$STATUS"
		fields "$TMP/s.out" pid func message value1 value2 >"$TMP/got"
		p=$(pid w)
		printf '%s\treadline\tls|%s\tls\t%s\n%s\treadline\tlsof,1|%s\tlsof,1\t%s\n' $p $p $p $p $p $p >"$TMP/wanted"
		same user-$b "$TMP/wanted" "$TMP/got"
		equal user-lost-$b 0 "$(reported "$TMP/s.out" lost)"
	else
		go w
	fi

	# Arguments that are on the stack; rows that are alike.
	load w "$WORK" arguments "$TMP/bash" 3
	if start_or_skip stack-$b "$(absences $b)" s trace --backend $b --json -p "$(pid w)" \
		"$TMP/bash:getaddrinfo(char *b, char *f, long c, int d, long e, long f6, int g, long h) \"%d|%d|%d|%d|%d\", d, f6, g, h, (int)arg10"; then
		start a trace --backend $b -A -M 3 -p "$(pid w)" "$TMP/bash:getaddrinfo \"%d\", arg8 / 2"
		go w
		stop s
		stop a
		fields "$TMP/s.out" message value3 value4 value5 >"$TMP/got"
		printf '4|6|-7|%d|-10\t-7\t%d\t-10\n' 0 0 1 1 2 2 >"$TMP/wanted"
		same stack-$b "$TMP/wanted" "$TMP/got"
		printf '0\n-->COUNT 2\n\n1\n-->COUNT 1\n\n' >"$TMP/wanted"
		sed -e 1d -e 's/^[0-9].* //' "$TMP/a.out" >"$TMP/got"
		same alike-$b "$TMP/wanted" "$TMP/got"
	else
		go w
	fi

	# Texts of several probes of one place: each row has its own call's, on both threads.
	load w "$WORK" texts "$TMP/bash" 300
	if start_or_skip texts-$b "$(absences $b)" s trace --backend $b --json -p "$(pid w)" \
		"$TMP/bash:getaddrinfo \"[%s][%s]\", arg1, arg4" \
		"$TMP/bash:getaddrinfo \"[%s]%d[%s]\", arg1, arg3, arg4" \
		"$TMP/bash:getaddrinfo (STRCMP(\"one-299\", arg1)) \"%d{%s}\", arg3, arg4"; then
		start u trace --backend $b --json -p "$(pid w)" "u:$TMP/bash:sonde:getaddrinfo \"[%s]%d[%s]\", arg1, arg3, arg4"
		start a argdist --backend $b --json -i 1000 -p "$(pid w)" \
			-C "p:$TMP/bash:getaddrinfo(char *a, u64 f, int n, char *b):char*,char*:a,b:n > 297#texts"
		go w
		for i in s u a; do
			stop $i && equal texts-ends-$i-$b 0 "$STATUS"
		done
		awk 'BEGIN {
			for (i = 1; i <= 300; i++) {
				other = i % 3 ? "other-" i : ""
				print "2 [one-" i "][" other "]\n2 [one-" i "]" i "[" other "]"
			}
			print "2 299{other-299}"
		}' | sort >"$TMP/wanted"
		fields "$TMP/s.out" message | sort | uniq -c | sed 's/^ *//' | sort >"$TMP/got"
		same texts-$b "$TMP/wanted" "$TMP/got"
		equal texts-unknown-$b 0 "$(grep -c 'without a string' "$TMP/s.err")"
		grep '\][0-9]' "$TMP/wanted" >"$TMP/usdt"
		fields "$TMP/u.out" message | sort | uniq -c | sed 's/^ *//' | sort >"$TMP/got"
		same texts-usdt-$b "$TMP/usdt" "$TMP/got"
		fields "$TMP/a.out" count value1 value2 | sort >"$TMP/got"
		printf '2\tone-%d\t%s\n' 298 other-298 299 other-299 300 '\0' >"$TMP/wanted"
		same texts-counts-$b "$TMP/wanted" "$TMP/got"
	else
		go w
	fi

	# Two tracepoints at once: numbers and texts of fields, C's arithmetic.
	if has_event sched sched_process_exit; then
		load w "$WORK" noop
		start_or_skip events-$b "$(absences $b)" s trace --backend $b --json -p "$(pid w)" \
			't:sched:sched_process_exit (args->pid == $tid) "%d,%s", (args->pid * 2 + 1) / 2 % 10000000, args->comm' \
			't:sched:sched_process_exit (args->pid != $tid) "never"' || { go w; continue; }
		go w
		stop s
		fields "$TMP/s.out" func message >"$TMP/got"
		printf 'sched_process_exit\t%s,work\n' "$(pid w)" >"$TMP/wanted"
		same events-$b "$TMP/wanted" "$TMP/got"
	fi

	# A system call by an old name: its tracepoint, where the kernel has no kprobes.
	load w "$WORK" noop
	if start_or_skip call-$b "$(absences $b)" c trace --backend $b --json -p "$(pid w)" \
		'SyS_exit_group(int code) (code == 0) "%d", code'; then
		start r argdist --backend $b --json -i 1000 -p "$(pid w)" \
			-C 'r::sys_exit():u64:$latency#never' -C 'p::sys_exit_group(int c):int:c#code'
		go w
		stop c
		stop r
		equal call-$b 1 "$(grep -c '"func":"SyS_exit_group","message":"0","value1":0}' "$TMP/c.out")"
		contains call-count-$b "$TMP/r.out" '"spec":"code","count":1,"event":"c = 0","value1":0}$'
	else
		go w
	fi

	# Its arguments by the names that the tracepoint has.
	load w "$WORK" noop
	if start_or_skip names-$b "$(absences $b)" c trace --backend $b --json -p "$(pid w)" \
		'sys_exit_group (error_code == 0) "%d %d", error_code, (int)arg1'; then
		go w
		stop c
		equal names-$b 1 "$(grep -c '"message":"0 0","value1":0,"value2":0}' "$TMP/c.out")"
	else
		go w
	fi

	# What passes no filter does not come: the kernel itself drops it.
	load w "$WORK" noop
	if start_or_skip dropped-$b "$(absences $b)" c trace -v --backend $b 'sys_exit_group (arg1 == 1234567)'; then
		go w
		stop c
		contains dropped-$b "$TMP/c.err" '^sonde: seen 0, lost 0'
	else
		go w
	fi

	# A function of the kernel, with its stack; text.
	load w "$WORK" sleeps 10
	start_or_skip kernel-$b "$(absences $b)" s trace --backend $b -K -p "$(pid w)" 'hrtimer_nanosleep "%d", $tgid' || { go w; continue; }
	start n trace --backend $b --json -M 3 -p "$(pid w)" hrtimer_nanosleep
	go w
	stop s
	stop n
	contains kernel-head-$b "$TMP/s.out" '^PID +TID +COMM +FUNC +-$'
	equal kernel-rows-$b 10 "$(grep -cE "^$(pid w) +$(pid w) +work +hrtimer_nanosleep $(pid w)$" "$TMP/s.out")"
	equal kernel-stacks-$b 10 "$(grep -cE '^    hrtimer_nanosleep(\+0x[0-9a-f]+)? \[kernel\]$' "$TMP/s.out")"
	equal max-$b 3 "$(grep -c '"func":"hrtimer_nanosleep"' "$TMP/n.out")"
done

# A member of a struct that is handed over; only BPF programs are told whether it could be read.
case " $ENGINES " in
*" bpf "*)
	if "$SONDE" trace --dump --backend bpf c:clock_nanosleep >/dev/null 2>&1; then
		start s trace --backend bpf --json -n sleep \
			'c:clock_nanosleep(int c, int f, struct timespec *ts) "%ld %ld", ts->tv_sec, ts->tv_nsec'
		sleep 0.125	# exact in binary: some sleep(1) round others up
		stop s
		# sleep(1) of coreutils 9.5 and later adds one.
		contains member "$TMP/s.out" '"message":"0 12500000([01])","value1":0,"value2":12500000\1}'
	fi
	# Bytes, which may be 0.
	load w "$WORK" arguments "$TMP/bash" 3
	if start_or_skip bytes "$(absences bpf)" s trace --backend bpf --json -B -p "$(pid w)" \
		"$TMP/bash:getaddrinfo (STRCMP(\"{1,0,2,3,4,5,6,7,8,9}\", arg1) && !STRCMP(\"{1,0,3}\", arg1) && STRCMP(\"\\1\", arg1)) \"%d\", arg8"; then
		go w
		stop s
		fields "$TMP/s.out" value1 >"$TMP/got"
		printf '0\n1\n2\n' >"$TMP/wanted"
		same bytes "$TMP/wanted" "$TMP/got"
	else
		go w
	fi
	# The address is computed of what can't be read: then the comparison is unknown, neither true nor false.
	load w "$WORK" arguments "$TMP/bash" 3
	if start_or_skip bytes-unknown "$(absences bpf)" s trace --backend bpf --json -B -p "$(pid w)" \
		"$TMP/bash:getaddrinfo \"%d %d %d\", STRCMP(\"{1,0}\", *(char **)8 + arg1), !STRCMP(\"{1,0}\", *(char **)8 + arg1), STRCMP(\"{1,0}\", (char *)arg1 + 0 * arg8)"; then
		start f trace --backend bpf --json -B -p "$(pid w)" \
			"$TMP/bash:getaddrinfo (STRCMP(\"{1,0}\", *(char **)8 + arg1) || 1) \"x\""
		go w
		stop s
		stop f
		fields "$TMP/s.out" value1 value2 value3 >"$TMP/got"
		printf -- '-\t-\t1\n-\t-\t1\n-\t-\t1\n' >"$TMP/wanted"
		same bytes-unknown "$TMP/wanted" "$TMP/got"
		equal bytes-filtered 0 "$(grep -c '"message":' "$TMP/f.out")"
	else
		go w
	fi
	;;
esac
# Of the kernel's calls; before 4.20 the rings read such numbers, too, and say what they may mean.
for b in $ENGINES; do
	[ $b = bpf ] || "$SONDE" trace --dump --backend $b 'sys_nanosleep "%d", *(int *)arg1' >/dev/null 2>&1 || continue
	load w "$WORK" sleeps 10
	if start_or_skip member-kernel-$b "$(absences $b)" s trace --backend $b --json -p "$(pid w)" \
		'p::SyS_nanosleep(struct timespec *ts) "sleep for %ld %lld ns", ts->tv_sec, ts->tv_nsec' \
		'sys_clock_nanosleep(int c, int f, struct timespec *ts) "sleep for %ld %lld ns", ts->tv_sec, ts->tv_nsec'; then
		go w
		stop s
		equal member-kernel-$b 10 "$(grep -cE '"message":"sleep for 0 [1-9][0-9]* ns","value1":0' "$TMP/s.out")"
		[ $b = bpf ] || contains member-zeros-$b "$TMP/s.err" "numbers in memory that can't be read are 0 here"
	else
		go w
	fi
done

# Tasks of a cgroup and of one below it, by the name of the option that bcc has; filters.sh has more.
group=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
if [ -z "$group" ] && mkdir "$TMP/cgroup" && mount -t cgroup2 none "$TMP/cgroup" 2>/dev/null; then
	group=$TMP/cgroup
fi
group_exits() {	# GROUP: a process that ends there
	sh -c 'echo $$ >"$0/cgroup.procs" && exit' "$1"
}
within=${group:-none}/sonde-test-$$
if [ -z "$group" ] || ! mkdir "$within" "$within/below" 2>/dev/null; then
	skip cgroup "no cgroups of version 2"
else
	group_exits "$within/below" || exit 1
	for b in $ENGINES; do
		start_or_skip cgroup-$b "cgroup|$(absences $b)" s trace --backend $b --json --cgroup-path "$within" \
			't:sched:sched_process_exit "%s", args->comm' || continue
		group_exits "$within"
		group_exits "$within/below"
		"$WORK" noop <&- >/dev/null 2>&1 || :
		sh -c exit
		stop s
		equal cgroup-$b 2 "$(grep -c '"message":"sh","value1":"sh"' "$TMP/s.out")"
		equal cgroup-rows-$b 2 "$(grep -c '"message":' "$TMP/s.out")"
	done
	rmdir "$within/below" "$within"
fi
[ "$group" != "$TMP/cgroup" ] || umount "$group"
"$SONDE" trace -c "$TMP" vfs_read 2>"$TMP/mistake"
equal no-cgroup 2 $?
contains no-cgroup-says "$TMP/mistake" '--cgroup: .* is not a cgroup'

"$SONDE" trace --backend perf 't:sched:sched_process_exit "%d", *(int *)args->comm' 2>/dev/null
equal text-is-no-pointer 2 $?

# Mistakes show their place.
"$SONDE" trace 't:sched:sched_process_exit "%d", args->pid + foo' 2>"$TMP/mistake"
equal mistake-status 2 $?
contains mistake "$TMP/mistake" "there is no .foo.; fields are args->NAME"
contains caret "$TMP/mistake" "^ {47}\^$"
clean left
quiet kernel-log
