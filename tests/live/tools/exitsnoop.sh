# SPDX-License-Identifier: GPL-2.0
# timeout: 600
#
# exitsnoop: each end of a known workload is one row, on every engine: codes, signals, parents, ages.
. "${0%/*}/../lib.sh"

# The rows that sonde should have for what the workload said: pid ppid tid comm exit_code signal. The second argument
# says that exit codes are not known.
wanted_rows() {
	awk -F '\t' -v OFS='\t' -v unknown="${2:-}" '
		$1 == "exit" { print $2, $3, $2, $4, unknown && $6 == "-" ? "-" : $5, $6 }' "$1"
}
rows() { fields "$1" pid ppid tid comm exit_code signal; }

# The parents are work, too, and so is theirs.
built_wanted() {
	awk -F '\t' -v OFS='\t' '
		$1 == "child" { print $2, $3, $2, "work", $5, "-" }
		$1 == "parent" { print $2, $3, $2, "work", 0, "-" }' "$1"
}
# After a loss nothing is known of a parent that is older.
built_got() {
	rows "$1" | grep '	work	' | family build | grep -v "^$(pid build)	" |
		awk -F '\t' -v OFS='\t' -v lost="$(unseen "$1")" '
			NR == FNR { parent[$2] = $3; next }
			lost && $2 == "-" { $2 = parent[$1] }
			{ print }' "$TMP/build.said" -
}

threads_are() { [ "$(ls "/proc/$2/task" | wc -l)" -eq "$1" ]; }

