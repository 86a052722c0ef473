# SPDX-License-Identifier: GPL-2.0
#
# systrace: each call of a known workload is one row, with its arguments, result and time; of 32-bit programs, too;
# filters, the summary, a command.
. "${0%/*}/../lib.sh"

mkdir "$TMP/dir"
# What the opens of a workload should be: pid syscall ret, and the arguments. openat2 has its flags in memory.
opens_wanted() {
	awk -F '\t' -v OFS='\t' '
		$1 == "open" {
			path = "\"" $8 "\""
			made = $7 == "102"
			flags = $7 == "0" ? "RDONLY" : "RDWR|CREAT"
			mode = made ? ", mode: 0600" : ""
			if ($5 == "creat")
				args = "pathname: " path ", mode: 0600"
			else
				args = ($5 == "open" ? "" : "dfd: CWD, ") "filename: " path ($5 == "openat2" ? "" : ", flags: " flags mode)
			print $2, $5, $6, args
		}' "$1"
}
opens_rows() {
	# A kernel without openat2 shows the call all the same; the workload does not speak of it.
	fields "$1" pid syscall ret args | awk -F '\t' '$2 != "openat2" || $3 != -38' | sed 's/\\x20/ /g; s/\\x5c/\\/g; s/\\"/"/g; s/, how: 0x[0-9a-f]*, size: 24//; s/|LARGEFILE//'
}
# counts FILE CALL: how many, and how many of these failed.
counts() { fields "$1" syscall ret | awk -F '\t' -v call="$2" '$1 == call { n++; bad += $2 < 0 } END { print n + 0, bad + 0 }'; }

# beside NAME OPTION... COMMAND...: runs systrace with a workload as its command; rows are in $TMP/NAME, and what the
# workload says in $TMP/NAME.said.
beside() {
	name=$1
	shift
	wait_for 60 detached
	timeout $((30 * SLOW)) "$SONDE" systrace "$@" >"$TMP/$name.all" 2>"$TMP/$name.err"
	grep '^{' "$TMP/$name.all" >"$TMP/$name"
	grep -v '^{' "$TMP/$name.all" >"$TMP/$name.said"
}

