# SPDX-License-Identifier: GPL-2.0
# timeout: 480
#
# What people ask trace and argdist most often, word for word, on every engine that can: it prints what the workload has
# done. (stat.sh and probe.sh have theirs.)
. "${0%/*}/../lib.sh"

# What processes have mapped is found by the names that people use.
for file in bash libc.so.6 libpthread.so.0; do
	expect library-$file "$WORK" library "$TMP/$file" || exit 1
done
port=$((20000 + $$ % 10000))

# map FILE: a process that has mapped it, as $mapped.
map() {
	: >"$TMP/maps.said"
	"$WORK" maps "$TMP/$1" >"$TMP/maps.said" 2>&1 &
	mapped=$!
	running="$running $!"
	wait_for 10 grep -q mapped "$TMP/maps.said"
}
unmap() {
	kill -KILL $mapped
	wait $mapped
} 2>/dev/null

# interrupts: lines IRQ COUNT HANDLERS, the count summed over all CPUs. Those of the machine itself have no number.
interrupts() {
	awk '/^ *[0-9]+:/ { n = 0; for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i; print $1 + 0, n, gsub(/, /, "") + 1 }' /proc/interrupts
}
# irq_bounds BEFORE BEGUN ENDED AFTER ROWS: those IRQs of which the rows have less than came from BEGUN to ENDED, or more
# than from BEFORE to AFTER, for each handler; and how many were right, if none was wrong.
irq_bounds() {
	awk 'FILENAME != file { file = FILENAME; n++ }
		{ count[n, $1] += $2 }
		n == 4 { handlers[$1] = $3 }
		END {
			for (irq in handlers) {
				least = count[3, irq] - count[2, irq]
				most = (count[4, irq] - count[1, irq]) * handlers[irq]
				if (count[5, irq] < least || count[5, irq] > most)
					wrong = wrong " irq " irq ": " count[5, irq] + 0 ", not " least " to " most
				right += count[5, irq] > 0
			}
			print wrong ? wrong : right + 0
		}' "$@"
}

# Kernels of 32 bits have another one, whose struct is old.
has_nanosleep() { has_event syscalls sys_enter_nanosleep || grep -qE ' [tT] (__[a-z0-9]+_)?[sS]y[sS]_nanosleep$' /proc/kallsyms; }

