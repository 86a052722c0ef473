# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# funccount: calls of a known workload: functions of the kernel by globs and regular expressions, their returns, functions
# of a library, tracepoints; what does not match is refused, and says what would.
. "${0%/*}/../lib.sh"

# vfs_wanted: what the workload did, as rows; vfs_got ID: what was counted of that. Not vfs_rmdir, which calls of some
# kernels go around; and reads into vectors are no calls of vfs_read.
vfs_wanted() { printf 'vfs_read\t%s\nvfs_unlink\t%s\n' $(($(said w 2) - $(said w 10))) "$(said w 7)"; }
vfs_got() { fields "$TMP/$1.out" func count | grep -E '^(vfs_read|vfs_unlink)	' | sort; }
lib=$TMP/libfunccount.so
expect library "$WORK" library "$lib" || exit 1
mkdir "$TMP/tmpfs" && mount -t tmpfs none "$TMP/tmpfs" || exit 0
cleanup_hook() { umount "$TMP/tmpfs"; }

for b in $ENGINES; do
	reasons=$(absences $b)
	load w "$WORK" vfs 50 "$TMP/tmpfs"
	if start_or_skip glob-$b "$reasons|no kprobes" s funccount --backend $b --json -p "$(pid w)" 'vfs_[ru]*'; then
		start t funccount --backend $b --json -r -p "$(pid w)" 'vfs_(unlink|read)$'
		start x funccount --backend $b --json -p "$(pid w)" r::vfs_unlink
		go w
		for i in s t x; do
			stop $i && equal ends-$i-$b 0 "$STATUS"
		done
		vfs_wanted >"$TMP/wanted"
		vfs_got s >"$TMP/got"
		same glob-$b "$TMP/wanted" "$TMP/got"
		fields "$TMP/t.out" func count | sort >"$TMP/got"
		same regexp-$b "$TMP/wanted" "$TMP/got"
		equal returns-$b "vfs_unlink	$(said w 7)" "$(fields "$TMP/x.out" func count)"
		equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
		# What was hit most is last.
		fields "$TMP/s.out" count >"$TMP/got"
		sort -n "$TMP/got" >"$TMP/sorted"
		same order-$b "$TMP/sorted" "$TMP/got"
	else
		go w
	fi

	load w "$WORK" hosts "$lib" 7
	if start_or_skip library-$b "$reasons" s funccount --backend $b --json "$lib:get*"; then
		go w
		stop s && equal ends-library-$b 0 "$STATUS"
		# The workload is silent about calls without a name, and about those that others make.
		awk -F '\t' -v OFS='\t' '$1 == "host" { n[$4]++ }
			END { n["getaddrinfo"] += 7; n["gethostbyname2"] += 14; n["gethostbyname2_r"] += 14
			      for (i in n) print i, n[i] }' "$TMP/w.said" | sort >"$TMP/wanted"
		fields "$TMP/s.out" func count | sort >"$TMP/got"
		same library-$b "$TMP/wanted" "$TMP/got"
		# By its name, as a process has mapped it.
		"$WORK" maps "$lib" >"$TMP/m.said" 2>&1 &
		pid_m=$!
		running="$running $pid_m"
		wait_for 10 grep -q mapped "$TMP/m.said"
		start t funccount --backend $b --json -p $pid_m funccount:getaddrinfo
		sleep 1
		stop t
		between mapped-$b 1 "$(fields "$TMP/t.out" func count | sed -n 's/^getaddrinfo	//p')" $((1000 * SLOW))
		kill -KILL $pid_m
		wait $pid_m 2>/dev/null
		forget m
	else
		go w
	fi

	load w "$WORK" calls 100
	if start_or_skip tracepoints-$b "$reasons|no tracepoint" s \
		funccount --backend $b --json -p "$(pid w)" 't:syscalls:sys_enter_get[sp]*id'; then
		go w
		stop s
		awk -F '\t' -v OFS='\t' '$1 == "call" && $2 ~ /^get[sp].*id$/ { print "syscalls:sys_enter_" $2, $4 }' \
			"$TMP/w.said" | sort >"$TMP/wanted"
		fields "$TMP/s.out" func count | grep -E 'get(sid|pgid)' | sort >"$TMP/got"
		grep -E 'get(sid|pgid)' "$TMP/wanted" >"$TMP/known"
		same tracepoints-$b "$TMP/known" "$TMP/got"
	else
		go w
	fi

	# As text, each second.
	load w "$WORK" calls 10
	if start_or_skip text-$b "$reasons|no tracepoint" s \
		funccount --backend $b -T -i 1 -d 3 -p "$(pid w)" t:syscalls:sys_enter_getsid; then
		go w
		await s && equal ends-text-$b 0 "$STATUS"
		equal banner-$b 'Tracing 1 tracepoint for "t:syscalls:sys_enter_getsid"... Hit Ctrl-C to end.' \
			"$(head -n 1 "$TMP/s.out")"
		equal heads-$b 3 "$(grep -c '^FUNC                                    COUNT$' "$TMP/s.out")"
		equal times-$b 3 "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2} *$' "$TMP/s.out")"
		equal row-$b 1 "$(grep -cE '^syscalls:sys_enter_getsid +[0-9]+$' "$TMP/s.out")"
	else
		go w
	fi
done

# All of a library, at once: one that can't be probed, a spin lock's, is left out, and not all of them.
if [ "${ENGINES#*bpf}" != "$ENGINES" ]; then
	if start_or_skip whole-library "$reasons|needs a probe for each|no program or library|there is no library|no libc" s funccount --backend bpf -p $$ 'c:*'; then
		stop s && equal ends-whole-library 0 "$STATUS"
	fi
fi

refused near "did you mean 'vfs_\*'" funccount 'vsf_*'
refused none "no function of the kernel matches 'xyzzy_\*'" funccount 'xyzzy_*'
refused tracepoint "did you mean 'sched:sched_switch'" funccount t:sched:sched_swich
refused library "no library libxyzzy.so and no program xyzzy" funccount xyzzy:malloc
refused symbol "no function of $lib matches 'malloc'" funccount "$lib:malloc"
expect misuse sh -c '"$0" funccount 2>"$1"; [ $? = 2 ] && grep -q "it needs a PATTERN" "$1"' "$SONDE" "$TMP/misuse"
clean left
quiet kernel-log
