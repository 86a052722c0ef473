# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# --top: the hottest functions of each interval with their shares as they are known beforehand; a terminal is left as it was.
. "${0%/*}/../lib.sh"

escape=$(printf '\033')

# sum COLUMN FILE FUNCTION: of the lines of one function, all intervals together.
sum() { awk -v c="$1" -v f="$3" '$5 == f && $1 ~ /%$/ && $2 ~ /%$/ { n += $c } END { print n + 0 }' "$2"; }
# counted FILE: what the intervals say that they have, together.
of_all() { sed -n 's/^profile  [0-9:]*  \([0-9]*\) samples in .*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'; }

for b in $ENGINES; do
	[ $b != ftrace ] || continue
	load w "$WORK" chain 2000
	start_or_skip sampling-$b 'no BPF programs on samples|do not tell tasks' s profile --backend $b -F 199 --top -U -p "$(pid w)" --flame="$TMP/$b.svg" || { go w; continue; }
	go w
	sleep 1.2
	stop s && equal ends-$b 0 "$STATUS"
	us=$(said w 3)
	between samples-$b $((us * 199 / 1000000 * 3 / (4 * SLOW))) "$(of_all "$TMP/s.out")" $((us * 199 / 1000000 * 5 / 4 + 10))
	often=$(sum 3 "$TMP/s.out" chain_often) seldom=$(sum 3 "$TMP/s.out" chain_seldom)
	between share-$b 65 $((100 * often / (often + seldom + 1))) 85
	# All samples are below job_chain, in no interval are they its own.
	between total-$b $((often + seldom)) "$(sum 4 "$TMP/s.out" job_chain)" "$(of_all "$TMP/s.out")"
	between self-$b 0 "$(sum 3 "$TMP/s.out" job_chain)" $(((often + seldom) / 20))
	contains stack-$b "$TMP/s.out" "^ +[0-9.]+% +[0-9]+  work \\($(said w 2)\\): chain_often < chain_inner < chain_outer < job_chain < main"
	between intervals-$b 2 "$(grep -c '^profile  ' "$TMP/s.out")" $((20 * SLOW))
	expect no-controls-$b eval "! grep -q '$escape' '$TMP/s.out'"
	contains picture-$b "$TMP/$b.svg" '<title>chain_often \('
done
# The addresses of a function: all of it is there, and nothing else.
for b in $ENGINES; do
	[ $b != ftrace ] || continue
	load w "$WORK" chain 2000
	start_or_skip annotate-$b 'no BPF programs on samples|do not tell tasks' s profile --backend $b -F 199 --top --annotate chain_often -U -p "$(pid w)" || { go w; continue; }
	go w
	sleep 1.2
	stop s && equal annotate-ends-$b 0 "$STATUS"
	here=$(awk '$5 ~ /^chain_often\+0x[0-9a-f]+$/ && $1 ~ /%$/ { n += $3 } END { print n + 0 }' "$TMP/s.out")
	between annotate-share-$b 65 $((100 * here / ($(of_all "$TMP/s.out") + 1))) 85
	equal annotate-alone-$b 0 "$(grep '%' "$TMP/s.out" | grep -vcE ' chain_often\+0x[0-9a-f]+ \[|FUNCTION$')"
done
for with in '--annotate x' '--top -A --annotate x'; do
	# shellcheck disable=SC2086
	"$SONDE" profile $with >"$TMP/out" 2>"$TMP/err"
	equal "annotate-usage-$(echo $with | tr ' ' _)" 2 $?
done
# Waits are counted when they end, and the sleeper is there.
if start_or_skip offcputime 'unavailable|not served|kprobe|perf|bpf' o offcputime --top=2; then
	"$WORK" sleeps 100 >/dev/null
	sleep $((3 * SLOW))
	stop o && equal offcputime-ends 0 "$STATUS"
	contains offcputime-unit "$TMP/o.out" '^offcputime  [0-9:]+  [0-9]+ us in [0-9.]+ s'
	contains offcputime-where "$TMP/o.out" '% .* (__schedule|schedule|__sched_text_start)'
fi
# For machines: an object for each function, whose counts are those of the samples.
for b in $ENGINES; do
	[ $b != ftrace ] || continue
	load w "$WORK" chain 1500
	start_or_skip objects-$b 'no BPF programs on samples|do not tell tasks' s profile --backend $b -F 199 --top --json -U -p "$(pid w)" || { go w; continue; }
	go w
	sleep 1.2
	stop s && equal objects-ends-$b 0 "$STATUS"
	grep '^{"top":' "$TMP/s.out" | sed 's/^{"top"://; s/}$//' >"$TMP/objects"
	fields "$TMP/objects" function self total all >"$TMP/got"
	all=$(fields "$TMP/objects" clock_ns all | sort -u | awk -F '\t' '{ n += $2 } END { print n + 0 }')
	equal objects-self-$b "$all" "$(awk -F '\t' '{ n += $2 } END { print n + 0 }' "$TMP/got")"
	between objects-often-$b 65 "$(awk -F '\t' -v all="$all" '$1 == "chain_often" { n += $2 } END { print int(100 * n / (all + 1)) }' "$TMP/got")" 85
	equal objects-only-$b 0 "$(grep -vcE '^\{"(top|end)":' "$TMP/s.out")"
done
for with in --csv -f; do
	"$SONDE" profile --top $with >"$TMP/out" 2>"$TMP/err"
	equal "excludes$with" 2 $?
done
# Nobody reads any more.
"$SONDE" profile --top 20 2>"$TMP/err" | sed -n '2q'
expect pipe-closed eval "! grep -q write '$TMP/err'"

# Lines of the last picture on the alternate screen, and the longest of them.
last_picture() { terminal_text; awk '{ all = all $0 "\n" } END { n = split(all, p, /~\[H/); printf "%s", p[n] }' "$TMP/t.text" | sed 's/~\[?1049l.*//; s/~\[[0-9?]*[A-Za-z]//g' >"$TMP/t.last"; }
widest() { awk 'length($0) > n { n = length($0) } END { print n + 0 }' "$TMP/t.last"; }

if [ -e /dev/ptmx ] && [ -d /dev/pts ]; then
	"$WORK" -c "$(printf 'a\033[2Jb')" chain 600000 >"$TMP/busy" &
	busy=$!
	running="$running $busy"
	for signal in INT TERM HUP QUIT USR2; do
		in_terminal 70 16 TERM=xterm -- profile --top
		sleep $((2 * SLOW))
		stop t $signal
		equal terminal-$signal $([ $signal = QUIT ] && echo 131 || echo 0) "$STATUS"
		expect terminal-restored-$signal terminal_restored
	done
	contains terminal-heads "$TMP/t.text" '^ *SELF% +TOTAL% '
	contains terminal-quit "$TMP/t.text" 'q and Enter: quit'
	contains terminal-name "$TMP/t.text" 'a\\x1b\[2Jb \([0-9]+\): chain_'
	expect terminal-no-clear eval "! grep -qF 'a~[2Jb' '$TMP/t.text'"
	in_terminal 70 16 TERM=xterm -- profile --top
	sleep $((2 * SLOW))
	last_picture
	between terminal-lines 5 "$(wc -l <"$TMP/t.last")" 16
	between terminal-width 40 "$(widest)" 70
	kill -USR1 "$(pid t)"
	sleep $((2 * SLOW))
	last_picture
	between terminal-lines-resized 3 "$(wc -l <"$TMP/t.last")" 8
	between terminal-width-resized 20 "$(widest)" 35
	stop t KILL
	kill $busy
else
	skip terminal "there are no pseudo terminals"
fi
clean left
quiet kernel-log
