# SPDX-License-Identifier: GPL-2.0
#
# cpufreq: where the kernel knows what CPUs run at, a process that spins is found as often as there are samples;
# elsewhere it says why not.
. "${0%/*}/../lib.sh"

CPUS=/sys/devices/system/cpu
"$SONDE" features >"$TMP/features" 2>&1
for b in $ENGINES; do
	# A machine that tells nothing is one where no engine serves it, and `sonde features` says so, too.
	if ! has cpu-frequency; then
		refused absent-$b 'does not tell the frequencies of its CPUs|choose their frequency|no ring|no tracepoint|BPF' cpufreq --backend $b
		expect listed-$b grep -Eq '^cpufreq +none ' "$TMP/features"
		continue
	fi
	load w "$WORK" spin 1 2000
	start_or_skip sampled-$b "$(absences $b)|no tracepoint power|carry nothing|takes no samples|BPF programs on samples" \
		s cpufreq --backend $b --json -p "$(pid w)" || { go w; continue; }
	expect known-$b [ -r $CPUS/cpu0/cpufreq/scaling_cur_freq ]
	go w
	stop s && equal ends-$b 0 "$STATUS"
	# spin PID THREADS MS CPU-US WALL-US
	us=$(awk '{ print $5 }' "$TMP/w.said")
	all=$(grep '"histogram":"cpufreq"' "$TMP/s.out" | grep -v '"comm"' | grep -o '"count":[0-9]*' | awk -F : '{ n += $2 } END { print n + 0 }')
	between samples-$b $((us / 20000)) "$all" $((us / 5000 + 10))
done
