# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# numamove: memory that follows its user to another NUMA node, as the kernel counts it.
. "${0%/*}/../lib.sh"

first_of() { sed 's/[-,].*//' "/sys/devices/system/node/node$1/cpulist" 2>/dev/null; }
nodes=$(ls -d /sys/devices/system/node/node[0-9]* 2>/dev/null | wc -l)
migrated() { sed -n 's/^numa_pages_migrated //p' /proc/vmstat; }

if [ "$nodes" -lt 2 ]; then
	for b in $ENGINES; do
		refused one-node-$b "$(absences $b)|has one NUMA node|NUMA nodes are unknown" numamove --backend $b
	done
	skip pages "this machine has one NUMA node"
	exit 0
fi
# The kernel looks at a task's memory ten times a second, and not each minute; as before at the end. A line
# "FILE NUMBER" for each setting.
settings=
for file in /proc/sys/kernel/numa_balancing=1 numa_balancing/scan_delay_ms=100 numa_balancing/scan_period_min_ms=100 \
	numa_balancing/scan_period_max_ms=500; do
	new=${file#*=} file=${file%=*}
	for file in "$file" "/sys/kernel/debug/sched/$file" "/proc/sys/kernel/$(echo "$file" | tr / _)"; do
		[ ! -f "$file" ] || { settings="$settings $file=$(cat "$file")"; echo "$new" >"$file"; }
	done
done
cleanup_hook() {
	for setting in $settings; do
		echo "${setting#*=}" >"${setting%=*}"
	done
}

for b in $ENGINES; do
	load w "$WORK" astray 16 "$(first_of 0)" "$(first_of 1)" $((4 + 2 * SLOW))
	start_or_skip pages-$b "$(absences $b)" s numamove --backend $b --buffer-pages 256 --json || { go w; continue; }
	before=$(migrated)
	go w
	after=$(migrated)
	stop s && equal ends-$b 0 "$STATUS"
	if [ "$before" = "$after" ]; then
		skip pages-$b "the kernel moved no pages within the time"
		continue
	fi
	lossless lost-$b $b "$TMP/s.out"
	sums=$(fields "$TMP/s.out" migrations pages migrations_ms | awk '{ c += $1; p += $2; t += $3 } END { print c, p, int(t * 1000) }')
	set -- $sums
	between vmstat-$b $((after - before)) "$2" $((after - before + 64))
	# A call moves a page of the workload, or fails.
	between calls-$b $((after - before)) "$1" $((2 * (after - before) + 100))
	between times-$b "$1" "$3" 100000000
	timeout $((20 * SLOW)) "$SONDE" numamove --backend $b 1 2 >"$TMP/text" 2>"$TMP/err"
	equal count-$b 3 "$(wc -l <"$TMP/text")"
	contains heads-$b "$TMP/text" '^TIME +NUMA_migrations +NUMA_migrations_ms +PAGES$'
done
clean left
quiet kernel-log
