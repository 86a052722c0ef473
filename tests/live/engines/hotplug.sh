# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# A CPU goes offline and comes back while sonde traces: each row is right, and what is not shown is reported as lost.
. "${0%/*}/../lib.sh"

# Nobody else's work is disturbed: only where the lab says that the machine is the test's own.
online=/sys/devices/system/cpu/cpu1/online
if [ -z "${LAB:-}" ] || [ ! -w $online ]; then
	skip cpu1 "only in a guest of the lab, with a second CPU that can be taken offline"
	exit 0
fi
cleanup_hook() { echo 1 >$online; }

# toggle PID...: until these have ended, or ten times.
toggle() {
	toggles=0
	while [ $toggles -lt 10 ] && kill -0 "$@" 2>/dev/null; do
		echo 0 >$online
		sleep 0.1
		echo 1 >$online
		sleep 0.3
		toggles=$((toggles + 1))
	done
}

for b in $ENGINES "bpf --without ringbuf"; do
	n=$(echo $b | tr -d ' ')
	load w "$WORK" connects 1500 7020 4
	load v "$WORK" connects 1500 7021 4
	start_or_skip rows-$n "$(absences "${b%% *}")" s tcpconnect --backend $b --json -p "$(pid w),$(pid v)" ||
		{ go w v; continue; }
	: >"$TMP/w.go"
	: >"$TMP/v.go"
	toggle "$(pid w)" "$(pid v)"
	go w v
	stop s && equal ends-$n 0 "$STATUS"
	expect toggled-$n [ $toggles -gt 1 ]
	for id in w v; do
		awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $4, $5, $6, $8, $9 }' "$TMP/$id.said"
	done | sort >"$TMP/wanted"
	fields "$TMP/s.out" pid comm ip saddr daddr dport | sort >"$TMP/got"
	# What is shown did happen, and not more often than it did.
	strange right-$n
	absent=$(($(wc -l <"$TMP/wanted") - $(wc -l <"$TMP/got")))
	reported=$(unseen "$TMP/s.out")
	echo "# $n: offline $toggles times, $absent not shown, $reported reported: $(grep -E 'lost|not traced' "$TMP/s.err" | tr '\n' ';')"
	if [ "$absent" = 0 ]; then
		pass complete-$n
	else
		# For the time a CPU was online and not traced, nobody can count: that it was so is said.
		untraced=$(reported "$TMP/s.out" untraced_ms)
		expect reported-$n [ "$reported" -ge $absent -o "${untraced:--}" != - ]
	fi

	# Counted in the kernel or here, nothing is counted twice, or forgotten with its CPU.
	load w "$WORK" dirty "$TMP/file" 10
	start c runqlat --backend $b --json 1 || { absent counts-$n "${b%% *}" "$TMP/c.err" || fail counts-$n "did not start"; go w; continue; }
	toggle $$ &
	sleep 3
	go w
	wait $!
	stop c && equal counts-ends-$n 0 "$STATUS"
	expect counts-$n [ "$(counted "$TMP/c.out")" -gt 0 ]
done

# A CPU that went and came back is sampled as before, and one that was away when it began is, too.
for away in 0.5 0.02; do
	echo 1 >$online
	start_or_skip samples-$away 'no BPF|is not known: no BTF|has no running|no BPF programs on samples' s \
		runqlen -C --json -f 50 1 || break
	sleep 2
	echo 0 >$online
	sleep $away
	echo 1 >$online
	sleep 5
	stop s
	# Of the last three whole seconds.
	last=$(slots "$TMP/s.out" cpu 1 | awk '{ n += $3 } END { print n + 0 }')
	expect samples-$away [ "$last" -ge 200 ]
done
# Away for less time than between two looks at the list of CPUs: what runs there afterwards is seen.
if [ -z "${ENGINES##*perf*}" ] && command -v taskset >/dev/null; then
	start x exitsnoop --backend perf --json --name back
	echo 0 >$online
	echo 1 >$online
	sleep 3
	taskset -p 2 $$ >/dev/null
	load w "$WORK" -c back exits 1
	go w
	taskset -p 3 $$ >/dev/null
	stop x
	awk -F '\t' '$1 == "exit" { print $2 }' "$TMP/w.said" >"$TMP/back"
	expect back-done-perf [ -s "$TMP/back" ]
	equal back-perf "$(wc -l <"$TMP/back")" "$(fields "$TMP/x.out" pid | grep -c -x -F -f "$TMP/back")"
	contains back-untraced-perf "$TMP/x.out" '"untraced_ms":[1-9]'
fi
echo 1 >$online
clean left
quiet kernel-log