for b in $ENGINES; do
	load w "$WORK" -c 'e\x0a"' exits 3
	ids=w
	need32 rows-32-$b && load c "$WORK32" exits 2 && ids="w c"
	start_or_skip rows-$b "$(absences $b)" s exitsnoop --backend $b --json || { go $ids; continue; }
	go $ids
	stop s && equal ends-$b 0 "$STATUS"
	# The kernel's own code and do_exit() tell all; the calls and signals that end processes do not.
	partly=
	! grep -q 'exit.code: tracepoint' "$TMP/s.err" || partly=1
	rows "$TMP/s.out" >"$TMP/rows" || fail json-$b "$(tail -n 1 "$TMP/rows")"
	wanted_rows "$TMP/w.said" >"$TMP/wanted"
	grep -F 'e\x0a' "$TMP/rows" | family w | grep -v "^$(pid w)	" >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	# Older than the trace: its parent is this shell.
	printf '%s\t%s\t%s\t%s\t0\t-\n' "$(pid w)" $$ "$(pid w)" 'e\x0a"' >"$TMP/wanted"
	grep "^$(pid w)	" "$TMP/rows" >"$TMP/got"
	same older-$b "$TMP/wanted" "$TMP/got"
	if [ -n "$WORK32" ]; then
		# Without kprobes the calls of 32-bit tasks are not seen, and their codes not known; signals are.
		wanted_rows "$TMP/c.said" "$partly" >"$TMP/wanted"
		grep '	work32	' "$TMP/rows" | family c | grep -v "^$(pid c)	" >"$TMP/got"
		same rows-32-$b "$TMP/wanted" "$TMP/got"
	fi
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	# Not younger than it slept, and not older than it took altogether.
	awk -F '\t' '$1 == "exit" { print $2, $7 / 1000 }' "$TMP/w.said" >"$TMP/ages"
	fields "$TMP/s.out" pid age_s | awk '
		NR == FNR { least[$1] = $2; next }
		$1 in least && ($2 == "-" || $2 < least[$1] || $2 > least[$1] + 5) { print $0 ", slept " least[$1] }
		' "$TMP/ages" - >"$TMP/wrong"
	: >"$TMP/none"
	same ages-$b "$TMP/none" "$TMP/wrong"
	if [ -z "$partly" ]; then
		fields "$TMP/s.out" comm core_dumped | grep -F 'e\x0a' | grep -v '	0$' >"$TMP/wrong"
		same cores-$b "$TMP/none" "$TMP/wrong"
	fi

	# The calls and signals alone, where do_exit() tells too.
	if [ -z "$partly" ] && [ $b = bpf ] && ! has bpf-syscalls; then
		skip calls-$b "$(feature bpf-syscalls 3)"
	elif [ -z "$partly" ]; then
		load w "$WORK" -c "mine$$" exits 2
		start s exitsnoop --backend $b --json --name "ine$$" --without btf,function:do_exit
		go w
		stop s
		wanted_rows "$TMP/w.said" >"$TMP/wanted"
		rows "$TMP/s.out" | grep -v "^$(pid w)	" >"$TMP/got"
		contains calls-chosen-$b "$TMP/s.err" 'exit.code: tracepoint'
		same calls-$b "$TMP/wanted" "$TMP/got"
	fi

	# One process; failures; threads.
	load w "$WORK" -c "mine$$" exits 1
	start p exitsnoop --backend $b --json -p "$(pid w)"
	start x exitsnoop --backend $b --json -x --name "ine$$"
	start t exitsnoop --backend $b --json --per-thread --name "ine$$"
	go w
	stop p
	stop x
	stop t
	rows "$TMP/p.out" | cut -f 1,4,5 >"$TMP/got"
	printf '%s\t%s\t0\n' "$(pid w)" "mine$$" >"$TMP/wanted"
	same pid-$b "$TMP/wanted" "$TMP/got"
	wanted_rows "$TMP/w.said" | grep -v '	0	-$' >"$TMP/wanted"
	rows "$TMP/x.out" >"$TMP/got"
	same failed-$b "$TMP/wanted" "$TMP/got"
	# Three of its children have a second thread of that name, one of which ends with a code of its own.
	equal threads-$b 3 "$(rows "$TMP/t.out" | awk -F '\t' '$1 != $3' | wc -l)"
	equal thread-code-$b 1 "$(rows "$TMP/t.out" | awk -F '\t' '$1 != $3 && $5 == 5' | wc -l)"

	# A thread that is not the first executes a program: the process goes on, and ends once.
	load w "$WORK" thread-execs 2
	start s exitsnoop --backend $b --json
	go w
	stop s
	wanted_rows "$TMP/w.said" >"$TMP/wanted"
	rows "$TMP/s.out" | grep "^[0-9]*	$(pid w)	" >"$TMP/got"
	same execs-$b "$TMP/wanted" "$TMP/got"
	fields "$TMP/s.out" pid ppid age_s | awk -v p="$(pid w)" '$2 == p && $3 == "-"' >"$TMP/got"
	same execs-ages-$b "$TMP/none" "$TMP/got"

	# Several threads, older than the trace; the first leaves before the others.
	"$WORK" -c "mine$$" first-leaves 4 &
	old=$!
	wait_for 10 threads_are 2 $old
	start s exitsnoop --backend $b --json --name "ine$$"
	kill -USR1 $old
	wait $old
	stop s
	rows "$TMP/s.out" >"$TMP/got"
	printf '%s\t%s\t%s\t%s\t4\t-\n' $old $$ $old "mine$$" >"$TMP/wanted"
	same older-threads-$b "$TMP/wanted" "$TMP/got"

	# As bcc's text.
	load w "$WORK" -c "mine$$" exits 1
	start s exitsnoop --backend $b -t --label=here --name "mine$$"
	go w
	stop s
	dump=${partly:+", core dumped?"}
	{
		echo "TIME          LABEL  PCOMM            PID     PPID    TID     AGE(s)  EXIT_CODE"
		{ wanted_rows "$TMP/w.said"; printf '%s\t%s\t%s\t%s\t0\t-\n' "$(pid w)" $$ "$(pid w)" "mine$$"; } |
			awk -F '\t' -v dump="$dump" '
				BEGIN { name[9] = "KILL"; name[15] = "TERM"; name[11] = "SEGV"; name[10] = "USR1"
					name[3] = "QUIT"; name[40] = "unknown"; dumps[3] = dumps[11] = dump }
				{ printf "TIME          here   %-16s %-7s %-7s %-7s AGE     %s\n", $4, $1, $2, $3,
					$6 != "-" ? "signal " $6 " (" name[$6] ")" dumps[$6] : $5 ? "code " $5 : 0 }'
	} >"$TMP/wanted"
	sed 's/^[0-9:]*\.[0-9][0-9][0-9]  */TIME          /; s/ [0-9]*\.[0-9][0-9]  */ AGE     /' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	build build-$b exitsnoop --backend $b
done

clean left
quiet kernel-log
