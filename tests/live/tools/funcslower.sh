# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# funcslower: each call of a known workload that takes long enough is a row, with its latency, result, arguments and
# stacks; shorter ones are none; calls within calls.
. "${0%/*}/../lib.sh"

lacks_sp() {
	case $(uname -m) in arm* | riscv*) echo 'does not tell the place on the stack' ;; esac
}
may_lack() { { absences "$1"; lacks_sp; } | sed '/^$/d' | tr '\n' '|' | sed 's/|$//'; }

# Times of a clock that is not the workload's own may be longer by this many per cent.
slack() {
	case $1 in
	perf) has perf-clockid ;;
	ftrace) has trace-clock-mono ;;
	esac && echo 0 || echo 25
}

for b in $ENGINES; do
	load w "$WORK" sleeps 100
	start_or_skip rows-$b "$(may_lack $b)" s funcslower --backend $b --json -u 1000 -p "$(pid w)" hrtimer_nanosleep || { go w; continue; }
	start n funcslower --backend $b --json -m 5000 -p "$(pid w)" hrtimer_nanosleep
	start t funcslower --backend $b -T -u 1000 -K -p "$(pid w)" hrtimer_nanosleep
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop n
	stop t
	fields "$TMP/s.out" pid comm func retval lat_us >"$TMP/rows"
	rows=$(grep -c "^$(pid w)	work	hrtimer_nanosleep	0x0	" "$TMP/rows")
	equal rows-$b 100 $((rows + $(without_return "$TMP/s.out")))
	equal shorter-$b 0 "$(awk -F '\t' '$5 < 1000 { n++ } END { print n + 0 }' "$TMP/rows")"
	equal faster-$b 0 "$(grep -c '"func":' "$TMP/n.out")"
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"

	contains text-head-$b "$TMP/t.out" '^TIME +COMM +PID +LAT\(us\) +RVAL FUNC$'
	rows=$(grep -cE "^[0-9:]{8} work +$(pid w) +[0-9.]+ +0x0 hrtimer_nanosleep$" "$TMP/t.out")
	equal text-rows-$b 100 $((rows + $(without_return_said "$TMP/t.err")))
	equal text-stacks-$b $rows "$(grep -c '^    hrtimer_nanosleep \[kernel\]$' "$TMP/t.out")"

	# Twenty threads that sleep at once are more than old kernels keep returns for: what is missing is said.
	load w "$WORK" flood nap 10 20
	start k funcslower --backend $b --json -u 1 -p "$(pid w)" hrtimer_nanosleep
	go w
	stop k
	equal threads-lost-$b 0 "$(reported "$TMP/k.out" lost)"
	equal threads-$b 200 $(($(grep -c '"func":' "$TMP/k.out") + $(without_return "$TMP/k.out")))

	# By itself: where others probe the function's return, too, old kernels see no further than their trampoline.
	load w "$WORK" sleeps 100
	start k funcslower --backend $b --json -u 1000 -a 2 -K -p "$(pid w)" hrtimer_nanosleep
	go w
	stop k
	# The first argument is how long, or where that is; the second is a mode.
	fields "$TMP/k.out" args kernel_stack >"$TMP/stacks"
	rows=$(grep -c . "$TMP/stacks")
	equal calls-$b 100 $((rows + $(without_return "$TMP/k.out")))
	equal stacks-$b $rows "$(grep -c '[sS]y[sS].*nanosleep.*;hrtimer_nanosleep$' "$TMP/stacks")"
	equal arguments-$b $rows "$(grep -cE '^0x[0-9a-f]+\\x200x[0-9a-f]+	' "$TMP/stacks")"
done

# A function of user space within itself: each call takes longer than those in it.
case $(uname -m) in arm*) ENGINES= ;; esac
lib=$TMP/libc.so.6
expect library "$WORK" library "$lib"
for b in $ENGINES; do
	load w "$WORK" recurses "$lib" 20 3
	start_or_skip levels-$b "$(absences $b)" s funcslower --backend $b --json -m 0 -p "$(pid w)" "$lib:getaddrinfo" || { go w; continue; }
	go w
	stop s
	fields "$TMP/s.out" lat_ms >"$TMP/lat"
	awk -F '\t' '{ print $4 / 1e6, $5 / 1e6 }' "$TMP/w.said" >"$TMP/around"
	equal levels-$b 60 "$(grep -c . "$TMP/lat")"
	paste "$TMP/lat" "$TMP/around" | awk -v slack=$(slack $b) '
		$1 + 0.006 < $2 || $1 - 0.006 > $3 * (1 + slack / 100) { print; n++ }
		END { exit n > 0 || !NR }' >"$TMP/wrong" && pass levels-latency-$b || { fail levels-latency-$b "outside of:"; notes "$TMP/wrong"; }
done
# Functions of one file by several patterns.
for b in $ENGINES; do
	load w "$WORK" recurses "$lib" 20 3
	start_or_skip several-$b "$(absences $b)" s funcslower --backend $b --json -m 0 -p "$(pid w)" "$lib:get?ddrinfo" "$lib:gethostbynam?" || {
		go w
		continue
	}
	go w
	stop s
	equal several-$b 60 "$(fields "$TMP/s.out" func | grep -c '^getaddrinfo$')"
done
refused several-files 'not both' funcslower "$lib:getaddrinfo" vfs_read
refused several-none "no function matches '$lib:nosuch\*'" funcslower "$lib:getaddrinfo" "$lib:nosuch*"
# A call that waits while far more stacks come than there is room for: its own stays.
for b in $ENGINES; do
	load w "$WORK" ways 2400 400
	start_or_skip waits-$b "$(absences $b)|stack" s funcslower --backend $b --json -U -m 2000 --stack-storage-size 1024 -p "$(pid w)" \
		-r "$WORK:^(job_ways|syscall)$" || { go w; continue; }
	go w
	stop s
	fields "$TMP/s.out" func user_stack >"$TMP/stacks"
	equal waits-$b 1 "$(grep -c '^job_ways	.*;job_ways$' "$TMP/stacks")"
done
clean left
quiet kernel-log
