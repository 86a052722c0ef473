# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# stackcount: each call of a known workload is counted once, with a stack that ends with what was called; by process, by
# CPU, tracepoints, user space, as text.
. "${0%/*}/../lib.sh"

# total FILE: of folded stacks.
total() { awk '{ n += $NF } END { print n + 0 }' "$1"; }
may_lack() { echo "$(absences "$1")|stack" | sed 's/^|//'; }

for b in $ENGINES; do
	load w "$WORK" sleeps 300
	load o "$WORK" sleeps 100
	start_or_skip calls-$b "$(may_lack $b)" s stackcount --backend $b -f -K -p "$(pid w)" hrtimer_nanosleep || { go w o; continue; }
	start p stackcount --backend $b -f -P -K -p "$(pid w),$(pid o)" -r 'hrtimer_nano(sleep|watch)$'
	start c stackcount --backend $b --json -p "$(pid w)" -c 8191 hrtimer_nanosleep 2>/dev/null
	go w o
	stop s && equal ends-$b 0 "$STATUS"
	stop p
	stop c
	grep ';' "$TMP/s.out" >"$TMP/folded"
	equal calls-$b 300 "$(total "$TMP/folded")"
	equal stacks-$b 0 "$(grep -cv '^-;.*;hrtimer_nanosleep [0-9]*$' "$TMP/folded")"
	contains syscall-$b "$TMP/folded" '[Ss]y[sS]_.*nanosleep'
	grep ';' "$TMP/p.out" >"$TMP/folded"
	equal processes-$b 400 "$(total "$TMP/folded")"
	equal comm-$b 0 "$(grep -cv '^work;' "$TMP/folded")"
	equal no-such-cpu-$b 0 "$(grep -c '"count":[1-9]' "$TMP/c.out")"

	# A tracepoint, and text: who, how often, and the kernel's part before the other.
	load w "$WORK" flood getppid 50
	if has_event syscalls sys_enter_getppid; then
		if start_or_skip text-$b "$(may_lack $b)" t stackcount --backend $b -d -p "$(pid w)" t:syscalls:sys_enter_getppid; then
			go w
			stop t
			contains text-first-$b "$TMP/t.out" '^Tracing 1 tracepoint for "t:syscalls:sys_enter_getppid"\.\.\. Hit Ctrl-C to end\.$'
			contains text-task-$b "$TMP/t.out" "^    - +work \($(pid w)\)$"
			equal text-count-$b "$(said w 4)" "$(awk '/^        [0-9]+$/ { n += $1 } END { print n + 0 }' "$TMP/t.out")"
		else
			go w
		fi
	else
		go w
	fi

	# By interval, with the time of day; it ends by itself.
	load w "$WORK" sleeps 2000
	start s stackcount --backend $b -T -K -i 1 -D 4 -p "$(pid w)" hrtimer_nanosleep
	go w
	await s && equal interval-ends-$b 0 "$STATUS"
	contains interval-time-$b "$TMP/s.out" '^[0-9]{2}:[0-9]{2}:[0-9]{2}$'
done
# Many stacks: hardly one finds no place in the kernel's tables. (Other engines keep each as it comes.)
if [ "${ENGINES#*bpf}" != "$ENGINES" ] && has_event syscalls sys_enter_getppid; then
	load w "$WORK" ways 10000
	if start_or_skip ways "$(may_lack bpf)" m stackcount --backend bpf --json -U -p "$(pid w)" t:syscalls:sys_enter_getppid; then
		go w
		stop m
		equal ways-all 10000 "$(sed -n 's/.*"count":\([0-9]*\).*/\1/p' "$TMP/m.out" | awk '{ n += $1 } END { print n + 0 }')"
		between ways-without-place 0 "$(sed -n 's/.*\[lost: .*"count":\([0-9]*\).*/\1/p' "$TMP/m.out" | awk '{ n += $1 } END { print n + 0 }')" 100
	else
		go w
	fi
fi
# At its first instruction a function has no frame yet: its caller is the second function all the same, and once.
for b in $ENGINES; do
	for f in chain frameless; do
		load w "$WORK" $f 300
		start_or_skip caller-$f-$b "$(may_lack $b)" m stackcount --backend $b -f -U -p "$(pid w)" "$WORK:${f}_inner" || { go w; continue; }
		go w
		stop m
		# A compiler may keep what changes with time where a frame pointer would be: many stacks, and
		# some are lost.
		grep ';' "$TMP/m.out" | grep -v '^work;\[lost: collision\] ' >"$TMP/folded"
		contains caller-$f-$b "$TMP/folded" ";${f}_inner [0-9]*$"
		equal caller-only-$f-$b 0 "$(grep -cv "\(^work\|[^r]\);${f}_outer;${f}_inner [0-9]*$" "$TMP/folded")"
	done
done

# Many more than there is room for, a few each second: room is made for those of the next interval, and no stack is
# shown as another's. (ftrace's stacks of user space are short.)
for b in $ENGINES; do
	has_event syscalls sys_enter_getppid || break
	load w "$WORK" ways 3200 400
	start_or_skip renewed-$b "$(may_lack $b)" m stackcount --backend $b -f -U -i 1 --stack-storage-size 1024 -p "$(pid w)" t:syscalls:sys_enter_getppid || { go w; continue; }
	go w
	stop m
	grep ';' "$TMP/m.out" >"$TMP/folded"
	equal renewed-all-$b 3200 "$(total "$TMP/folded")"
	grep '\[lost: ' "$TMP/folded" >"$TMP/lost"
	# A collision is likely where there are so few places, and an interval may last longer than it should. If room was not
	# made, two thirds would be lost.
	between renewed-lost-$b 0 "$(total "$TMP/lost")" 640
	equal renewed-full-$b 0 "$(grep -c 'table full' "$TMP/folded")"
	[ $b = ftrace ] || equal renewed-own-$b 0 "$(grep -v '\[lost: ' "$TMP/folded" | grep -cv ' 1$')"
done
clean left
quiet kernel-log
