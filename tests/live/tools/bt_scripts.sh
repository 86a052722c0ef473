# SPDX-License-Identifier: GPL-2.0
# timeout: 480
#
# bt: each bundled script, by its name, on every engine that can: it sees what is made for it.
. "${0%/*}/../lib.sh"

# rows PATTERN: the sum of the counts of rows that match, "KEY: COUNT" or of a histogram "[LOW, HIGH)  COUNT |@@@".
rows() { awk -v like="$1" '$0 ~ like { sub(/\|.*/, ""); n += $NF } END { print n + 0 }' "$TMP/s.out"; }

# How long CPUs were idle, in 1/100 s.
idle() { awk '$1 == "cpu" { print $5 }' /proc/stat; }

# move PID: to CPU 1 and back, three times.
move() {
	for cpus in 2 1 2 1 2 1; do
		sleep 0.1
		taskset -p $cpus "$1" >/dev/null
	done
}

# Interrupts of devices since the machine began.
interrupts() { awk '$1 ~ /^[0-9]+:$/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts; }

# script NAME ENGINE JOB...: runs the script beside this job, which is called as the script is. `moving` is sent to and fro.
moving=
script() {
	name=$1 b=$2
	shift 2
	ran=$ran\ $name
	load w "$WORK" -c "$name" "$@"
	start_or_skip "$name-$b" "$(absences $b)|ftrace takes no samples|no BPF programs on samples" s bt --backend $b -q --buffer-pages 1024 "$name" || {
		go w
		return 1
	}
	[ -z "$moving" ] || move "$(pid w)" &
	go w
	stop s
	equal ends-$name-$b 0 "$STATUS"
	lossless_said lost-$name-$b $b "$TMP/s.err"
}

ran=
cp "$WORK" "$TMP/lived"
for b in $ENGINES; do
	script cpus $b spin 1 1500 &&
		between cpus-$b $(($(said w 5) * 49 / 1400000)) "$(rows '@samples[[][0-9]+, cpus]: ')" $(($(said w 5) * 49 / 700000))
	script errors $b calls 4 &&
		for call in getsid:'No such process' sched_rr_get_interval:'Invalid argument'; do
			equal errors-$b-${call%%:*} "$(awk -F '\t' -v call="${call%%:*}" '$2 == call { print $4 }' "$TMP/w.said")" \
				"$(rows "@failed[[]errors, ${call%%:*}, ${call#*:}]: ")"
		done
	script faults $b faults 300 && between faults-$b 300 "$(rows '@faults[[]faults]: ')" 400
	script forkers $b makes 3 && equal forkers-$b "$(said w 3)" "$(rows '@made[[]forkers]: ')"
	was=$(idle)
	script idle $b naps 50 2000000 &&
		if grep -qE '^@us\[[0-9]+\]: ?$' "$TMP/s.out"; then
			pass idle-$b
		elif [ $(($(idle) - was)) -lt 10 ]; then
			skip idle-$b "no CPU was idle for a tenth of a second"
		else
			fail idle-$b "no idle state is shown"
			notes "$TMP/s.out"
		fi
	was=$(interrupts)
	script interrupts $b naps 50 2000000 &&
		if grep -qE '^@interrupts\[.+, [0-9]+\]: [0-9]+$' "$TMP/s.out"; then
			pass interrupts-$b
		elif [ "$(interrupts)" = "$was" ]; then
			skip interrupts-$b "no device interrupted"
		else
			fail interrupts-$b "$was interrupts became $(interrupts), and none is shown"
		fi
	if [ "$(nproc)" -gt 1 ]; then
		moving=1
		script migrations $b spin 1 $((1500 * SLOW)) && between migrations-$b 5 "$(rows '@moved[[]migrations, [01], [01]]: ')" 30
		moving=
	else
		skip migrations-$b "this machine has one CPU"
		ran="$ran migrations"
	fi
	script rwsizes $b dirty "$TMP/file" 25 &&
		equal rwsizes-$b 25 "$(sed -n '/^@written\[rwsizes\]/,/^$/p' "$TMP/s.out" | awk -v page="[$(page_kb)K," '$1 == page { print $3 }')"
	# Who is woken before it sleeps does not leave its CPU, or is preempted: it is runnable. A page of the program may
	# have to be waited for, too.
	if script switches $b sleeps 40; then
		slept=$(($(said w 4) - $(said w 5)))
		between switches-$b $((slept < 40 ? slept : 40)) "$(rows '@[a-z]+[[]switches]: ')" 80
	fi
	script timers $b naps 50 2000000 && between timers-$b 50 "$(rows '@hrtimers[[]hrtimer_wakeup]: ')" 100000
	# Who is preempted before it sleeps need not be woken.
	script wakers $b pingpong 200 0 && between wakers-$b 200 "$(rows '@wakes[[]wakers, wakers]: ')" 420

	ran=$ran\ lifetimes
	start_or_skip lifetimes-$b "$(absences $b)" s bt --backend $b -q lifetimes || continue
	for _ in 1 2 3; do "$TMP/lived" sleep 300 >/dev/null 2>&1; done
	stop s
	sed -n '/^@ms\[lived\]/,/^$/p' "$TMP/s.out" >"$TMP/lives" && mv "$TMP/lives" "$TMP/s.out"
	equal lifetimes-$b 3 "$(rows '^[[](256, 512|512, 1K)[)]')"
done

# Each script of the list had its turn here, if its engine was there; and its text is a script.
"$SONDE" bt --list >"$TMP/list"
[ -z "$ran" ] || equal all "$(cut -d ' ' -f 1 "$TMP/list" | sort)" "$(echo "$ran" | tr ' ' '\n' | grep . | sort -u)"
"$SONDE" bt --list wakers >"$TMP/wakers.bt"
"$SONDE" bt -l "$TMP/wakers.bt" >"$TMP/got" 2>&1
equal from-file "$(printf 'tracepoint:sched:sched_wakeup\nend')" "$(cat "$TMP/got")"
"$SONDE" bt -l wakers >"$TMP/named" 2>&1
same by-name "$TMP/got" "$TMP/named"
"$SONDE" bt --list nosuch >"$TMP/out" 2>"$TMP/err"
equal unknown 2 $?
contains unknown-why "$TMP/err" 'no bundled script is called `nosuch`'
contains list "$TMP/list" '^wakers +Who wakes whom, and how often\?$'
clean left
quiet kernel-log
