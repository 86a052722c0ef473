# SPDX-License-Identifier: GPL-2.0
#
# sonde diff: two recordings of workloads that are known, and the same numbers as those that the tool tells of each.
. "${0%/*}/../lib.sh"

if ! has perf; then
	skip record "$(feature perf 3-)"
	exit
fi
# twice EVENTS OLD NEW: two recordings, of two jobs of the shell; $1 has more options of record.
twice() {
	# shellcheck disable=SC2086
	if ! "$SONDE" record -o "$TMP/old" $1 sh -c "$2" >"$TMP/job" 2>"$TMP/err" ||
	   ! "$SONDE" record -o "$TMP/new" $1 sh -c "$3" >>"$TMP/job" 2>>"$TMP/err"; then
		skip "${1##*:}" "$(grep -m 1 '^sonde' "$TMP/err")"
		return 1
	fi
}
# diff ARGS...: the rows of the difference as JSON in $TMP/diff, its status in $STATUS.
diff_of() {
	"$SONDE" diff --json "$@" >"$TMP/diff" 2>"$TMP/err"
	STATUS=$?
	[ "$STATUS" = 0 ] || notes "$TMP/err"
}
# member NAME: of each line of standard input.
member() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
# seconds SIDE: the length of a recording.
seconds() { grep "^{\"$1\":" "$TMP/diff" | member seconds; }
# number SIDE PATTERN: how many a row has, as its value per second and the length tell.
number() {
	row=$(grep -e "$2" "$TMP/diff" | head -n 1)
	echo "$(echo "$row" | member "$1") $(seconds "$1")" | awk '{ printf "%.0f\n", $1 * $2 }'
}
# near NAME A B: within what the rounding of values per second to three places may do.
near() {
	between "$1" $(($2 - 1 - $2 / 500)) "$3" $(($2 + 1 + $2 / 500))
}

# Twice as many programs; and one that only the second recording has.
ln -s "$WORK" "$TMP/diffa"
ln -s "$WORK" "$TMP/diffb"
loop() { echo "i=0; while [ \$i -lt $1 ]; do $TMP/$2 noop; i=\$((i + 1)); done"; }
lives=sched:sched_process_exec,sched:sched_process_exit,sched:sched_process_free,task:task_newtask,task:task_rename
if twice "-e $lives" "$(loop 20 diffa)" "$(loop 40 diffa); $(loop 3 diffb)"; then
	diff_of "$TMP/old" "$TMP/new" execsnoop
	equal execs-status 0 $STATUS
	near execs-old 20 "$(number old '"comm":"diffa"')"
	near execs-new 40 "$(number new '"comm":"diffa"')"
	near execs-only-new 3 "$(number new '"comm":"diffb"')"
	equal execs-state new "$(grep '"comm":"diffb"' "$TMP/diff" | member state)"
	# Each row, counted by the lines of the tool: COMM RET NUMBER.
	for side in old new; do
		"$SONDE" execsnoop --json --input "$TMP/$side" 2>/dev/null | grep '^{"comm"' |
			sed 's/^{"comm":\("[^"]*"\).*"ret":\([^,]*\).*/\1 \2/' | sort | uniq -c |
			awk '{ n = $1; $1 = ""; print $0, n }' | sort >"$TMP/wanted"
		grep '"measure":"rows"' "$TMP/diff" | sed "s/.*\"$side\":\([^,]*\),.*\"comm\":\(\"[^\"]*\"\),\"ret\":\([^,}]*\).*/ \2 \3 \1/" |
			awk -v seconds="$(seconds $side)" '$NF > 0 { printf " %s %s %.0f\n", $1, $2, $NF * seconds }' |
			sort >"$TMP/got"
		same "execs-counted-$side" "$TMP/wanted" "$TMP/got"
	done
	# The largest change is first.
	grep '"measure":"rows"' "$TMP/diff" | member change | tr -d - >"$TMP/wanted"
	sort -g -r "$TMP/wanted" >"$TMP/got"
	same execs-sorted "$TMP/wanted" "$TMP/got"
	"$SONDE" diff -n 1 "$TMP/old" "$TMP/new" execsnoop >"$TMP/out" 2>"$TMP/err"
	contains execs-text "$TMP/out" '^OLD  .*/old: [0-9.]* s; Linux '
	contains execs-more "$TMP/out" '^and [0-9]* more with smaller changes \(--top\)$'
	# How long they lived is in percentiles.
	diff_of --by=comm "$TMP/old" "$TMP/new" exitsnoop
	near exits-new 40 "$(number new '"measure":"rows".*"comm":"diffa"')"
	contains exits-percentiles "$TMP/diff" '"measure":"age_s",.*"p50_old":[0-9.]*,"p50_new":[0-9.]*,.*"comm":"diffa"'
	# The reader goes away.
	"$SONDE" diff --csv "$TMP/old" "$TMP/new" execsnoop 2>"$TMP/err" | head -n 1 >"$TMP/out"
	contains closed "$TMP/out" '^MEASURE,UNIT,OLD,NEW'
	equal closed-said "" "$(grep -v 'are missing: nothing here' "$TMP/err")"
	# What the tool says comes behind the file.
	"$SONDE" diff "$TMP/old" "$TMP/new" runqlat >"$TMP/out" 2>"$TMP/err"
	equal refused-status 1 $?
	contains refused "$TMP/err" "^sonde: diff: .*/old: runqlat can't run on this recording"
	"$SONDE" diff "$TMP/old" "$TMP/new" execsnoop --no-such-option >"$TMP/out" 2>"$TMP/err"
	equal misused-status 2 $?
	contains misused "$TMP/err" "^sonde: diff: .*/old: execsnoop: there is no option --no-such-option"
	# A cut recording is told.
	head -c "$(($(wc -c <"$TMP/new") * 3 / 4))" "$TMP/new" >"$TMP/cut"
	"$SONDE" diff "$TMP/old" "$TMP/cut" execsnoop >"$TMP/out" 2>"$TMP/err"
	contains cut "$TMP/out" '^note NEW: the end of .* is missing$'
