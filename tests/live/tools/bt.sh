# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# bt: scripts in bpftrace's language over a known workload, on every engine: functions of a library, tracepoints, maps that
# are read, histograms, intervals; what it says of mistakes.
. "${0%/*}/../lib.sh"

expect library "$WORK" library "$TMP/bash" || exit 1

# bar COUNT MOST: a bar of a histogram.
bar() { awk -v n=$(($1 * 52 / $2)) 'BEGIN { for (i = 0; i < 52; i++) printf i < n ? "@" : " " }'; }

for b in $ENGINES; do
	# 15 calls within each other: 3 of each level.
	load w "$WORK" nests "$TMP/bash" 3 4
	cat >"$TMP/nests.bt" <<-END
	#!/usr/bin/env bpftrace
	/* Counts by level. */
	BEGIN { printf("%s\n", "begin"); }
	uprobe:$TMP/bash:getaddrinfo	// each call
	{
		@levels[arg2, comm] = count();
		@sum = sum(arg2); @stats = stats(arg2 - 2); @l = lhist(arg2, 1, 3, 1);
		if (arg2 >= 3) { @large++; } else { @small[probe] += arg2; }
	}
	END { printf("end\n"); }
	END
	if start_or_skip calls-$b "$(absences $b)" s bt --backend $b -p "$(pid w)" "$TMP/nests.bt"; then
		go w
		stop s && equal calls-ends-$b 0 "$STATUS"
		{
			printf 'begin\nend\n\n\n@l:\n'
			printf '(..., 1)               3 |%s|\n' "$(bar 3 6)"
			printf '[1]                    3 |%s|\n' "$(bar 3 6)"
			printf '[2]                    3 |%s|\n' "$(bar 3 6)"
			printf '[3, ...)               6 |%s|\n\n' "$(bar 6 6)"
			printf '@large: 6\n'
			for i in 0 1 2 3 4; do
				printf '@levels[%d, work]: 3\n' $i
			done
			printf '@small[uprobe:%s:getaddrinfo]: 9\n' "$TMP/bash"
			printf '@stats: { .count = 15, .average = 0, .total = 0 }\n@sum: 30\n'
		} >"$TMP/wanted"
		same calls-$b "$TMP/wanted" "$TMP/s.out"
		contains calls-attached-$b "$TMP/s.err" '^Attached 3 probes$'
	else
		go w
	fi

	# Texts of returns, as keys and in order; some returns have none.
	load w "$WORK" lines "$TMP/bash" ls ps ls '' lsof ls
	if start_or_skip texts-$b "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"uretprobe:$TMP/bash:readline /retval/ { printf(\"<%-4s>\n\", str(retval)); @[str(retval)] = count(); }"; then
		go w
		stop s && equal texts-ends-$b 0 "$STATUS"
		printf '<%-4s>\n' ls ps ls '' lsof ls >"$TMP/wanted"
		printf '\n\n@[]: 1\n@[lsof]: 1\n@[ps]: 1\n@[ls]: 3\n' >>"$TMP/wanted"
		same texts-$b "$TMP/wanted" "$TMP/s.out"
	else
		go w
	fi

	# Texts that are kept: in a variable, as values and keys of maps that are read.
	load w "$WORK" lines "$TMP/bash" ls ps ls 'a longer line than a name has' lsof ls
	if start_or_skip kept-$b "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"uretprobe:$TMP/bash:readline /retval/
		{
			\$line = str(retval);
			printf(\"%s after %s, %d\n\", \$line, @last[tid], @n[\$line]);
			if (str(retval) == @last[tid]) { @twice++; }
			if (@n[str(retval)] == 1) { @again = \$line; }
			@n[\$line]++; @last[tid] = \$line; @who[\$line == \"ps\" ? \"ps\" : comm]++;
		}
		END { clear(@last); }"; then
		go w
		stop s && equal kept-ends-$b 0 "$STATUS"
		{
			printf 'ls after , 0\nps after ls, 0\nls after ps, 1\na longer line than a name has after ls, 0\n'
			printf 'lsof after a longer line than a name has, 0\nls after lsof, 2\n\n\n@again: ls\n'
			printf '@n[a longer line than a name has]: 1\n@n[lsof]: 1\n@n[ps]: 1\n@n[ls]: 3\n'
			printf '@who[ps]: 1\n@who[work]: 5\n'
		} >"$TMP/wanted"
		same kept-$b "$TMP/wanted" "$TMP/s.out"
	else
		go w
	fi

	# Results that are read: by the probe, and at the end. The exit status is the script's.
	load w "$WORK" nests "$TMP/bash" 3 4
	if start_or_skip results-$b "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"uprobe:$TMP/bash:getaddrinfo
		{
			@n = count(); @by[arg2] = sum(arg2); @high = max(arg2); @average = avg(arg2 * 2);
			if (@n == 15) { printf(\"%d %d %d\n\", @n, @by[4] / 2, has_key(@by, 5)); exit(5); }
			if (@n > 5 && has_key(@by, 0)) { delete(@by, 0); }
		}
		END { printf(\"%d %d %d %d\n\", @n, @high, @average, len(@by)); clear(@by); }"; then
		go w
		await s && equal results-status-$b 5 "$STATUS"
		printf '15 6 0\n15 4 4 5\n\n\n@average: 4\n@high: 4\n@n: 15\n' >"$TMP/wanted"
		same results-$b "$TMP/wanted" "$TMP/s.out"
	else
		go w
	fi

	# Loops: in programs, in an interval, over maps at the end.
	load w "$WORK" nests "$TMP/bash" 3 4
	if start_or_skip loops-$b "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"uprobe:$TMP/bash:getaddrinfo
		{
			for (\$i : 0..4) { if (\$i == arg2) { break; } if (\$i == 1) { continue; } @below[\$i]++; }
			\$t = (comm, arg2);
			unroll (3) { @all[\$t] += \$i < 10; }
			\$n = arg2; while (\$n > 0) { \$n--; @turns++; }
			for (\$j : 1..arg2) { @between += { let \$two = 2; \$two * \$j }; }
			@last = (comm, (arg2, \$t.1 == arg2)); if (delete(@last)) { @last = @last; @gone++; }
		}
		interval:ms:100 { \$n = 0; while (\$n < 7) { \$n++; } @most = \$n; }
		END
		{
			for (\$kv : @all) { printf(\"%s %d %d\n\", \$kv.0.0, \$kv.0.1, \$kv.1); @sum += \$kv.1; }
			print((\"last\", (1, \"x\")));
			clear(@all); clear(@last);
		}"; then
		go w
		sleep 1
		stop s && equal loops-ends-$b 0 "$STATUS"
		for i in 0 1 2 3 4; do
			echo "work $i 9"
		done >"$TMP/wanted"
		printf '(last, (1, x))\n\n\n@below[3]: 3\n@below[2]: 6\n@below[0]: 12\n@between: 60\n@gone: 15\n@most: 7\n@sum: 45\n@turns: 30\n' >>"$TMP/wanted"
		same loops-$b "$TMP/wanted" "$TMP/s.out"
	else
		go w
	fi

	# A map that the return reads. The last read of dd is the end of its input.
	if has_event syscalls sys_enter_read; then
		if start_or_skip reads-$b "$(absences $b)" s bt --backend $b -q -e \
			't:syscalls:sys_enter_read /args.count == 30001/ { @begin[tid] = nsecs; @calls++; }
			t:syscalls:sys_exit_read /@begin[tid]/
			{
				$took = nsecs - @begin[tid];
				@bytes[comm] = sum(args.ret); @right = max($took > 0 && $took < 10s);
				delete(@begin[tid]);
			}'; then
			dd if=/dev/zero of=/dev/null bs=30001 count=2000 2>/dev/null
			stop s && equal reads-ends-$b 0 "$STATUS"
			printf '\n\n@bytes[dd]: 60002000\n@calls: 2000\n@right: 1\n' >"$TMP/wanted"
			same reads-$b "$TMP/wanted" "$TMP/s.out"
		fi
	fi

	# Maps that are printed in order with the events. On bpf they are counted on meanwhile.
	if has_event syscalls sys_enter_read; then
		if start_or_skip order-$b "$(absences $b)" s bt --backend $b -q -e \
			't:syscalls:sys_enter_read /args.count == 30001/ { @n = count(); @v++; print(@n); print(@v); }'; then
			dd if=/dev/zero of=/dev/null bs=30001 count=200 2>/dev/null
			stop s && equal order-ends-$b 0 "$STATUS"
			equal order-lines-$b 404 "$(wc -l <"$TMP/s.out")"
			for i in $(seq 200); do
				printf '@n: %d\n@v: %d\n' $i $i
			done >"$TMP/wanted"
			printf '\n\n@n: 200\n@v: 200\n' >>"$TMP/wanted"
			[ $b = bpf ] || same order-$b "$TMP/wanted" "$TMP/s.out"
			equal order-last-$b '@n: 200 @v: 200' "$(tail -n 2 "$TMP/s.out" | tr '\n' ' ' | sed 's/ $//')"
		fi
	fi

	# Intervals, which change a map that programs count in; exit().
	if start_or_skip intervals-$b "$(absences $b)" s bt --backend $b -q -e \
		't:raw_syscalls:sys_enter { @calls = count(); }
		interval:ms:200 { @i++; printf("%d\n", @i); clear(@calls); if (@i == 3) { exit(); } }
		END { clear(@calls); zero(@i); }'; then
		await s && equal intervals-ends-$b 0 "$STATUS"
		printf '1\n2\n3\n\n\n@i: 0\n' >"$TMP/wanted"
		same intervals-$b "$TMP/wanted" "$TMP/s.out"
	fi

	# Functions with names of arguments and types of results, where the kernel has type information.
	if has_kprobes && start_or_skip typed-$b "$(absences $b)|have no names here|result is unknown here" s bt --backend $b -q -e \
		'fentry:vfs_read /args.count == 30001/ { @n[probe] = count(); } kretfunc:vmlinux:vfs_read /retval == 30001/ { @r[probe] = count(); }'; then
		dd if=/dev/zero of=/dev/null bs=30001 count=200 2>/dev/null
		stop s && equal typed-ends-$b 0 "$STATUS"
		printf '\n\n@n[fentry:vmlinux:vfs_read]: 200\n@r[fexit:vmlinux:vfs_read]: 200\n' >"$TMP/wanted"
		same typed-$b "$TMP/wanted" "$TMP/s.out"
	fi

	# Texts of a statically defined probe, on two threads.
	load w "$WORK" texts "$TMP/bash" 300
	if start_or_skip usdt-$b "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"usdt:$TMP/bash:sonde:getaddrinfo { printf(\"[%s]%d[%s]\n\", str(arg0), arg2, str(arg3)); @[probe] = count(); }"; then
		go w
		stop s && equal usdt-ends-$b 0 "$STATUS"
		awk 'BEGIN { for (i = 1; i <= 300; i++) print "2 [one-" i "]" i "[" (i % 3 ? "other-" i : "") "]" }' | sort >"$TMP/wanted"
		grep '^\[' "$TMP/s.out" | sort | uniq -c | sed 's/^ *//' | sort >"$TMP/got"
		same usdt-$b "$TMP/wanted" "$TMP/got"
		equal usdt-probe-$b "@[usdt:$TMP/bash:sonde:getaddrinfo]: 600" "$(tail -n 1 "$TMP/s.out")"
	else
		go w
	fi

	# Two providers have a probe of one name; one of them has twelve arguments.
	load w "$WORK" probes 50
	if start_or_skip providers-$b "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"usdt:$WORK:sonde_o*:many { @arguments[arg0, arg9, arg10, arg11] = count(); } usdt:$WORK:m*y { @n[probe] = count(); }"; then
		go w
		stop s && equal providers-ends-$b 0 "$STATUS"
		printf '\n\n@arguments[1, 10, 11, 12]: 50\n@n[usdt:%s:sonde_one:many]: 50\n@n[usdt:%s:sonde_two:many]: 50\n' \
			"$WORK" "$WORK" >"$TMP/wanted"
		sort "$TMP/s.out" >"$TMP/got"
		same providers-$b "$TMP/wanted" "$TMP/got"
	else
		go w
	fi

	# Detaching takes time, and nothing is added meanwhile to what END clears.
	if start_or_skip stopped-$b "$(absences $b)" s bt --backend $b -q -e \
		"u:$WORK:chain_inner { @n++; @last[pid] = 1; } END { clear(@n); clear(@last); }"; then
		"$WORK" chain 2000000 >/dev/null 2>&1 &
		work=$!
		sleep 0.3
		stop s
		kill $work 2>/dev/null
		wait $work 2>/dev/null
		equal stopped-$b "" "$(grep @ "$TMP/s.out")"
	fi

	# A path behind the pointer of a system call's record; a filter of a number in the record.
	if has_event syscalls sys_enter_openat; then
		for filter in '' '/args.flags == 0/'; do
			n=path${filter:+-filtered}-$b
			load w "$WORK" opens 5 "$TMP"
			if start_or_skip "$n" "$(absences $b)|carries only a pointer" s bt --backend $b -q -p "$(pid w)" -e \
				"t:syscalls:sys_enter_openat $filter { printf(\"%s %o %d\\n\", str(args.filename), args.flags, args.dfd); }"; then
				go w
				stop s && equal "$n-ends" 0 "$STATUS"
				awk -F'\t' -v all="$filter" '$5 == "openat" && (all == "" || !$7) { print $8, $7, -100 }' "$TMP/w.said" |
					sort >"$TMP/wanted"
				grep "^$TMP" "$TMP/s.out" | sort >"$TMP/got"
				same "$n" "$TMP/wanted" "$TMP/got"
			else
				go w
			fi
		done
	fi

	# The words of commands.
	if has_event syscalls sys_enter_execve; then
		if start_or_skip join-$b "$(absences $b)|only BPF programs are told|carries only a pointer" s bt --backend $b -q -e \
			't:syscalls:sys_enter_execve { join(args.argv, "|"); }'; then
			"$(command -v env)" sonde_join=1 /bin/true "two  words" '' 'a"b'
			stop s && equal join-ends-$b 0 "$STATUS"
			equal join-$b 1 "$(grep -c '^/bin/true|two  words||a"b$' "$TMP/s.out")"
		fi
		if start_or_skip join-json-$b "$(absences $b)|only BPF programs are told|carries only a pointer" s bt --backend $b -q -f json -e \
			't:syscalls:sys_enter_execve { join(args.argv, "|"); }'; then
			/bin/true one two
			stop s
			equal join-json-$b 1 "$(grep -c '^{"type": "join", "data": "/bin/true|one|two"}$' "$TMP/s.out")"
		fi
	fi

	# Names of addresses and of errors.
	load w "$WORK" chain 50
	if start_or_skip names-$b "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"u:$WORK:chain_inner { @[func, strerror(2)] = count(); } END { print(ksym(0)); }"; then
		go w
		stop s && equal names-ends-$b 0 "$STATUS"
		contains names-key-$b "$TMP/s.out" "^@\\[chain_inner, No such file or directory\\]: [0-9]+$"
	else
		go w
	fi

	# All entries of a map of values, the one of -1 among them, whatever comes first in the map.
	load w "$WORK" chain 300
	if start_or_skip all-keys-$b "$(absences $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"u:$WORK:chain_inner { @n[0] += 1; @at[@n[0] - 2] = 1; @two[@n[0] - 2, -1] += 1; } END {
			\$at = 0; \$two = 0; for (\$kv : @at) { \$at += \$kv.1; } for (\$kv : @two) { \$two += \$kv.1; }
			printf(\"%d %d %d\", @n[0], \$at, \$two); clear(@n); clear(@at); clear(@two); }"; then
		go w
		stop s && set -- $(cat "$TMP/s.out")
		between all-keys-calls-$b 2 "${1:-0}" 10000
		equal all-keys-$b "$1 $1 $1" "$*"
	else
		go w
	fi

	# Stacks: of user space as keys, of the kernel as texts of lines.
	load w "$WORK" chain 300
	if user_walks_or_skip stacks-$b && start_or_skip stacks-$b "$(absences_of_stacks $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"u:$WORK:chain_inner { @[ustack(2), comm] = count(); @n = count(); }"; then
		go w
		stop s && equal stacks-ends-$b 0 "$STATUS"
		# A stack may find no place in the table of bpf.
		sed '/^@n/d; s/+[0-9]*$/+N/; s/^, \(.*\)\]: /, \1 /' "$TMP/s.out" | tr -d '\n' | sed 's/@\[/\n/g' |
			awk '/chain_inner\+N +chain_outer\+N, work [0-9]+$/ { n += $NF } /lost: collision/ { n += $NF } END { print n }' >"$TMP/got"
		equal stacks-calls-$b "$(sed -n 's/^@n: //p' "$TMP/s.out")" "$(cat "$TMP/got")"
		contains stacks-lines-$b "$TMP/s.out" '^        chain_outer\+[0-9]+$'
	else
		go w
	fi
	load w "$WORK" sleeps 100
	if start_or_skip kernel-stacks-$b "$(absences_of_stacks $b)" s bt --backend $b -q -p "$(pid w)" -e \
		'k:hrtimer_nanosleep { printf("%s.\n", kstack); printf("frames %d\n", len(kstack)); }'; then
		go w
		stop s
		equal kernel-stacks-lines-$b 100 "$(grep -c '^\.$' "$TMP/s.out")"
		equal kernel-stacks-length-$b "$(grep -c '^        ' "$TMP/s.out")" "$(awk '/^frames/ { n += $2 } END { print n }' "$TMP/s.out")"
		equal kernel-stacks-first-$b 100 "$(grep -A 1 '^$' "$TMP/s.out" | grep -c '^        hrtimer_nanosleep+')"
		contains kernel-stacks-call-$b "$TMP/s.out" '^        .*[Ss]y[sS]_.*nanosleep.*\+[0-9]+$'
	else
		go w
	fi

	if start_or_skip samples-$b "$(absences $b)|takes no samples|no BPF programs on samples" p bt --backend $b -q -e \
		'profile:hz:99 { @ = count(); } interval:s:1 { exit(); }'; then
		await p && equal samples-ends-$b 0 "$STATUS"
		between samples-$b 40 "$(sed -n 's/^@: //p' "$TMP/p.out")" $((120 * $(grep -c ^processor /proc/cpuinfo)))
	fi
done

# Probes of one place run in the script's order: of a function, its return, a function of the kernel, a tracepoint.
order() {	# NAME ENGINE PROBE
	load w "$WORK" lines "$TMP/bash" ls
	if start_or_skip order-$1-$2 "$(absences $2)" s bt --backend $2 -q -p "$(pid w)" -e \
		"$3 { printf(\"a\") } $3 { printf(\"b\") } $3 { printf(\"c\n\") }"; then
		go w
		stop s && contains order-$1-$2 "$TMP/s.out" '^abc$'
		equal order-$1-others-$2 0 "$(grep -v '^$' "$TMP/s.out" | grep -cv '^abc$')"
	else
		go w
	fi
}
for b in $ENGINES; do
	order function $b "uprobe:$TMP/bash:readline"
	order return $b "uretprobe:$TMP/bash:readline"
	! has_event syscalls sys_enter_write || order tracepoint $b t:syscalls:sys_enter_write
	! has_kprobes || order kernel $b k:vfs_write
	! has_kprobes || order kernel-return $b kr:vfs_write
done

# Fields of sched_waking are taken from its arguments, if the script has one probe of it, else from its record: the same
# wakeups of tasks that are made when both trace.
if ! command -v nice >/dev/null; then
	skip fields "nice is not installed"
elif has_event sched sched_waking; then
	# What is nice already gets nicer, to 19 at most.
	prio=$((127 + $(nice)))
	[ $prio -le 139 ] || prio=139
	asked="t:sched:sched_waking /args.prio == $prio/ { @[args.pid] = count(); }"
	if start_or_skip fields-arguments "$(absences bpf)" s bt --backend bpf -q -e "$asked" &&
	   start_or_skip fields-record "$(absences bpf)" r bt --backend bpf -q -e "$asked t:sched:sched_waking { }"; then
		nice -n 7 sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.02; done; exit'
		stop s && stop r && same fields "$TMP/r.out" "$TMP/s.out"
		contains fields-all "$TMP/s.out" '^@\[[0-9]*\]: [0-9]*$'
	fi
fi

# Values of intervals, added up: 15 calls, however many intervals they are in.
for b in $ENGINES; do
	load w "$WORK" nests "$TMP/bash" 3 4
	if start_or_skip series-$b "$(absences $b)" s bt --backend $b -q --json -p "$(pid w)" -e \
		"uprobe:$TMP/bash:getaddrinfo { @ = tseries(1, 100ms, 900, \"sum\"); @m[pid] = tseries(arg2, 10s, 2, \"max\") }"; then
		go w
		stop s && equal series-sum-$b 15 "$(sed -n 's/.*"tseries".*"map":"@".*"value":\([0-9]*\).*/\1/p' "$TMP/s.out" |
			awk '{ n += $1 } END { print n }')"
		contains series-most-$b "$TMP/s.out" '"tseries".*"map":"@m".*"value":4[,}]'
	else
		go w
	fi
done
"$SONDE" bt -q -e 'BEGIN { @["a"] = tseries(5, 1h, 3); @["b"] = tseries(-2, 1h, 3) }' >"$TMP/got" 2>"$TMP/err"
equal series-ends 0 $?
contains series-graph "$TMP/got" '^[0-9:]* .                         \*                         . 5$'
contains series-edge "$TMP/got" '^         v_{51}v$'

# Stacks that variables and maps keep: those of the calls, as values, and as keys of what is counted.
for b in $ENGINES; do
	load w "$WORK" lines "$TMP/bash" ls ps
	if user_walks_or_skip kept-stacks-$b && start_or_skip kept-stacks-$b "$(absences_of_stacks $b)" s bt --backend $b -q -p "$(pid w)" -e \
		"uprobe:$TMP/bash:readline { \$s = ustack(2); @at[tid] = \$s; } uretprobe:$TMP/bash:readline {
			@[@at[tid]] = count(); print(@at[tid]); print(@at[0]); delete(@at[tid]); }"; then
		go w
		stop s && contains kept-stack-$b "$TMP/s.out" '^        readline\+0$'
		contains kept-stack-key-$b "$TMP/s.out" '^]: 2$'
	else
		go w
	fi
done

# A struct of the script's own in memory of user space, through variables and maps that keep its type.
if has_event syscalls sys_enter_clock_nanosleep; then
	cat >"$TMP/struct.bt" <<-END
	#ifndef BPFTRACE_HAVE_BTF
	#include <linux/time.h>
	#endif
	#define TIME (0x43 << 16 | 0x42 << 8 | 0x41)
	struct when { long seconds; union { struct { char low[4]; int high; } rest[1]; long nsec; }; }
	t:syscalls:sys_enter_clock_nanosleep /((struct when *)args.rqtp)->nsec == TIME/
	{
		\$w = (struct when *)args.rqtp;
		@w[tid] = \$w;
		printf("%d %d\n", \$w.seconds * TIME, \$w->rest[0].high);
		printf("%d %s\n", ((struct when *)args->rqtp)->seconds, \$w->rest[0].low);
		@same = @w[tid]->seconds == \$w->seconds;
	}
	END { clear(@w); }
	END
	if start_or_skip struct "$(absences bpf)" s bt --backend bpf -q "$TMP/struct.bt"; then
		sleep 0.004407873
		stop s && equal struct-ends 0 "$STATUS"
		# s390x has the upper half of a long before the lower one.
		case $(uname -m) in
		s390x) printf '0 4407873\n0 \n' ;;
		*) printf '0 0\n0 ABC\n' ;;
		esac >"$TMP/wanted"
		printf '\n\n@same: true\n' >>"$TMP/wanted"
		same struct "$TMP/wanted" "$TMP/s.out"
	fi
fi

# What needs no engine: a script of BEGIN alone, under bpftrace's name, from a file and from standard input.
ln -s "$SONDE" "$TMP/bpftrace"
printf '#!/usr/bin/env bpftrace\nBEGIN { printf("%%d %%s\\n", $1 + 1, str($2)); @a = 1 }' >"$TMP/begin.bt"
"$TMP/bpftrace" "$TMP/begin.bt" 41 x >"$TMP/got" 2>"$TMP/err"
equal begin-ends 0 $?
printf '42 x\n\n\n@a: 1\n' >"$TMP/wanted"
same begin "$TMP/wanted" "$TMP/got"
"$SONDE" bt -q - 41 x <"$TMP/begin.bt" >"$TMP/got" 2>"$TMP/err"
same begin-stdin "$TMP/wanted" "$TMP/got"
equal begin-quiet '' "$(cat "$TMP/err")"

# The output of older versions, by an option and by a setting.
asked='BEGIN { @s = stats(5); @a[1] = avg(3); @l = lhist(3, 0, 10, 1); @e[1] = 1; delete(@e[1]); print(1 == 1); print(probe); exit(); }'
{
	printf 'Attaching 1 probe...\n1\nBEGIN\n\n\n@a[1]: 3\n\n\n@l:\n[3, 4)                 1 |%s|\n\n' "$(bar 1 1)"
	printf '@s: count 1, average 5, total 5\n\n'
} >"$TMP/wanted"
"$SONDE" bt --compat 0.23 -e "$asked" >"$TMP/got" 2>"$TMP/err"
equal compat-ends 0 $?
same compat "$TMP/wanted" "$TMP/got"
"$SONDE" bt -e "config = { compat = \"0.23\" } $asked" >"$TMP/got" 2>"$TMP/err"
same compat-setting "$TMP/wanted" "$TMP/got"

# The probes of a process: of any of its files, by the files' names, each once, with the provider.
load w "$WORK" probes 1
"$SONDE" bt -l 'usdt:*' -p "$(pid w)" 2>&1 | sed 's/^usdt:.*\(:sonde_[a-z]*:\)/usdt\1/' >"$TMP/got"
printf 'usdt:sonde_%s\n' work:beat work:heard two:many one:many work:pick >"$TMP/wanted"
grep sonde_ "$TMP/got" >"$TMP/own"
"$SONDE" bt -l -p "$(pid w)" >"$TMP/got" 2>/dev/null
go w
# What can't be probed is not listed: on 32-bit ARM that is Thumb code.
case $(uname -m) in
arm*) skip own-probes "this may be Thumb code" ;;
*)
	same own-probes "$TMP/wanted" "$TMP/own"
	equal own-functions 1 "$(grep -c '^uprobe:/.*:chain_inner$' "$TMP/got")"
	;;
esac

# Options of the script, behind --.
printf 'macro depth() { getopt("depth", 35, "levels") }\nBEGIN { printf("%%d %%d %%s\\n", depth, getopt("flag"), getopt("name", "none")); }' \
	>"$TMP/options.bt"
"$SONDE" bt -q "$TMP/options.bt" >"$TMP/got" 2>"$TMP/err" && "$SONDE" bt -q "$TMP/options.bt" -- --flag --depth=-3 --name='a"\b' \
	>>"$TMP/got" 2>>"$TMP/err"
equal options-ends 0 $?
printf '35 0 none\n\n\n-3 1 a"\\b\n\n\n' >"$TMP/wanted"
same options "$TMP/wanted" "$TMP/got"
"$SONDE" bt -q -e 'BEGIN { print(($1, getopt("n", 1), $2, $#)); }' one -- --n=3 two >"$TMP/got" 2>"$TMP/err"
equal options-arguments '(one, 3, two, 2)' "$(head -n 1 "$TMP/got")"
# Intervals that are too close together leave turns out, and do not hold up others.
"$SONDE" bt -q -e 'i:us:1 { @[rand % 5] = count(); } i:ms:300 { exit(); } END { clear(@); }' >"$TMP/got" 2>"$TMP/err"
equal late-ends 0 $?
contains late "$TMP/err" 'runs of intervals were left out'
"$SONDE" bt -q "$TMP/options.bt" -- --dept=3 >"$TMP/got" 2>"$TMP/err"
equal options-unknown 'ERROR: unexpected program command line options: --dept=3' "$(head -n 1 "$TMP/err")"
"$SONDE" bt -q "$TMP/options.bt" -- --depth=x >"$TMP/got" 2>"$TMP/err"
equal options-wrong 'ERROR: program command line option --depth invalid integer (value: x)' "$(cat "$TMP/err")"

# Settings of the environment, which come before those of the script; a probe that is left out is said.
BPFTRACE_PRINT_MAPS_ON_EXIT=1 BPFTRACE_MAX_MAP_KEYS=1 "$SONDE" bt -q \
	-e 'config = { print_maps_on_exit = false } BEGIN, t:no:such { @[1] = 1; @[2] = 2; }' >"$TMP/got" 2>"$TMP/err"
equal environment-ends 0 $?
printf '\n\n@[1]: 1\n' >"$TMP/wanted"
same environment "$TMP/wanted" "$TMP/got"
contains environment-missing "$TMP/err" "^stdin:1:48-49: WARNING: No matches for tracepoint no:such\. Skipping: no tracepoint"
contains environment-full "$TMP/err" '1 entries of BEGIN, END, interval or iter had no room in a full map$'
BPFTRACE_MISSING_PROBES=maybe "$SONDE" bt -e 'BEGIN { }' >"$TMP/got" 2>"$TMP/err"
equal environment-wrong-ends 1 $?
contains environment-wrong "$TMP/err" "the environment's BPFTRACE_MISSING_PROBES is 'maybe': missing_probes is error, warn or ignore"

# Lists of probes; a command that the run ends with.
"$SONDE" bt -l "uprobe:$WORK:chain_i*" >"$TMP/got" 2>"$TMP/err"
equal list-ends 0 $?
echo "uprobe:$WORK:chain_inner" >"$TMP/wanted"
same list "$TMP/wanted" "$TMP/got"
"$SONDE" bt -l "u:$WORK:none" >"$TMP/got" 2>"$TMP/err"
equal list-none-ends 1 $?
if has_event sched sched_switch; then
	"$SONDE" bt -lv 't:*sched_swi*' >"$TMP/got" 2>"$TMP/err"
	contains list-event "$TMP/got" '^tracepoint:sched:sched_switch$'
	contains list-fields "$TMP/got" '^    char prev_comm\[16\]$'
fi
"$SONDE" bt -q -c "$(command -v env) sh -c exit" -e 'interval:s:60 { exit(); } END { printf("end\n"); }' >"$TMP/got" 2>"$TMP/err"
equal command-ends 0 $?
printf 'end\n\n\n' >"$TMP/wanted"
same command "$TMP/wanted" "$TMP/got"

# Files and commands.
printf 'one\n\ttwo\033\n' >"$TMP/file"
"$SONDE" bt -q --unsafe -e 'BEGIN { cat("%s/file", str($1)); system("echo %s; echo $((%d + 1))", "a b", 4); cat("%s/none", str($1)); errorf("e%d", 1) }' \
	"$TMP" >"$TMP/got" 2>"$TMP/err"
equal outside-ends 0 $?
printf 'one\n\ttwo\\x1b\na b\n5\n\n\n' >"$TMP/wanted"
same outside "$TMP/wanted" "$TMP/got"
contains outside-none "$TMP/err" "^ERROR: failed to open file '$TMP/none' \(No such file or directory\)$"
contains outside-error "$TMP/err" '^stdin:1:[0-9]+-[0-9]+: ERROR: e1$'
# Lines are written together, and never behind what another stream got later.
"$SONDE" bt -q --unsafe -e 'BEGIN { printf("1\n"); errorf("2"); printf("3\n"); system("echo 4 >&2"); printf("5\n"); cat("/none"); printf("6\n") }' \
	>"$TMP/got" 2>&1
sed 's/^stdin.*: //; s/ERROR: failed.*/failed/' "$TMP/got" | xargs >"$TMP/order"
echo '1 2 3 4 5 failed 6' >"$TMP/wanted"
same outside-order "$TMP/wanted" "$TMP/order"

printf 'BEGIN\n{\n\tprint(pidd);\n}\n' >"$TMP/wrong.bt"
"$SONDE" bt "$TMP/wrong.bt" >"$TMP/got" 2>"$TMP/err"
equal mistake-ends 1 $?
printf '%s:3:8-12: ERROR: there is no `pidd`; did you mean pid?\n print(pidd);\n       ~~~~\n' "$TMP/wrong.bt" >"$TMP/wanted"
same mistake "$TMP/wanted" "$TMP/err"
"$SONDE" bt "$TMP/none.bt" >"$TMP/got" 2>"$TMP/err"
equal no-file-ends 1 $?
contains no-file "$TMP/err" "^ERROR: failed to open file '$TMP/none.bt': No such file or directory$"
