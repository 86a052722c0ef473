# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# softirqs, hardirqs: as many as the kernel itself has counted meanwhile, each on its CPU; their times are plausible.
. "${0%/*}/../lib.sh"

# What the kernel has counted, a line "NAME COUNT": of all CPUs, or of one. Names of interrupts as their handlers say them;
# lines that several share, and those without a number, which are no handlers', are left out; but s390x has three
# interrupts, without numbers, of which the other lines are the kinds.
softirqs() { awk -v cpu="$1" 'NR > 1 { n = 0; for (i = 2; i <= NF; i++) if (cpu == "" || i == cpu + 2) n += $i
	sub(":", "", $1); print tolower($1), n }' /proc/softirqs; }
hardirqs() { awk -v cpu="$1" 'NR == 1 { cpus = NF; next }
	/^(EXT|I\/O|AIR):/ && NF == cpus + 1 { $(NF + 1) = $1 == "AIR:" ? "AIO" : substr($1, 1, 3); $1 = "0:" }
	$1 ~ /^[0-9]+:$/ && !/,/ && NF > cpus + 1 { n = 0; for (i = 2; i < cpus + 2; i++) if (cpu == "" || i == cpu + 2) n += $i
	sum[$NF] += n } END { for (name in sum) print name, sum[name] }' /proc/interrupts; }

# outer, inner: what was counted from before until after sonde ran, and while its probes were surely on.
outer() { "$1" "$2" >"$TMP/outer.$3"; }
inner() { "$1" "$2" >"$TMP/inner.$3"; }
# bounds FILE: lines "NAME LEAST MOST".
bounds() {
	for f in outer.begin inner.begin inner.end outer.end; do
		sed "s/^/$f /" "$TMP/$f"
	done | awk '{ n[$1, $2] = $3; names[$2] }
		END { for (name in names) print name, n["inner.end", name] - n["inner.begin", name],
			n["outer.end", name] - n["outer.begin", name] }' >"$1"
}
# busy: the network of this machine alone, timers, and reads from whatever disk there is.
busy() {
	"$WORK" flood connect 300 >/dev/null
	"$WORK" sleeps 300 >/dev/null
	for d in /dev/nvme0n1 /dev/vda /dev/sda; do
		[ -b $d ] && "$WORK" block read $d 40 >/dev/null 2>&1 && break
	done
	sleep 0.2
}
# unseen FILE: interrupts that came while a program of sonde ran there, which the kernel keeps from interrupting it.
unseen() {
	missed=$(reported "$1" missed)
	[ "${missed:--}" != - ] && echo "$missed" || echo 20
}
# within NAME FILE MEMBER ROWS: every name's count is in its bounds, and none is missing; but one on each CPU may be counted
# and not served yet when it is looked at.
within() {
	fields "$2" "$3" total_count >"$TMP/rows"
	within_rows "$1" "$2" "$4"
}
# within_rows NAME FILE BOUNDS: the same for what is in the file rows, a line "NAME COUNT".
within_rows() {
	awk -v unseen="$(unseen "$2")" -v cpus="$(nproc)" -v rows="$TMP/rows" '
		FILENAME == rows { got[$1] = $2; next }
		{ n = $1 in got ? got[$1] : 0; compared++ }
		n < $2 - unseen - cpus || n > $3 { print $1 ": wanted " $2 " to " $3 ", got " n; wrong = 1 }
		END { exit wrong || !compared }' "$TMP/rows" "$3" >"$TMP/wrong" && pass "$1" && return
	fail "$1" "not as the kernel counted:"
	notes "$TMP/wrong"
}

for tool in softirqs hardirqs; do
	member=${tool%s}
	for b in $ENGINES; do
		for cpu in "" 0; do
			outer $tool "$cpu" begin
			start_or_skip $tool-$b '' s $tool --backend $b --buffer-pages 256 --json -C ${cpu:+-c $cpu} || continue
			start d $tool --backend $b --buffer-pages 256 --json -d ${cpu:+-c $cpu}
			start n $tool --backend $b --buffer-pages 256 --json -N ${cpu:+-c $cpu}
			start m $tool --backend $b --buffer-pages 256 --json --min 0 ${cpu:+-c $cpu}
			inner $tool "$cpu" begin
			busy
			inner $tool "$cpu" end
			stop s && equal $tool-ends-$b 0 "$STATUS"
			stop d
			stop n
			stop m
			outer $tool "$cpu" end
			bounds "$TMP/bounds"
			lossless $tool-lost-$b "$b" "$TMP/s.out" && lossless $tool-lost-$b "$b" "$TMP/d.out" || continue
			within $tool-counts-$b${cpu:+-cpu0} "$TMP/s.out" "$member" "$TMP/bounds"
			# Each has a line, if all are slow; a soft one at most one more, for its wait, and that lies in the run.
			fields "$TMP/m.out" "$member" stage lat_us | sed '/^-/d' >"$TMP/slow"
			if lossless $tool-slow-lost-$b "$b" "$TMP/m.out"; then
				awk '$2 != "wait" { n[$1]++ } END { for (i in n) print i "\t" n[i] }' "$TMP/slow" >"$TMP/rows"
				within_rows $tool-slow-$b${cpu:+-cpu0} "$TMP/m.out" "$TMP/bounds"
				awk '$3 >= 30000000 || $3 < 0' "$TMP/slow" >"$TMP/wrong"
				same $tool-latencies-$b${cpu:+-cpu0} /dev/null "$TMP/wrong"
			fi
			# As many histograms' values; one more or less where one began or ended meanwhile.
			sure=$(($(awk '{ n += $2 } END { print n + 0 }' "$TMP/bounds") - $(nproc)))
			between $tool-values-$b${cpu:+-cpu0} $((sure - $(unseen "$TMP/d.out"))) \
				"$(counted "$TMP/d.out")" "$(awk '{ n += $3 } END { print n + 0 }' "$TMP/bounds")"
			# All times together are less than all CPUs had, and more than nothing where there were some while
			# all three traced.
			ns=$(fields "$TMP/n.out" total_nsecs | awk '{ n += $1 } END { printf "%d", n }')
			[ $sure -le 0 ] || [ "$(reported "$TMP/n.out" lost)" != 0 ] ||
				between $tool-nsecs-$b 1 "$ns" $((30000000000 * $(nproc)))
		done
	done
	timeout $((20 * SLOW)) "$SONDE" $tool -T 1 2 >"$TMP/text" 2>"$TMP/err"
	equal $tool-count-ends 0 $?
	head=$(echo $member | tr a-z A-Z)
	equal $tool-heads 2 "$(grep -cE "^$head +TOTAL_usecs$" "$TMP/text")"
	equal $tool-times 2 "$(grep -cE '^[0-9]{2}:[0-9]{2}:[0-9]{2}$' "$TMP/text")"
done
"$SONDE" softirqs -C -N >"$TMP/text" 2>"$TMP/err"
equal one-of-two 2 $?
for b in $ENGINES; do
	start_or_skip slower-$b '' s softirqslower --backend $b 1 || continue
	stop s
	equal slower-ends-$b 0 "$STATUS"
	equal slower-banner-$b "Tracing soft irqs that take 1 us or more... Hit Ctrl-C to end." "$(sed -n 1p "$TMP/s.out")"
	equal slower-head-$b "TIME     STAGE SOFTIRQ  LAT(us)        CPU    COMM" "$(sed -n 2p "$TMP/s.out")"
	equal slower-rows-$b 0 "$(sed 1,2d "$TMP/s.out" |
		grep -cvE '^[0-9:]{8} (wait |run  ) [a-z_]+ +[1-9][0-9]* +[0-9]+ +[^ ]')"
done
clean left
quiet kernel-log
