# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# The clock is set while sonde traces: each row has the time of day that was right when it happened.
. "${0%/*}/lib.sh"

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
clean left
quiet kernel-log
