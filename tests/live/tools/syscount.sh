# SPDX-License-Identifier: GPL-2.0
#
# syscount: calls of a known workload, counted by name and by process, their times and failures, on every engine.
. "${0%/*}/../lib.sh"

# Some engines can't tell 32-bit tasks' calls from others': they serve what goes by process only.
untold="can't tell which calls are of 32-bit tasks: .* no BTF|do not tell which calls are of 32-bit tasks"
untold="$untold|can't tell BPF of 32-bit tasks"
# What the workload said, but for calls that it makes elsewhere: name count.
wanted_calls() { awk -F '\t' -v OFS='\t' '$1 == "call" { print $2, $4 }' "$1" | sort; }
# Rows of the workload's own calls.
calls() {
	fields "$1" syscall count | sort |
		grep -E '^(getpgid|getsid|sched_rr_get_interval|epoll_pwait|tgkill)	'
}

for b in $ENGINES; do
	reasons=$(absences $b)
	load w "$WORK" calls 200
	if start_or_skip rows-$b "$untold${reasons:+|$reasons}" s syscount --backend $b --buffer-pages 1024 --json -T 1000 -p "$(pid w)"; then
		start t syscount --backend $b --buffer-pages 1024 --json -T 1000 -p "$(pid w)" -L
		start x syscount --backend $b --buffer-pages 1024 --json -T 1000 -p "$(pid w)" -x
		start e syscount --backend $b --buffer-pages 1024 --json -T 1000 -p "$(pid w)" -e ESRCH -L -m
		start y syscount --backend $b --buffer-pages 1024 --json -T 1 -p "$(pid w)" --syscall getsid
		go w
		for i in s t x e y; do
			stop $i && equal ends-$i-$b 0 "$STATUS"
		done
		wanted_calls "$TMP/w.said" >"$TMP/wanted"
		calls "$TMP/s.out" >"$TMP/got"
		same rows-$b "$TMP/wanted" "$TMP/got"
		# Those that end the handlers of the signals: what is there then depends on the machine.
		case $(uname -m) in x86_64 | i?86 | aarch64)
			equal handlers-$b 20 "$(fields "$TMP/s.out" syscall count | sed -n 's/^-	//p')" ;;
		esac
		calls "$TMP/t.out" >"$TMP/got"
		same times-$b "$TMP/wanted" "$TMP/got"
		us=$(fields "$TMP/t.out" syscall total_us | sed -n 's/^epoll_pwait	\([0-9]*\).*/\1/p')
		between slept-$b 98000 "$us" $((5000000 * SLOW))
		# The first row took longest.
		fields "$TMP/t.out" total_us >"$TMP/got"
		sort -rn "$TMP/got" >"$TMP/sorted"
		same order-$b "$TMP/sorted" "$TMP/got"
		grep -E '^(getsid|sched_rr)' "$TMP/wanted" >"$TMP/failed"
		calls "$TMP/x.out" >"$TMP/got"
		same failed-$b "$TMP/failed" "$TMP/got"
		equal errno-$b "getsid	200" "$(fields "$TMP/e.out" syscall count)"
		contains milliseconds-$b "$TMP/e.out" '"total_ms":[0-9]+\.[0-9]+'
		equal one-$b "getsid	200" "$(fields "$TMP/y.out" syscall count)"
		equal lost-$b 0 "$(reported "$TMP/s.out" lost)"

		# Parents are for bpf to know.
		load w "$WORK" calls 30
		if [ $b = bpf ]; then
			start s syscount --backend $b --buffer-pages 1024 --json -c $$ --syscall getsid
			go w
			stop s
			equal parent-$b "getsid	30" "$(fields "$TMP/s.out" syscall count)"
		else
			go w
			refused parent-$b "ppid" syscount --backend $b -c $$
		fi

		if need32 rows-32-$b; then
			load c "$WORK32" calls 50
			start s syscount --backend $b --buffer-pages 1024 --json -T 1000 -p "$(pid c)"
			go c
			stop s
			# They have the names that they have on their own machine.
			awk -F '\t' -v OFS='\t' '$1 == "call" { print $2, $4 }' "$TMP/c.said" | sort >"$TMP/wanted"
			fields "$TMP/s.out" syscall count | sort >"$TMP/got"
			grep -Fxf "$TMP/wanted" "$TMP/got" >"$TMP/both"
			same rows-32-$b "$TMP/wanted" "$TMP/both"
			equal unnamed-32-$b 0 "$(grep -c '^\[32-bit:' "$TMP/got")"
		fi

		load w "$WORK" calls 20
		start s syscount --backend $b --buffer-pages 1024 -T 5 -p "$(pid w)"
		go w
		stop s
		sed 's/^\[[0-9:]*\]$/[TIME]/' "$TMP/s.out" >"$TMP/got"
		printf '%s\n' "Tracing syscalls... Hit Ctrl-C to end." "[TIME]" "SYSCALL                   COUNT" >"$TMP/wanted"
		sed -n 1,3p "$TMP/got" >"$TMP/head"
		same text-head-$b "$TMP/wanted" "$TMP/head"
		contains text-$b "$TMP/got" '^getpgid                      40$'
		equal top-$b 9 "$(wc -l <"$TMP/got")"
	else
		go w
	fi

	# By process, with threads and all.
	load w "$WORK" -c 'k\x0a"' calls 100
	start_or_skip process-$b "$reasons" s syscount --backend $b --buffer-pages 1024 --json -P -e EINVAL -p "$(pid w)" || { go w; continue; }
	start t syscount --backend $b --buffer-pages 1024 -P -L -p "$(pid w)"
	go w
	stop s
	stop t
	equal process-$b "$(pid w)	k\\x0a\"	100" "$(fields "$TMP/s.out" pid comm count)"
	contains text-process-$b "$TMP/t.out" '^PID    COMM               COUNT        TIME \(us\)$'
	contains text-row-$b "$TMP/t.out" "^$(pid w) .*[0-9] +[0-9]+\.[0-9][0-9][0-9]$"

	# Tasks are made once, whoever the call returns in. No child makes a call that returns; threads are its maker's.
	load w "$WORK" -c makes$b makes 50
	start s syscount --backend $b --buffer-pages 1024 --json -P -T 10000
	go w
	stop s
	lossless made-lost-$b $b "$TMP/s.out" &&
		equal made-rows-$b "$(pid w)	makes$b" "$(fields "$TMP/s.out" pid comm | grep "	makes$b$")"
	if [ $b != ftrace ] || "$SONDE" syscount --dump --backend $b >/dev/null 2>&1; then
		load w "$WORK" makes 50
		if start_or_skip made-calls-$b "$untold${reasons:+|$reasons}" s syscount --backend $b --buffer-pages 1024 --json -T 1000 -p "$(pid w)"; then
			start t syscount --backend $b --buffer-pages 1024 --json -T 1000 -L -p "$(pid w)"
			go w
			for i in s t; do
				stop $i
				fields "$TMP/$i.out" syscall count | grep -E '^(clone|fork|vfork|clone3)	' | sort >"$TMP/$i.got"
			done
			same made-calls-$b "$TMP/t.got" "$TMP/s.got"
			# clone, fork, vfork, clone3 and threads: what clone3 fails at is tried by clone.
			between made-number-$b 200 "$(awk '{ n += $2 } END { print n }' "$TMP/s.got")" 300
		else
			go w
		fi
	fi

	# In turns, and taken every second: each call is in one interval, and counts for its caller.
	for i in 1 2 3 4; do
		load w$i "$WORK" -c turn$i calls $((1000 + i))
	done
	start s syscount --backend $b --buffer-pages 1024 --json -P -i 1 -e EINVAL -p "$(pid w1),$(pid w2),$(pid w3),$(pid w4)"
	go w1 w2 w3 w4
	stop s
	for i in 1 2 3 4; do
		printf '%s\tturn%s\t%s\n' "$(pid w$i)" $i $((1000 + i))
	done | sort >"$TMP/wanted"
	fields "$TMP/s.out" pid comm count | awk -F '\t' -v OFS='\t' '
		{ n[$1 OFS $2] += $3 } END { for (who in n) print who, n[who] }' | sort >"$TMP/got"
	lossless turns-lost-$b $b "$TMP/s.out" && same turns-$b "$TMP/wanted" "$TMP/got"