for b in $ENGINES; do
	may=$(absences $b)
	if start_or_skip read-$b "$may" s trace --backend $b -n dd 'sys_read (arg3 > 20000) "read %d bytes", arg3'; then
		dd if=/dev/zero of=/dev/null bs=30001 count=3 2>/dev/null
		dd if=/dev/zero of=/dev/null bs=1000 count=3 2>/dev/null
		stop s
		equal read-$b 3 "$(grep -cE ' dd +sys_read +read 30001 bytes$' "$TMP/s.out")"
	fi
	if start_or_skip open-$b "$may" s trace --backend $b -n dd 'do_sys_open "%s", arg2'; then
		dd if=/dev/zero of=/dev/null count=1 2>/dev/null
		stop s
		contains open-$b "$TMP/s.out" ' dd +do_sys_open(at2)? +/dev/zero$'
		[ ! -e /sys/kernel/btf/vmlinux ] || grep -q ' do_sys_open ' "$TMP/s.out" ||
			contains open-renamed-$b "$TMP/s.err" 'do_sys_open\(\) is do_sys_openat2\(\) on this kernel'
	fi
	if start_or_skip opened-$b "$may" s trace --backend $b -n dd 'r::do_sys_open "%d", retval'; then
		dd if=/nowhere/at-all of=/dev/null 2>/dev/null
		stop s
		contains opened-$b "$TMP/s.out" ' dd +do_sys_open(at2)? +-2$'
	fi

	# Functions and probes of libraries and programs.
	load w "$WORK" lines "$TMP/bash" ls 'dmesg | tail'
	if PATH="$TMP:$PATH" start_or_skip line-$b "$may" s trace --backend $b 'r:bash:readline "%s", retval'; then
		go w
		stop s
		p=$(pid w)
		awk -v p=$p '$1 == p { sub(/.* readline +/, ""); print }' "$TMP/s.out" >"$TMP/got"
		printf '%s\n' ls '(fault)' 'dmesg | tail' '(fault)' >"$TMP/wanted"
		same line-$b "$TMP/wanted" "$TMP/got"
	else
		go w
	fi
	map libpthread.so.0
	if start_or_skip thread-$b "$may" s trace --backend $b -M 4 -p $mapped 'u:pthread:pthread_create (arg4 != 0)' \
		'u:pthread:pthread_create (arg4 != 0) "argument %d", arg4'; then
		await s
		equal thread-$b 4 "$(grep -c "^$mapped .* pthread_create" "$TMP/s.out")"
		equal thread-arguments-$b 2 "$(grep -c ' argument 1$' "$TMP/s.out")"
	fi
	unmap
	map libc.so.6
	if start_or_skip input-$b "$may" s argdist --backend $b --json -i 3600000 -p $mapped \
		-C 'r:c:gets():char*:(char*)$retval#input'; then
		sleep "$SLOW"
		stop s
		fields "$TMP/s.out" spec value1 | sort >"$TMP/got"
		printf 'input\t%s\n' one three two >"$TMP/wanted"
		same input-$b "$TMP/wanted" "$TMP/got"
		# They take turns.
		fields "$TMP/s.out" count | sort -n >"$TMP/counts"
		between input-turns-$b 0 $(($(sed -n '$p' "$TMP/counts") - $(sed -n 1p "$TMP/counts"))) 1
	fi
	unmap

	# A member of a struct of user space; from 4.20 on the rings don't read such numbers, and say so.
	load w "$WORK" naps 5 1234567
	if ! has_nanosleep; then
		skip nap-$b "this kernel has no function of nanosleep(2)"
		go w
	elif start_or_skip nap-$b "${may:+$may|}since 4.20 only BPF programs are told" s trace --backend $b -p "$(pid w)" \
		'p::SyS_nanosleep(struct timespec *ts) "sleep for %lld ns", ts->tv_nsec'; then
		go w
		stop s
		equal nap-$b 5 "$(grep -cE "^$(pid w) .* SyS_nanosleep +sleep for 1234567 ns$" "$TMP/s.out")"
	else
		go w
	fi

	if start_or_skip hist-$b "$may" s argdist --backend $b --json -i 1000 -H 'r::vfs_read()'; then
		dd if=/dev/zero of=/dev/null bs=30001 count=3 2>/dev/null
		stop s
		contains hist-$b "$TMP/s.out" '"slots":\[.*\{"low":28672,"high":30719,"count":[0-9]+\}'
	fi
	if start_or_skip latency-$b "$may" s argdist --backend $b --json -i 1000 \
		-H 'r::vfs_read():u64:$latency/1000 #us'; then
		dd if=/dev/zero of=/dev/null bs=30001 count=3 2>/dev/null
		stop s
		contains latency-$b "$TMP/s.out" '"spec":"us","slots":\[\{'
	fi
	if start_or_skip send-$b "$may" s argdist --backend $b --json -i 3600000 \
		-C 'p::tcp_sendmsg(struct sock *sk, struct msghdr *msg, size_t size):u32:size'; then
		"$WORK" sessions 3 $port 4 1234 777 client >"$TMP/said" 2>&1
		port=$((port + 1))
		stop s
		# The last byte goes alone.
		for size in 1233 777; do
			equal send-$size-$b 3 "$(fields "$TMP/s.out" count value1 | sed -n "s/	$size$//p")"
		done
	fi
	load w "$WORK" vectors 500 1000
	if start_or_skip malloc-$b "$may" s argdist --backend $b --json -i 3600000 -p "$(pid w)" \
		-H 'p::__kmalloc(size_t size):u64:size'; then
		go w
		stop s
		size=$(said w 4)
		equal malloc-$b 500 "$(sed -n 's/.*"slots":\[\(.*\)\].*/\1/p' "$TMP/s.out" | tr '}' '\n' |
			sed 's/[^0-9]*\([0-9]*\)[^0-9]*\([0-9]*\)[^0-9]*\([0-9]*\)/\1 \2 \3/' |
			awk -v size="$size" '$1 <= size && size <= $2 && NF == 3 { print $3 }')"
	else
		go w
	fi

	interrupts >"$TMP/before"
	if has_event irq irq_handler_entry && start_or_skip irqs-$b "$may" s argdist --backend $b --json -i 3600000 \
		-C 't:irq:irq_handler_entry():int:args->irq'; then
		interrupts >"$TMP/begun"
		[ ! -b /dev/vda ] || dd if=/dev/vda of=/dev/null bs=4096 count=200 2>/dev/null	# the first time
		for n in 1 2 3 4 5; do dd if=/dev/zero of="$TMP/synced" bs=4096 count=1 conv=fsync 2>/dev/null; done
		interrupts >"$TMP/ended"
		stop s
		interrupts >"$TMP/after"
		fields "$TMP/s.out" value1 count | tr '\t' ' ' >"$TMP/rows"
		if lossless irqs-lost-$b $b "$TMP/s.out"; then
			got=$(irq_bounds "$TMP/before" "$TMP/begun" "$TMP/ended" "$TMP/after" "$TMP/rows")
			case $got in
			0) skip irqs-$b "no interrupt of a device in this time" ;;
			*\ *) fail irqs-$b "$got" ;;
			*) pass irqs-$b ;;
			esac
		fi
	fi
done

# Requests of a size that is rare; what is behind the disk may have some of it, too.
if disk requests; then
	dev=$(tr ':' ' ' <"/sys/block/${DISK##*/}/dev" | { read -r major minor && echo $((major << 20 | minor)); })
	for b in $ENGINES; do
		if start_or_skip sectors-$b "$(absences $b)" s trace --backend $b \
			't:block:block_rq_complete "sectors=%d", args->nr_sector' \
			"t:block:block_rq_complete (args->dev == $dev) \"own=%d\", args->nr_sector"; then
			"$WORK" block write "$DISK" 3 106496 >"$TMP/said"
			stop s
			equal sectors-own-$b 3 "$(grep -cE ' block_rq_complete +own=208$' "$TMP/s.out")"
			between sectors-$b 3 "$(grep -cE ' block_rq_complete +sectors=208$' "$TMP/s.out")" 9
		fi
		# Some kernels have inlined it everywhere, though its name is there.
		if has_kprobes && [ -e "$TRACEFS/available_filter_functions" ] &&
			! grep -qE '^(__)?blk_account_io_start$' "$TRACEFS/available_filter_functions"; then
			skip account-$b "this kernel's blk_account_io_start() can't be traced"
		elif start_or_skip account-$b "$(absences $b)" s trace --backend $b -K blk_account_io_start; then
			"$WORK" block write "$DISK" 3 106496 >"$TMP/said"
			stop s
			contains account-$b "$TMP/s.out" ' work +(__)?blk_account_io_start'
			contains account-stack-$b "$TMP/s.out" '^    [a-z0-9_]*submit_bio[a-z0-9_]*(\+0x[0-9a-f]+)? \[kernel\]$'
		fi
	done
fi
clean left
quiet kernel-log
