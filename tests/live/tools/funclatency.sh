# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# funclatency: each call of a known workload is timed once, with a time that it can have had; by process, in units, as
# text; what can't be found is refused.
. "${0%/*}/../lib.sh"

# Not on these machines, whose return probes do not tell the place on the stack.
lacks_sp() {
	case $(uname -m) in arm* | riscv*) echo 'does not tell the place on the stack' ;; esac
}
# What may be said of a function of the kernel, of this engine.
kernel_absences() { { absences "$1"; lacks_sp; } | sed '/^$/d' | tr '\n' '|' | sed 's/|$//'; }
# Times of a clock that is not the workload's own may be longer by this many per cent.
slack() {
	case $1 in
	perf) has perf-clockid ;;
	ftrace) has trace-clock-mono ;;
	esac && echo 0 || echo 25
}

# calls_of ID WORK: calls in the histogram of this process.
calls_of() { counted "$TMP/$1.out" function "getaddrinfo\\\\x20[$(pid "$2")]"; }

for b in $ENGINES; do
	# From each of 300 calls to the next one: it sleeps a millisecond in between.
	if has_event syscalls sys_enter_nanosleep; then
		load w "$WORK" sleeps 300
		if start_or_skip between-$b "$(absences $b)" s funclatency --backend $b --json -u --between -p "$(pid w)" \
			't:syscalls:sys_enter_*nanosleep'; then
			begun=$(date +%s)
			go w
			ended=$(date +%s)
			stop s
			equal between-lost-$b 0 "$(reported "$TMP/s.out" lost)"
			equal between-$b 299 "$(counted "$TMP/s.out")"
			equal between-shorter-$b 0 "$(slots "$TMP/s.out" | awk '$2 < 1000 { n += $3 } END { print n + 0 }')"
			between between-total-$b 299000 "$(fields "$TMP/s.out" total)" $(((ended - begun + 1) * 1000000))
		else
			go w
		fi
	fi
	# 300 sleeps of a millisecond, by two processes at once; only one of them is asked for.
	load w "$WORK" sleeps 300
	load o "$WORK" sleeps 100
	start_or_skip calls-$b "$(kernel_absences $b)" s funclatency --backend $b --json -u -p "$(pid w)" hrtimer_nanosleep ||
		{ go w o; continue; }
	start t funclatency --backend $b --json -F hrtimer_nanosleep
	begun=$(date +%s)
	: >"$TMP/o.go"
	go w
	go o
	ended=$(date +%s)
	stop s && equal ends-$b 0 "$STATUS"
	stop t
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	timed=$(counted "$TMP/s.out")
	equal calls-$b 300 $((timed + $(without_return "$TMP/s.out")))
	# None took less than it slept; a slot may begin an eighth below.
	equal shorter-$b 0 "$(slots "$TMP/s.out" | awk '$2 < 1000 { n += $3 } END { print n + 0 }')"
	fields "$TMP/s.out" count total avg >"$TMP/totals"
	equal count-$b $timed "$(cut -f 1 "$TMP/totals")"
	between total-$b $((timed * 1000)) "$(cut -f 2 "$TMP/totals")" $(((ended - begun + 1) * 1000000))
	equal average-$b $(($(cut -f 2 "$TMP/totals") / (timed ? timed : 1))) "$(cut -f 3 "$TMP/totals")"
	everybody=$(counted "$TMP/t.out" function hrtimer_nanosleep)
	between everybody-$b 400 $((everybody + $(without_return "$TMP/t.out"))) 100000
	between nanoseconds-$b $((everybody * 1000000)) "$(fields "$TMP/t.out" total | tail -n 1)" 1000000000000

	# Twenty threads that sleep at once are more than old kernels keep returns for: what is missing is said.
	load w "$WORK" flood nap 10 20
	start s funclatency --backend $b --json -p "$(pid w)" hrtimer_nanosleep
	go w
	stop s
	equal threads-lost-$b 0 "$(reported "$TMP/s.out" lost)"
	equal threads-$b 200 $(($(counted "$TMP/s.out") + $(without_return "$TMP/s.out")))

	# Many functions at once, which call each other: each has its own times.
	load w "$WORK" vfs 50 "$TMP"
	if start s funclatency --backend $b --json -F -r -p "$(pid w)" 'vfs_(read|write|unlink)$'; then
		go w
		stop s
		equal many-lost-$b 0 "$(reported "$TMP/s.out" lost)"
		equal many-read-$b $(($(said w 2) - $(said w 10))) "$(counted "$TMP/s.out" function vfs_read)"
		equal many-unlink-$b "$(said w 7)" "$(counted "$TMP/s.out" function vfs_unlink)"
	else
		fail many-$b "it did not start:"
		notes "$TMP/s.err"
		go w
	fi

	# As text, each second, twice; and only those that begin within no other.
	load w "$WORK" sleeps 2000
	start s funclatency --backend $b -mT -i 1 -d 4 -l 1 -p "$(pid w)" hrtimer_nanosleep
	go w
	await s && equal ends-text-$b 0 "$STATUS"
	contains text-first-$b "$TMP/s.out" '^Tracing 1 function for "hrtimer_nanosleep"\.\.\. Hit Ctrl-C to end\.$'
	contains text-head-$b "$TMP/s.out" '^     msecs               : count     distribution$'
	contains text-time-$b "$TMP/s.out" '^[0-9]{2}:[0-9]{2}:[0-9]{2}$'
	contains text-average-$b "$TMP/s.out" '^avg = [0-9]+ msecs, total: [0-9]+ msecs, count: [0-9]+$'

	# Calls that go on when tracing begins or ends are none; who is killed within one is none either.
	load w "$WORK" sleeps 1000000
	: >"$TMP/w.go"
	start s funclatency --backend $b --json -u -p "$(pid w)" hrtimer_nanosleep
	sleep 1
	stop w KILL
	stop s
	between killed-$b 10 "$(counted "$TMP/s.out")" 1000
	# The last one may end because it is killed.
	between killed-shorter-$b 0 "$(slots "$TMP/s.out" | awk '$2 < 1000 { n += $3 } END { print n + 0 }')" 1

	refused unknown-$b "no function of the kernel matches 'no_such_function'" funclatency --backend $b no_such_function
