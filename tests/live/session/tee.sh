# SPDX-License-Identifier: GPL-2.0
# timeout: 400
#
# --tee FILE: the file has what --json prints, to the byte, whatever is on the screen; and what is said where it can't.
. "${0%/*}/../lib.sh"

# Reasons for which an engine may refuse a tool here.
lacks="another program is attached|CAP_|unavailable here|this kernel has n|no clock|can't"

# same_as_json NAME TOOL ARGS...: a run whose screen has JSON, too.
same_as_json() {
	verdict=$1
	tool=$2
	shift 2
	if ! timeout $((60 * SLOW)) "$SONDE" "$tool" --json --tee "$TMP/tee" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null; then
		if [ ! -s "$TMP/out" ] && grep -qE "$lacks" "$TMP/err"; then
			skip "$verdict" "$(grep -E "$lacks" "$TMP/err" | head -n 1)"
		else
			fail "$verdict" "sonde $tool $* ended with an error:"
			notes "$TMP/err"
		fi
		return 1
	fi
	grep -vx known "$TMP/out" >"$TMP/json"		# the command's own
	same "$verdict" "$TMP/json" "$TMP/tee"
	contains "end-$verdict" "$TMP/tee" '^\{"end":\{"tool":.*"lost":[0-9]+.*\}\}$'
}

echo known >"$TMP/known"
for b in $ENGINES; do
	if same_as_json table-$b opensnoop --backend $b --exec cat "$TMP/known"; then
		contains columns-$b "$TMP/tee" '"columns":\[\{"name":"pid","role":"identity"\},.*\}\]\}\}$'
	fi
	same_as_json sums-$b syscount --backend $b --exec cat "$TMP/known"
	if same_as_json histogram-$b runqlat --backend $b --duration 1; then
		contains slots-$b "$TMP/tee" '^\{"histogram":.*"slots":\[\{'
	fi
	if same_as_json map-$b runqlat --backend $b --duration 2 --heatmap="$TMP/map.svg"; then
		between map-columns-$b 2 "$(grep -c '^{"heatmap":"runqlat","start":"20.*,"lost":[0-9]*}$' "$TMP/tee")" 4
		contains map-no-table-$b "$TMP/tee" '"columns":\[\]\}\}$'
	fi
	if same_as_json seconds-$b profile --backend $b -F 99 --duration 3 --heatmap="$TMP/map.svg"; then
		contains seconds-slots-$b "$TMP/tee" '^\{"heatmap":"profile",.*"unit":"msecs","slots":\[\{"low":[0-9]+,'
	fi
	if same_as_json stack-$b stackcount --backend $b --duration 1 t:sched:sched_switch; then
		contains frames-$b "$TMP/tee" '"kernel_stack":\[\{"name":'
	fi
	same_as_json script-$b bt --backend $b -q -e 'BEGIN { printf("hi\n"); @[1] = count(); exit() }'

	# Text on the screen: as many rows, and those columns that only machines have.
	if timeout $((60 * SLOW)) "$SONDE" opensnoop --backend $b --tee "$TMP/tee" --exec cat "$TMP/known" \
		>"$TMP/text" 2>"$TMP/err" </dev/null; then
		contains text-$b "$TMP/text" "^[0-9]+ +cat +[0-9]+ +0 $TMP/known\$"
		equal rows-$b "$(sed 1d "$TMP/text" | grep -vcx known)" "$(grep -vc '^{"end"' "$TMP/tee")"
		equal path-$b 1 "$(fields "$TMP/tee" comm path | grep -cxF "cat	$TMP/known")"
	fi
done

# A map on the screen; the histograms and the columns are in the file.
if timeout $((60 * SLOW)) "$SONDE" runqlat --heatmap --tee "$TMP/tee" --duration 2 >"$TMP/text" 2>"$TMP/err" </dev/null; then
	contains map-screen "$TMP/text" '^count: '
	contains map-histogram "$TMP/tee" '^\{"histogram":'
	contains map-column "$TMP/tee" '^\{"heatmap":'
fi

