# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# profile: a program's functions, who called them, and their shares of its time, exactly as they are known beforehand; the
# same in all formats and as a picture; of a program that has ended.
. "${0%/*}/../lib.sh"

# share FILE: of the samples in chain_often and chain_seldom those in the first, per cent.
share() { awk '/;chain_often/ { o += $NF } /;chain_seldom/ { s += $NF } END { print int(100 * o / (o + s + !s)) }' "$1"; }
# cells FILE: of a heat map each cell's offset within its second, and its count.
cells() { sed -n 's|^<path class="c[0-9]*" .*<title>.*, \([0-9]*\)-[0-9]* msecs: \([0-9]*\)</title></path>$|\1 \2|p' "$1"; }
# samples FILE: all of them, of folded stacks.
samples() { awk '{ n += $NF } END { print n + 0 }' "$1"; }

for b in $ENGINES; do
	[ $b != ftrace ] || { refused refused-$b '' profile --backend $b; continue; }
	# It has ended when its functions are named.
	load w "$WORK" chain 2000
	start_or_skip sampling-$b 'no BPF programs on samples|do not tell tasks' s profile --backend $b -F 199 -f -p "$(pid w)" --flame="$TMP/$b.svg" \
		--pprof="$TMP/$b.pb.gz" --speedscope="$TMP/$b.json" --perf-script="$TMP/$b.txt" || { go w; continue; }
	go w
	stop s && equal ends-$b 0 "$STATUS"
	grep -o 'main;job_chain;chain_outer;chain_inner;[^; ]*' "$TMP/s.out" | sort -u >"$TMP/got"
	printf 'main;job_chain;chain_outer;chain_inner;%s\n' chain_often chain_seldom >"$TMP/wanted"
	same frames-$b "$TMP/wanted" "$TMP/got"
	between share-$b 65 "$(share "$TMP/s.out")" 85
	us=$(said w 3)
	# An emulated machine's timers are late where its own CPU was taken away.
	between samples-$b $((us * 199 / 1000000 * 3 / (4 * SLOW))) "$(samples "$TMP/s.out")" $((us * 199 / 1000000 * 5 / 4 + 10))
	contains comm-$b "$TMP/s.out" '^work;'
	contains by-$b "$TMP/s.err" 'profile: samples are taken by the CPUs. (cycles|clock)$'
	contains picture-$b "$TMP/$b.svg" '<title>chain_often \('
	expect complete-$b [ "$(tail -n 1 "$TMP/$b.svg")" = '</svg>' ]
	# Files of other programs have all samples, and the names of functions.
	equal speedscope-$b "$(samples "$TMP/s.out")" "$(sed 's/.*"endValue":\([0-9]*\).*/\1/' "$TMP/$b.json")"
	equal perf-script-$b "$(samples "$TMP/s.out")" "$(grep -c '^[^	].* profile:samples:$' "$TMP/$b.txt")"
	# A string is behind its length; the field that follows begins with the character 2.
	gzip -dc "$TMP/$b.pb.gz" | tr -c '[:print:]' '\n' >"$TMP/pb"
	contains pprof-$b "$TMP/pb" '^chain_often2?$'

	# When within each second: a program that stalls from 400 to 600 ms of each shows a band; all samples are in the map.
	load w "$WORK" pulse 4
	start h profile --backend $b -F 199 -f -K -p "$(pid w)" --heatmap="$TMP/heat.svg"
	go w
	stop h && equal heat-ends-$b 0 "$STATUS"
	cells "$TMP/heat.svg" >"$TMP/cells"
	equal heat-samples-$b "$(samples "$TMP/h.out")" "$(awk '{ n += $2 } END { print n + 0 }' "$TMP/cells")"
	us=$(said w 3)
	between heat-all-$b $((us * 199 / 1000000 * 3 / (4 * SLOW))) "$(samples "$TMP/h.out")" $((us * 199 / 1000000 * 5 / 4 + 10))
	busy=$(awk '$1 < 400 || $1 >= 620 { n += $2 } END { print n + 0 }' "$TMP/cells")
	between heat-busy-$b $((us * 199 / 1000000 * 3 / (4 * SLOW))) "$busy" $((us * 199 / 1000000 * 5 / 4 + 10))
	between heat-stalls-$b 0 "$(awk '$1 >= 420 && $1 < 580 { n += $2 } END { print n + 0 }' "$TMP/cells")" $((busy / 50))

	load w "$WORK" chain 1000
	start s profile --backend $b -F 199 --json -U -p "$(pid w)"
	start c profile --backend $b -c 5000000 -f -U -p "$(pid w)"
	start t profile --backend $b -F 199 --csv -K -p "$(pid w)"
	start u profile --backend $b -F 199 -sd -p "$(pid w)"
	go w
	stop s
	stop t
	stop u
	stop c
	us=$(said w 3)
	between period-$b $((us / 5000 * 3 / (4 * SLOW))) "$(samples "$TMP/c.out")" $((us / 5000 * 5 / 4 + 10))
	fields "$TMP/s.out" pid comm >"$TMP/got"
	expect json-$b [ $? = 0 ]
	equal json-pid-$b "$(pid w 2>/dev/null || said w 2)	work" "$(sort -u "$TMP/got")"
	contains json-frame-$b "$TMP/s.out" '"user_stack":\[\{"name":"chain_often","module":"work","offset":[0-9]+,"address":"0x[0-9a-f]+"\},\{"name":"chain_inner",'
	expect json-user-$b sh -c "! grep -q '\"kernel_stack\":\[{' '$TMP/s.out'"
	equal csv-head-$b 'time,pid,comm,stack,samples' "$(sed -n 1p "$TMP/t.out")"
	expect csv-kernel-$b sh -c "! grep -q chain_ '$TMP/t.out'"
	expect callers-$b sh -c "! grep -q 'frame pointers' '$TMP/u.err'"
	equal banner-$b 'Sampling at 199 Hertz of some threads by user + kernel stack... Hit Ctrl-C to end.' "$(sed -n 1p "$TMP/u.out")"
	contains text-frame-$b "$TMP/u.out" '^    chain_often\+0x[0-9a-f]+ \[work\]$'
	contains text-task-$b "$TMP/u.out" "^    -                work \\($(said w 2)\\)\$"
	# The last stack is the one with the most samples.
	equal text-last-$b "$(grep -E '^        [0-9]+$' "$TMP/u.out" | sort -n | tail -n 1)" "$(grep -E '^        [0-9]+$' "$TMP/u.out" | tail -n 1)"

	# A thread that names itself is of the program that runs, not of the one before its exec; and of two libraries that
	# were at the same address, one after the other, neither is named.
	rm -f "$TMP"/reload.*
	start s profile --backend $b -F 199 -f -U
	"$WORK" named 500 renamed >"$TMP/n.said"
	"$WORK" reload 500 "$TMP/reload.1" "$TMP/reload.2" >"$TMP/r.said"
	stop s
	sed -n 's/^renamed;.*\(named_thread;.*;chain_[os][^; ]*\) .*/\1/p' "$TMP/s.out" | sort -u >"$TMP/got"
	printf 'named_thread;chain_outer;chain_inner;%s\n' chain_often chain_seldom >"$TMP/wanted"
	same renamed-$b "$TMP/wanted" "$TMP/got"
	# What the C library does when the thread ends is named as well.
	between renamed-only-$b 0 "$(sed -n '/^renamed;/{ /;named_thread;/!p }' "$TMP/s.out" | awk '{ n += $NF } END { print n + 0 }')" 3
	contains reload-$b "$TMP/s.out" ';job_reload;.*reload_busy'
	expect reload-unknown-$b sh -c "! grep ';reload_busy' '$TMP/s.out' | grep -qv ';job_reload;\[unknown\];reload_busy'"
	expect reload-says-$b grep -q 'mapped other code at the same address' "$TMP/s.err"
done
"$SONDE" profile --flame=/nowhere/x.svg 1 >"$TMP/out" 2>"$TMP/err"
equal no-file 1 $?
contains no-file-says "$TMP/err" "can't write /nowhere/x.svg"
"$SONDE" profile -F 199 --heatmap 2 >"$TMP/out" 2>"$TMP/err"
equal heat-text-ends 0 $?
contains heat-text "$TMP/out" '^[0-9:]+  \|.{50} \| [0-9]+$'
expect heat-text-only eval "! grep -q '^    [a-z_]' '$TMP/out'"
"$SONDE" profile --flame=x.png 1 >"$TMP/out" 2>"$TMP/err"
equal no-svg 2 $?
clean left
quiet kernel-log
