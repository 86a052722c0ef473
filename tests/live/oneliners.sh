# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# What people ask trace and argdist most often, word for word, on every engine that can: it prints what dd, sh and sleep
# have done.
. "${0%/*}/lib.sh"

for b in $ENGINES; do
	if start_or_skip read-$b "$(absences $b)" s trace --backend $b -n dd 'sys_read (arg3 > 20000) "read %d bytes", arg3'; then
		dd if=/dev/zero of=/dev/null bs=30001 count=3 2>/dev/null
		dd if=/dev/zero of=/dev/null bs=1000 count=3 2>/dev/null
		stop s
		equal read-$b 3 "$(grep -cE ' dd +sys_read +read 30001 bytes$' "$TMP/s.out")"
	fi
	if start_or_skip open-$b "$(absences $b)" s trace --backend $b -n dd 'do_sys_open "%s", arg2'; then
		dd if=/dev/zero of=/dev/null count=1 2>/dev/null
		stop s
		contains open-$b "$TMP/s.out" ' dd +do_sys_open(at2)? +/dev/zero$'
		[ ! -e /sys/kernel/btf/vmlinux ] || grep -q ' do_sys_open ' "$TMP/s.out" ||
			contains open-renamed-$b "$TMP/s.err" 'do_sys_open\(\) is do_sys_openat2\(\) on this kernel'
	fi
	if start_or_skip opened-$b "$(absences $b)" s trace --backend $b -n dd 'r::do_sys_open "%d", retval'; then
		dd if=/nowhere/at-all of=/dev/null 2>/dev/null
		stop s
		contains opened-$b "$TMP/s.out" ' dd +do_sys_open(at2)? +-2$'
	fi
	if start_or_skip hist-$b "$(absences $b)" s argdist --backend $b --json -i 1000 -H 'r::vfs_read()'; then
		dd if=/dev/zero of=/dev/null bs=30001 count=3 2>/dev/null
		stop s
		contains hist-$b "$TMP/s.out" '"slots":\[.*\{"low":28672,"high":30719,"count":[0-9]+\}'
	fi
	if start_or_skip latency-$b "$(absences $b)" s argdist --backend $b --json -i 1000 \
		-H 'r::vfs_read():u64:$latency/1000 #us'; then
		dd if=/dev/zero of=/dev/null bs=30001 count=3 2>/dev/null
		stop s
		contains latency-$b "$TMP/s.out" '"spec":"us","slots":\[\{'
	fi
	has_event irq irq_handler_entry &&
		start_or_skip irqs-$b "$(absences $b)" s argdist --backend $b -i 1000 \
			-C 't:irq:irq_handler_entry():int:args->irq' && stop s && equal irqs-$b 0 "$STATUS"
done
clean left
quiet kernel-log