done

# A function of user space that calls itself: 40 times, five levels deep; and the outermost two of them only.
case $(uname -m) in arm*) ENGINES= ;; esac
lib=$TMP/libc.so.6
expect library "$WORK" library "$lib"
"$WORK" maps "$lib" >"$TMP/m.said" 2>&1 &
mapper=$!
running="$running $mapper"
wait_for 10 grep -q mapped "$TMP/m.said"
for b in $ENGINES; do
	load w "$WORK" recurses "$lib" 40 5
	load o "$WORK" recurses "$lib" 3 1
	start_or_skip levels-$b "$(absences $b)" s funclatency --backend $b --json -F -p "$(pid w),$(pid o)" c:getaddrinfo || { go w o; continue; }
	start t funclatency --backend $b --json -F -l 2 -p "$(pid w),$(pid o)" p:c:getaddrinfo
	go w o
	stop s && equal levels-ends-$b 0 "$STATUS"
	stop t
	equal levels-lost-$b 0 "$(reported "$TMP/s.out" lost)"
	equal levels-$b 200 "$(calls_of s w)"
	equal levels-other-$b 3 "$(calls_of s o)"
	equal two-levels-$b 80 "$(calls_of t w)"
	# All together they took no less than what was done within each, and no more than what it took around them.
	within=$(cat "$TMP/w.said" "$TMP/o.said" | awk -F '\t' '{ n += $4 } END { printf "%d", n }')
	around=$(cat "$TMP/w.said" "$TMP/o.said" | awk -F '\t' '{ n += $5 } END { printf "%d", n }')
	between levels-total-$b "$within" "$(fields "$TMP/s.out" total | tail -n 1)" $((around + around * $(slack $b) / 100))
	within=$(cat "$TMP/w.said" "$TMP/o.said" | awk -F '\t' '$3 <= 2 { n += $4 } END { printf "%d", n }')
	around=$(cat "$TMP/w.said" "$TMP/o.said" | awk -F '\t' '$3 <= 2 { n += $5 } END { printf "%d", n }')
	between two-levels-total-$b "$within" "$(fields "$TMP/t.out" total | tail -n 1)" $((around + around * $(slack $b) / 100))
done
kill -KILL $mapper
# Go's stacks move, and return probes crash what has Go's sections: nothing is made, on any engine.
if command -v objcopy >/dev/null; then
	for section in .gopclntab .data.rel.ro.gopclntab .note.go.buildid; do
		echo made >"$TMP/section"
		objcopy --add-section "$section=$TMP/section" "$WORK" "$TMP/go"
		for b in $ENGINES; do
			"$SONDE" funclatency "$TMP/go:main" --backend $b >"$TMP/out" 2>"$TMP/err"
			equal go-$section-$b 1 $?
			contains go-why-$section-$b "$TMP/err" "it is a program of Go, which return probes crash|uprobes"
		done
	done
	timeout $((10 * SLOW)) "$SONDE" probe --add "sonde_test_$$=$TMP/go:main%return" >"$TMP/out" 2>"$TMP/err"
	equal go-kept 1 $?
	timeout $((10 * SLOW)) "$SONDE" funccount "$TMP/go:main" --duration 1 >"$TMP/out" 2>"$TMP/err"
	equal go-entry 0 $?
else
	skip go 'objcopy is not here'
fi
timeout $((10 * SLOW)) "$SONDE" funclatency >"$TMP/out" 2>"$TMP/err"
equal nothing-named 2 $?
contains nothing-named-said "$TMP/err" 'needs a PATTERN'
clean left
quiet kernel-log
