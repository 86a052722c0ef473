# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# The clock is set while sonde traces: each row has the time of day that was right when it happened. And CLOCK_MONOTONIC
# is not what the CPUs' own clock says: times are those of CLOCK_MONOTONIC.
. "${0%/*}/../lib.sh"

# Nobody else's clock is touched: only where the lab says that the machine is the test's own.
if [ -z "${LAB:-}" ]; then
	skip set "only in a guest of the lab, whose clock may be set"
	exit 0
fi

# The hours of the rows of one kill each, an hour apart by the clock.
for b in $ENGINES; do
	start_or_skip times-$b "$(absences $b)" s exitsnoop --backend $b --json --timestamp --name "clock$b" || continue
	: >"$TMP/wanted"
	for step in 3600 3600 -7200; do
		date +%s >>"$TMP/wanted"
		"$WORK" -c "clock$b" sleeps 1 >/dev/null
		sleep 1
		date -s "@$(($(date +%s) + step))" >/dev/null
	done
	date +%s >>"$TMP/wanted"
	"$WORK" -c "clock$b" sleeps 1 >/dev/null
	stop s && equal ends-$b 0 "$STATUS"
	fields "$TMP/s.out" time | sort -u >"$TMP/got"
	near=0
	while read -r at; do
		for second in 0 1 2 3; do
			grep -q "^$(date -u -d "@$((at + second))" +%Y-%m-%dT%H:%M:%S)" "$TMP/got" && { near=$((near + 1)); break; }
		done
	done <"$TMP/wanted"
	equal times-$b 4 $near || notes "$TMP/got" "$TMP/wanted"
done

# As after weeks of NTP: three seconds apart. What is asleep at the end is so for as long as it was.
if ! adjtimex -t 11000 >/dev/null 2>&1; then
	skip apart "no adjtimex here, or the kernel takes no such tick"
else
	sleep 30
	adjtimex -t 10000 >/dev/null
	for b in $ENGINES; do
		load w "$WORK" sleep 600000
		if start_or_skip apart-$b "$(absences_of_stacks $b)" s offcputime --backend $b --csv -p "$(pid w)"; then
			begun=$(cut -d . -f 1 /proc/uptime)
			: >"$TMP/w.go"
			sleep 2
			stop s
			most=$(($(cut -d . -f 1 /proc/uptime) + 1 - begun))
			between apart-$b 1500000 "$(awk -F , '/nanosleep/ { n += $NF } END { print n + 0 }' "$TMP/s.out")" $((most * 1000000))
		fi
		kill -KILL "$(pid w)"
		forget w
	done
fi
clean left
quiet kernel-log