# People see the first 20 rows, by short names of groups; the file has all rows, and whole paths.
crowd='for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2 & sleep 0.2 & sleep 0.2 & done; wait'
if timeout $((60 * SLOW)) "$SONDE" schedlat --tee "$TMP/tee" 60 --exec sh -c "$crowd" >"$TMP/text" 2>"$TMP/err" \
	</dev/null; then
	equal screen-limited 20 "$(grep -cE '^[0-9-]+ ' "$TMP/text")"
	between file-unlimited 30 "$(grep -vc '^{"end"' "$TMP/tee")" 100
fi
same_as_json groups syscount --by-cgroup --duration 1 && {
	"$SONDE" syscount --by-cgroup --tee "$TMP/tee" --duration 1 >"$TMP/text" 2>"$TMP/err"
	contains whole-groups "$TMP/tee" '"cgroup":("/|null)'
}

# A script: bpftrace's JSON on the screen, sonde's in the file.
says='BEGIN { printf("hi\n"); print(4); @[1] = count(); exit() }'
"$SONDE" bt -f json --tee "$TMP/tee" -e "$says" >"$TMP/text" 2>"$TMP/err"
"$SONDE" bt --json -e "$says" >"$TMP/json" 2>"$TMP/err"
contains script-screen "$TMP/text" '^\{"type": "printf", "data": "hi\\n"\}$'
same script-file "$TMP/json" "$TMP/tee"

# A list.
"$SONDE" tplist --tee "$TMP/tee" 'sched:sched_sw*' >"$TMP/text" 2>"$TMP/err"
"$SONDE" tplist --json 'sched:sched_sw*' >"$TMP/json" 2>"$TMP/err"
same list "$TMP/json" "$TMP/tee"

# Ctrl-C: the file is whole.
if start s opensnoop --tee "$TMP/tee"; then
	cat "$TMP/known" >/dev/null
	stop s && equal ctrl-c 0 "$STATUS"
	contains ctrl-c-end "$TMP/tee" '^\{"end":'
	equal ctrl-c-lines 0 "$(grep -cv '^{.*}$' "$TMP/tee")"
fi

# ---- what can't be written ----

# ends NAME STATUS PATTERN ARGS...: the tool ends so, and says it once.
ends() {
	verdict=$1
	wanted=$2
	pattern=$3
	shift 3
	timeout $((60 * SLOW)) "$SONDE" "$@" >"$TMP/text" 2>"$TMP/err" </dev/null
	equal "$verdict-status" "$wanted" $?
	equal "$verdict-words" 1 "$(grep -cE "$pattern" "$TMP/err")"
}

ends no-folder 1 "^sonde: --tee: can't write into '/nowhere/x': No such file" opensnoop --duration 1 --tee /nowhere/x
ends dump 2 '^sonde: opensnoop: --dump and --tee exclude each other' opensnoop --dump --tee "$TMP/x"
ends top 2 '^sonde: profile: --top and --tee exclude each other' profile --top --tee "$TMP/x"

: >"$TMP/victim"
ln -s "$TMP/victim" "$TMP/foreign"
chown -h 65534 "$TMP/foreign"
ends foreign 1 "can't write into '.*': it is a link that another user made" opensnoop --duration 1 --tee "$TMP/foreign"

# The screen goes on, and has all rows.
mkdir "$TMP/small"
if mount -t tmpfs -o size=4k none "$TMP/small" 2>/dev/null; then
	cleanup_hook() { umount "$TMP/small"; }
	ends full 1 "^sonde: can't write all into '.*small/x': No space left on device; it needs a disk" \
		opensnoop --tee "$TMP/small/x" --exec sh -c "for i in 1 2 3 4 5 6 7 8 9; do cat '$TMP/known' '$TMP/known'
			cat '$TMP/known' '$TMP/known' '$TMP/known' '$TMP/known'; done"
	equal full-screen 54 "$(grep -c " 0 $TMP/known\$" "$TMP/text")"
fi

mkfifo "$TMP/fifo"
head -n 1 "$TMP/fifo" >"$TMP/first" &
ends fifo 1 "^sonde: can't write all into '.*fifo': Broken pipe; .* or a reader that stays" \
	opensnoop --tee "$TMP/fifo" --exec sh -c "for i in 1 2 3 4; do cat '$TMP/known'; sleep 0.5; done"
wait $!
equal fifo-screen 4 "$(grep -c " 0 $TMP/known\$" "$TMP/text")"
contains fifo-first "$TMP/first" '^\{"pid":'
clean left
quiet kernel-log
