# SPDX-License-Identifier: GPL-2.0
#
# llcstat: where the machine has counters of its cache, a process that spins is among those sampled, with rates that
# can be; elsewhere it says why not.
. "${0%/*}/../lib.sh"

for b in $ENGINES; do
	if ! has pmu-cache || [ $b = ftrace ]; then
		refused absent-$b 'llcstat can.t run here: |no ring|no tracepoint|counter' llcstat --backend $b
		continue
	fi
	load w "$WORK" spin 1 1000
	start_or_skip sampled-$b "$(absences $b)" s llcstat --backend $b --json -c 1000 -p "$(pid w)" 60 || { go w; continue; }
	go w
	stop s && equal ends-$b 0 "$STATUS"
	between uses-$b 0 "$(fields "$TMP/s.out" references | awk '{ n += $1 } END { print n + 0 }')" 100000000000
	expect rates-$b [ -z "$(fields "$TMP/s.out" hit_pct | awk '$1 != "null" && ($1 < 0 || $1 > 100)')" ]
	expect alone-$b [ -z "$(fields "$TMP/s.out" pid | grep -vx "$(pid w)" | grep .)" ]
done