for b in $ENGINES; do
	load w "$WORK" opens 3 "$TMP/dir"
	start_or_skip rows-$b "$(absences $b)|which calls are of 32-bit tasks" s systrace --backend $b --json -e 'open*,creat' \
		-p "$(pid w)" || { go w; continue; }
	start x systrace --backend $b --json -x -p "$(pid w)" -e '!access'
	go w
	stop s && equal ends-$b 0 "$STATUS"
	stop x
	opens_wanted "$TMP/w.said" >"$TMP/wanted"
	opens_rows "$TMP/s.out" >"$TMP/got"
	if [ $b != bpf ]; then
		# The rings have pointers only.
		sed 's/name: "[^"]*"/name: POINTER/' "$TMP/wanted" >"$TMP/pointers"
		mv "$TMP/pointers" "$TMP/wanted"
		sed -i 's/name: 0x[0-9a-f]*/name: POINTER/' "$TMP/got"
	fi
	same rows-$b "$TMP/wanted" "$TMP/got"
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	awk -F '\t' '$1 == "open" && $6 < 0' "$TMP/w.said" | wc -l | tr -d ' ' >"$TMP/wanted"
	fields "$TMP/x.out" syscall ret | awk -F '\t' '$1 ~ /^(open|creat)/ && $2 < 0 && $2 != -38 { n++ } END { print n + 0 }' >"$TMP/got"
	same failed-$b "$TMP/wanted" "$TMP/got"
	fields "$TMP/x.out" ret | awk '$1 >= 0 || $1 == "-"' >"$TMP/got"
	: >"$TMP/none"
	same only-failed-$b "$TMP/none" "$TMP/got"

	# Counts of calls, of both tables: each of getpgid, getsid and sched_rr_get_interval; epoll_pwait takes 5 ms.
	ids=w
	load w "$WORK" calls 50
	[ -z "$WORK32" ] || { load c "$WORK32" calls 20; ids="w c"; }
	pids=$(for i in $ids; do echo -n "$(pid $i),"; done)
	start s systrace --backend $b --json -p "${pids%,}" -e 'getpgid,gets*d,sched_rr_*,epoll_*wait'
	start m systrace --backend $b --json -p "$(pid w)" -m 4
	start t systrace --backend $b --json -s -p "$(pid w)"
	go $ids
	for id in s m t; do
		stop $id || fail "ends-$id-$b" "status $STATUS"
	done
	for id in $ids; do
		awk -F '\t' -v OFS='\t' '$1 == "call" && $2 != "tgkill" { print $2, $4 }' "$TMP/$id.said" | sort >"$TMP/wanted"
		fields "$TMP/s.out" pid syscall | awk -F '\t' -v OFS='\t' -v pid="$(pid $id)" '
			$1 == pid { n[$2]++ } END { for (c in n) print c, n[c] }' | sort >"$TMP/got"
		same calls-$id-$b "$TMP/wanted" "$TMP/got"
	done
	equal errors-$b "50 50" "$(fields "$TMP/s.out" pid syscall errno | awk -F '\t' -v pid="$(pid w)" '
		$1 == pid && $2 == "getsid" && $3 == "ESRCH" { a++ } $1 == pid && $2 ~ /^sched_rr/ && $3 == "EINVAL" { b++ }
		END { print a + 0, b + 0 }')"
	equal arguments-$b 50 "$(fields "$TMP/s.out" pid syscall args | grep -c "^$(pid w)	getsid	pid:.*2147480000$")"
	waits=$(awk -F '\t' '$2 == "epoll_pwait" { print $4 }' "$TMP/w.said")
	equal slow-$b "$waits" "$(fields "$TMP/m.out" syscall | grep -c '^epoll_pwait$')"
	fields "$TMP/m.out" lat_ms | awk '$1 < 4' >"$TMP/got"
	same only-slow-$b "$TMP/none" "$TMP/got"

	# The summary has the same counts, all failures of getsid, and times in their order.
	fields "$TMP/t.out" syscall calls errors | grep '^getsid' >"$TMP/got"
	printf 'getsid\t50\t50\n' >"$TMP/wanted"
	same summary-$b "$TMP/wanted" "$TMP/got"
	equal summary-waits-$b "$waits" "$(fields "$TMP/t.out" syscall calls | awk -F '\t' '$1 == "epoll_pwait" { print $2 }')"
	fields "$TMP/t.out" min_ms avg_ms max_ms total_ms | awk -F '\t' '$1 > $2 + 0.001 || $2 > $3 + 0.001 || $3 > $4 + 0.001' >"$TMP/got"
	same summary-order-$b "$TMP/none" "$TMP/got"

	# A command, as text; what never returns; a limit of lines. Where an event takes one BPF program, the command's
	# family needs the one of task.exit, too.
	wait_for 60 detached
	timeout $((20 * SLOW)) "$SONDE" systrace --backend $b -e getsid,exit_group "$WORK" calls 2 >"$TMP/text" 2>"$TMP/err"
	STATUS=$?
	if [ $STATUS = 1 ] && grep -q 'one BPF program' "$TMP/err"; then
		skip command-$b "$(grep -m 1 'one BPF program' "$TMP/err")"
		continue
	fi
	equal command-ends-$b 0 $STATUS
	equal command-$b 2 "$(grep -cE '^[0-9.]+ +[0-9.]+ [0-9]+ +work +getsid\(pid: 2147480000\) = -1 ESRCH \(.*\)$' "$TMP/text")"
	contains exit-$b "$TMP/text" ' work +exit_group\(error_code: 0\) = \?$'
	wait_for 60 detached
	timeout $((20 * SLOW)) "$SONDE" systrace --backend $b --json --max-events 3 -e getsid \
		sh -c '"$0" calls 9 >/dev/null' "$WORK" >"$TMP/few" 2>"$TMP/err"
	equal max-events-$b 3 "$(fields "$TMP/few" syscall | grep -c getsid)"

	# An exec by a thread that is not the leader returns with the leader's id; it is counted like others.
	beside thread --backend $b --json -e execve "$WORK" exec-thread
	awk -F '\t' -v OFS='\t' '{ print $2, $8 < 0 ? $3 : $2, $8 }' "$TMP/thread.said" | sort >"$TMP/wanted"
	fields "$TMP/thread" pid tid ret | awk -F '\t' 'NR == FNR { pid[$1]; next } $1 in pid' "$TMP/wanted" - |
		awk -F '\t' 'NR == FNR { left[$0]++; next } left[$0]-- > 0' "$TMP/wanted" - | sort >"$TMP/got"
	same exec-of-a-thread-$b "$TMP/wanted" "$TMP/got"
	equal exec-unpaired-$b 0 "$(reported "$TMP/thread" unpaired)"
	beside counted --backend $b --json -s -e execve "$WORK" exec-thread
	fields "$TMP/counted" pid comm calls >"$TMP/sums"
	equal exec-counted-$b 1 "$(awk -F '\t' 'NR == FNR { if ($8 >= 0) pid[$2]; next } $1 in pid && $2 == "work" { n += $3 }
		END { print (n > 0) }' "$TMP/counted.said" "$TMP/sums")"
	# A name that no task has.
	beside few --backend $b --json -s -n nobody "$WORK" calls 2
	equal summary-by-name-$b 0 "$(fields "$TMP/few" syscall | grep -c .)"
	[ $b = bpf ] || continue

	# What is in memory only when the kernel reads it: paths, and what an exec is given.
	beside cold --backend $b --json -e 'open*' "$WORK" cold-opens 5 "$TMP/dir"
	awk -F '\t' '$5 ~ /^open/ { print "\"" $8 "\"" }' "$TMP/cold.said" | sort >"$TMP/wanted"
	# The workload itself opens one of them.
	fields "$TMP/cold" args | grep -o '"[^"]*"' | grep -xFf "$TMP/wanted" | sort | sed 1d >"$TMP/got"
	same cold-paths "$TMP/wanted" "$TMP/got"
	if "$SONDE" systrace --backend $b --dump 2>/dev/null | grep -qE 'sched_prepare_exec|begin_new_exec|flush_old_exec'; then
		beside cold --backend $b --json -e execve "$WORK" exec-cold 5 "$TMP/dir/page"
		# Four ways each: an argument, the name, the row of pointers, a script.
		equal cold-argv 20 "$(fields "$TMP/cold" args | grep -c 'argv:.*"noop",.*"cold.*argument",.*"end"')"
	else
		skip cold-argv "nothing can be probed when an exec has read its arguments"
	fi
done
for misuse in '-e nosuchcall' '-e 640' '-e read,!write' '-s --max-events 1'; do
	"$SONDE" systrace $misuse >"$TMP/out" 2>"$TMP/err"
	expect "misuse$(echo "$misuse" | tr -cd a-z)" [ $? -ne 0 -a -s "$TMP/err" -a ! -s "$TMP/out" ]
done
clean left
quiet kernel-log