fi

# The lines of live runs, and those of a recording beside lines.
for side in old new; do
	"$SONDE" execsnoop --json --input "$TMP/$side" >"$TMP/$side.json" 2>"$TMP/err"
done
if [ -s "$TMP/new.json" ]; then
	diff_of "$TMP/old.json" "$TMP/new.json" execsnoop
	near lines-old 20 "$(number old '"comm":"diffa"')"
	near lines-new 40 "$(number new '"comm":"diffa"')"
	diff_of "$TMP/old" "$TMP/new.json" execsnoop
	near mixed-new 40 "$(number new '"comm":"diffa"')"
	"$SONDE" diff "$TMP/old.json" "$TMP/new.json" exitsnoop >"$TMP/out" 2>"$TMP/err"
	equal other-status 1 $?
	contains other "$TMP/err" 'its lines are of execsnoop, and not of exitsnoop'
	head -n 2 "$TMP/new.json" >"$TMP/cut.json"
	"$SONDE" diff "$TMP/old.json" "$TMP/cut.json" execsnoop >"$TMP/out" 2>"$TMP/err"
	equal endless-status 1 $?
	contains endless "$TMP/err" 'its last line, the object `end`, is missing'
fi

# Twice as many system calls.
if twice "-e raw_syscalls:sys_enter,raw_syscalls:sys_exit" "$WORK flood getppid 20000" "$WORK flood getppid 40000"; then
	diff_of "$TMP/old" "$TMP/new" syscount
	for side in old new; do
		wanted=$("$SONDE" syscount -T 1000000 --json --input "$TMP/$side" 2>/dev/null | grep '"syscall":"getppid"' | member count)
		near "calls-counted-$side" "${wanted:-0}" "$(number $side '"syscall":"getppid"')"
	done
	near calls-old 20000 "$(number old '"syscall":"getppid"')"
	near calls-new 40000 "$(number new '"syscall":"getppid"')"
fi

# A process that sleeps more: 20 ms, then 200 ms, by stacks.
if twice "-g -e sched:sched_switch" "$WORK -c napper naps 4 5000000" "$WORK -c napper naps 40 5000000"; then
	diff_of --by comm "$TMP/old" "$TMP/new" offcputime -K
	# Where the end of a sleep is missing, so is the sleep.
	if perf_leaves_out; then
		skip naps "this kernel leaves out samples of perf events"
	else
		between naps-old 20000 "$(number old '"comm":"napper"')" $((200000 * SLOW))
		between naps-new 200000 "$(number new '"comm":"napper"')" $((2000000 * SLOW))
	fi
	for side in old new; do
		"$SONDE" offcputime -K --json --input "$TMP/$side" 2>/dev/null | grep '"comm":"napper"' | member us |
			awk '{ n += $1 } END { print n + 0 }' >"$TMP/sum"
		near "naps-counted-$side" "$(cat "$TMP/sum")" "$(number $side '"comm":"napper"')"
	done
	"$SONDE" diff --flame "$TMP/change.svg" "$TMP/old" "$TMP/new" offcputime -K >"$TMP/out" 2>"$TMP/err"
	equal flame-status 0 $?
	contains flame-title "$TMP/change.svg" "<title>offcputime: .*/new</title>"
	contains flame-said "$TMP/change.svg" 'red frames have more of their own in a second than'
	contains flame-frame "$TMP/change.svg" '<title>napper '
	contains functions "$TMP/out" '^own \(us\) a second: '
	# Times in a histogram: 40 naps of 5 ms are slots, and 36 more than before.
	diff_of "$TMP/old" "$TMP/new" cpudist -O
	equal hist-status 0 $STATUS
	contains hist "$TMP/diff" '"measure":"time","unit":"usecs",.*"p50_old":[0-9.]*,"p50_new":[0-9.]*,'
fi

# More time on CPUs: 100 ms, then 500 ms.
if twice "-F 499" "$WORK -c burner spin 1 100" "$WORK -c burner spin 1 500"; then
	diff_of --by comm "$TMP/old" "$TMP/new" profile
	old=$(number old '"comm":"burner"') new=$(number new '"comm":"burner"')
	between samples-more $((${old:-0} * 2)) "${new:-0}" $((${old:-0} * 12 + 100))
fi