done

# Where nothing but tracefs is mounted on /sys, the kernel's maps alone tell how many CPUs there are.
cat >"$TMP/tracefs-alone" <<SCRIPT
#!/bin/sh
exec unshare -m sh -c 'umount -l /sys && mount -t tmpfs none /sys && mkdir -p /sys/kernel/tracing &&
	mount -t tracefs none /sys/kernel/tracing && exec "\$@"' sh "$SONDE" "\$@"
SCRIPT
chmod +x "$TMP/tracefs-alone"
if ! "$TMP/tracefs-alone" version >/dev/null 2>"$TMP/why"; then
	skip alone "no such /sys can be made: $(head -n 1 "$TMP/why")"
else
	load w "$WORK" -c alone calls 1000
	as_it_is=$SONDE
	SONDE=$TMP/tracefs-alone
	if start_or_skip alone "$(absences bpf)" s syscount --backend bpf --json -P -e EINVAL -p "$(pid w)"; then
		# The kernel's number of per-CPU arrays.
		expect alone-cpus grep -q "^map_type:	6$" "/proc/$(pid s)/fdinfo/"*
		go w
		stop s
		equal alone 1000 "$(fields "$TMP/s.out" count)"
	fi
	SONDE=$as_it_is
fi

# By control group: of two groups of our own.
tree=$(cgroup2)
mine=$tree/sonde-count-$$
if [ -z "$tree" ] || ! mkdir "$mine" "$mine/b" 2>/dev/null; then
	skip by-cgroup "no control group of version 2 can be made here"
else
	load w "$WORK" calls 1000
	load x "$WORK" calls 700
	into "$mine" w
	into "$mine/b" x
	if start_or_skip by-cgroup "control group|$(absences bpf)" s syscount --backend bpf --json --by-cgroup -e EINVAL -p "$(pid w),$(pid x)"; then
		start t syscount --backend bpf --by-cgroup -L -e EINVAL -p "$(pid w),$(pid x)"
		go w x
		stop s
		stop t
		printf '/sonde-count-%s\t1000\n/sonde-count-%s/b\t700\n' $$ $$ >"$TMP/wanted"
		fields "$TMP/s.out" cgroup count | sed 's|^.*/sonde|/sonde|' >"$TMP/got"
		same by-cgroup "$TMP/wanted" "$TMP/got"
		contains by-cgroup-head "$TMP/t.out" '^   COUNT        TIME \(us\) CGROUP$'
		contains by-cgroup-row "$TMP/t.out" "^ +700 +[0-9.]+ /.*sonde-count-$$/b\$"
	fi
	rmdir "$mine/b" "$mine"
	"$SONDE" syscount -P --by-cgroup >"$TMP/usage" 2>&1
	equal by-cgroup-usage 2 $?
fi

expect names "$SONDE" syscount -l
contains names-list "$TMP/expect" '^getpgid$'
expect misuse sh -c '! "$0" syscount -e ENONE 2>"$1" && grep -q "not an error" "$1"' "$SONDE" "$TMP/misuse"
clean left
quiet kernel-log
