# SPDX-License-Identifier: GPL-2.0
# timeout: 120
#
# ugc: collections that the distribution's Python is asked for, with what Python says of each.
. "${0%/*}/../lib.sh"

python=/usr/bin/python3
cat >"$TMP/collect.py" <<'END'
import gc, os, sys, time
gc.disable()
open(sys.argv[1] + ".ready", "w").close()
while not os.path.exists(sys.argv[1]):
	time.sleep(0.01)
for i in range(6):
	for k in range(100 * (i + 1)):
		a = []
		a.append(a)
	a = None
	print("gen %d GC collected %d objects" % (i % 3, gc.collect(i % 3)), flush=True)
os._exit(0)
END

# collects ID ARGS...: ugc with these, and a Python that it sees, whose lines are in $TMP/wanted.
collects() {
	id=$1
	shift
	rm -f "$TMP/go" "$TMP/go.ready"
	$python "$TMP/collect.py" "$TMP/go" >"$TMP/wanted" &
	collector=$!
	running="$running $collector"
	wait_for 20 [ -e "$TMP/go.ready" ]
	start_or_skip "$id" "$known" s ugc "$@" -p $collector || {
		kill $collector
		return 1
	}
	: >"$TMP/go"
	wait $collector
	stop s && equal "ends-$id" 0 "$STATUS"
}

for b in $ENGINES; do
	known="$(absences $b)|it was built without|no process has mapped|none of the processes of -p has mapped"
	if ! [ -x $python ]; then
		skip rows-$b "$python is not installed"
		continue
	fi
	collects rows-$b --backend $b || continue
	awk 'NR > 1 { sub(/^[0-9.]+ +[0-9]+ +[0-9.]+ +/, ""); print }' "$TMP/s.out" >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	collects json-$b --backend $b --json &&
		equal json-$b 6 "$(grep -c "\"pid\":$collector,\"comm\":\"python3\",\"time_us\":[0-9.]*,\"what\":\"python\"," "$TMP/s.out")"
	collects filter-$b --backend $b -F 'gen 1' && equal filter-$b 2 "$(grep -c 'gen 1 GC' "$TMP/s.out")" &&
		equal filtered-$b 3 "$(wc -l <"$TMP/s.out")"
	collects slow-$b --backend $b -M 5000 && equal slow-$b 1 "$(wc -l <"$TMP/s.out")"
	collects hist-$b --backend $b --json -H -l python && equal hist-$b 6 "$(counted "$TMP/s.out" what python)"
	collects hist-slow-$b --backend $b --json -H -M 5000 && equal hist-slow-$b 0 "$(counted "$TMP/s.out" what python)"
	collects other-$b --backend $b -l java && equal other-$b 1 "$(wc -l <"$TMP/s.out")"
done
# Before 3.14 the rings' probes can't read arguments in memory: of what then lacks is told.
cp "$WORK" "$TMP/libjvm.so"
for b in $ENGINES; do
	load w "$TMP/libjvm.so" collects
	if start_or_skip pools-$b "$(absences $b)" s ugc -H -p "$(pid w)" --json --backend $b --without uprobe-fetch; then
		go w
		stop s && equal ends-pools-$b 0 "$STATUS"
		equal java-$b 1 "$(counted "$TMP/s.out" what java)"
		if grep -q 'mem__pool__gc__end of .* in memory' "$TMP/s.err"; then
			equal pools-$b 0 "$(counted "$TMP/s.out" what 'java\\x20pool')"
			contains missing-$b "$TMP/s.out" '"missing":\[.*"gc.end"'
		else
			equal pools-$b 1 "$(counted "$TMP/s.out" what 'java\\x20pool')"
			equal missing-$b 0 "$(grep -c '"gc.end"' "$TMP/s.out")"
		fi
	else
		go w
	fi
done
"$SONDE" ugc -l perl >"$TMP/out" 2>"$TMP/err"
equal misuse 2 $?
contains misuse-why "$TMP/err" 'takes java, python or ruby, not "perl"'
"$SONDE" ugc -H -F gen >"$TMP/out" 2>"$TMP/err"
equal both 2 $?
timeout $((20 * SLOW)) "$SONDE" javagc -t 0 -p $$ --duration 1 >"$TMP/out" 2>"$TMP/err"
equal no-java 1 $?
contains no-java-why "$TMP/err" 'has mapped Java|it was built without|uprobes'
clean left
quiet kernel-log
