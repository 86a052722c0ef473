# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# execsnoop: each exec of a known workload is one row with all its arguments, on every engine.
. "${0%/*}/../lib.sh"

# wanted_rows MAX FILE...: pid ppid comm ret args of what the workload said, with at most MAX arguments. With $hidden
# all arguments but the last are unknown.
hidden=
wanted_rows() {
	max=$1
	shift
	awk -F '\t' -v OFS='\t' -v max="$max" -v hidden="$hidden" '
		# What is shown of one argument: 127 bytes (an escaped one takes four characters), and dots for the rest.
		function shown(s,  i, n) {
			if (s == "\\0")
				return ""
			for (i = n = 1; n <= 127 && i <= length(s); n++)
				i += substr(s, i, 2) == "\\x" ? 4 : 1
			return substr(s, 1, i - 1) (i <= length(s) ? "..." : "")
		}
		$1 == "exec" {
			# The path stands for argv[0], except for an exec by descriptor alone.
			args = shown($9 == "\\0" ? $11 : $9)
			for (i = 1; i < $10 && i < max; i++)
				args = args "\\x20" (hidden && i < $10 - 1 ? "[?]" : shown($(11 + i)))
			if ($10 > max)
				args = args "\\x20..."
			print $2, $4, $6, $8, args
		}' "$@"
}
# without_longest SAID...: an argument of 4 KB does not fit a page of ftrace's ring; there it may be unknown, and is
# shown so. The rows of $TMP/wanted and $TMP/got that have one agree on that.
without_longest() {
	for f in wanted got; do
		cat "$@" | grep '^exec' | awk -F '\t' -v OFS='\t' -v rows="$TMP/$f" '{
			if ((getline row <rows) <= 0)
				exit
			if (length($0) > 4090)
				sub(/x20(\[\?\]|a+\.\.\.)/, "x20LONG", row)
			print row
		}
		END { while ((getline row <rows) > 0) print row }' >"$TMP/$f.short"
		mv "$TMP/$f.short" "$TMP/$f"
	done
}
rows() { fields "$1" pid ppid comm ret args; }

built_wanted() { awk -F '\t' -v OFS='\t' '$1 == "child" { print $2, $3, "work", 0, "leave\\x20" $4 }' "$1"; }
# Where a parent is not known any more, that is no other row.
built_got() {
	rows "$1" | awk -F '\t' -v OFS='\t' '
		NR == FNR { if ($1 == "child") parent[$2] = $3; next }
		$2 == "-" && $1 in parent { $2 = parent[$1] }
		{ print }' "$TMP/build.said" - | family build | sed -n 's/[^	]*\\x20leave/leave/p'
}

# resident ID: KB of memory that a sonde has.
resident() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$(pid "$1")/status"; }
fails=20000
[ -z "${LAB:-}" ] || fails=2000

engines=$(engines_for_strings)
if ! rings_have_strings; then
	for b in perf ftrace; do
		refused no-kprobes-$b "kprobe|$(absences $b)" execsnoop --backend $b -x
	done
fi

# Each job's execs, also of 32-bit programs; they are told apart by their parent.
jobs="execs thread args execveat cold"
load_jobs() {
	load execs "$WORK" execs 5
	load thread "$WORK" exec-thread
	load args "$WORK" exec-args
	load execveat "$WORK" execveat
	load cold "$WORK" exec-cold 20 "$TMP/cold"
	[ -n "$WORK32" ] || return 0
	load abi "$WORK" exec-abi "$WORK32"
	load execs32 "$WORK32" execs 3
	load args32 "$WORK32" exec-args
	load abi32 "$WORK32" exec-abi "$WORK"
}
[ -z "$WORK32" ] || jobs="$jobs abi execs32 args32 abi32"

for b in $engines; do
	need32 rows-32-$b
	load_jobs
	start_or_skip rows-$b "$(absences $b)" s execsnoop --backend $b --json -x || { go $jobs; continue; }
	go $jobs
	stop s && equal ends-$b 0 "$STATUS"
	rows "$TMP/s.out" >"$TMP/rows" || fail json-$b "$(rows "$TMP/s.out" 2>&1 | tail -n 1)"
	lossless lost-$b $b "$TMP/s.out"
	# Arguments that can't be read are no events that were missed. What BPF programs skip is another matter.
	missed=$(reported "$TMP/s.out" missed)
	[ $b = bpf ] || equal missed-$b 0 "${missed:-0}"
	for job in $jobs; do
		# Pieces of texts on a kernel that does not tell what can't be read: sonde says so, and is right to.
		if [ $job = cold ] && grep -q 'a string may be wrong' "$TMP/s.err"; then
			skip cold-$b "$(grep 'a string may be wrong' "$TMP/s.err" | head -n 1)"
			continue
		fi
		wanted_rows 20 "$TMP/$job.said" >"$TMP/wanted"
		parent=$(sed -n '1s/^exec	[^	]*	[^	]*	\([0-9]*\).*/\1/p' "$TMP/$job.said")
		awk -F '\t' -v parent="$parent" '$2 == parent' "$TMP/rows" >"$TMP/got"
		case $job-$b in
		# Where 32-bit programs can't be seen, sonde has to say so.
		*32-*)
			if grep -q 'calls of 32-bit programs are missing' "$TMP/s.err"; then
				has_kprobes && fail $job-$b "not seen, although there are kprobes"
				contains $job-end-$b "$TMP/s.out" '"missing":\[.*"calls of 32-bit programs"'
				: >"$TMP/wanted"
			fi ;;
		# What is not in memory yet is read again, where the kernel has a place for it.
		cold-*)
			"$SONDE" execsnoop --backend $b --dump 2>&1 | grep -q 'exec\.again\|exec\.image' ||
				continue ;;
		esac
		# A probe of the rings follows pointers as wide as the kernel's only: of 32-bit ones that is the last, which
		# has a NULL behind it. The others are unknown there, and shown so.
		case $job-$b in
		*32-perf | *32-ftrace)
			hidden=1
			wanted_rows 20 "$TMP/$job.said" >"$TMP/hidden"
			hidden=
			cmp -s "$TMP/hidden" "$TMP/got" && cp "$TMP/hidden" "$TMP/wanted" ;;
		esac
		[ $b != ftrace ] || without_longest "$TMP/$job.said"
		same $job-$b "$TMP/wanted" "$TMP/got"
	done

	# Successes only, by name and by line; fewer arguments; in quotes.
	load w "$WORK" execs 4
	start n execsnoop --backend $b --json -n '^wor' -l 'noop [13]$' -P "$(pid w)"
	start m execsnoop --backend $b --json --max-args 2 -P "$(pid w)"
	go w
	stop n
	stop m
	wanted_rows 20 "$TMP/w.said" | grep 'noop.x20[13]$' >"$TMP/wanted"
	rows "$TMP/n.out" >"$TMP/got"
	same regex-$b "$TMP/wanted" "$TMP/got"
	wanted_rows 2 "$TMP/w.said" | awk -F '\t' '$4 == 0' >"$TMP/wanted"
	rows "$TMP/m.out" >"$TMP/got"
	same max-args-$b "$TMP/wanted" "$TMP/got"

	# As text: bcc's columns.
	load w "$WORK" execs 2
	start s execsnoop --backend $b -T -t -x -q -U -C -P "$(pid w)"
	go w
	stop s
	uid=0
	[ $b = bpf ] || uid=-
	{
		echo "TIME      TIME(s)  UID    COMM             PID     PPID    CPU  RET ARGS"
		wanted_rows 20 "$TMP/w.said" | sed 's/\\x20/" "/g' | awk -F '\t' -v uid=$uid \
			'{ printf "HH:MM:SS  S        %-6s %-16s %-7s %-7s N    %3s \"%s\"\n", uid, $3, $1, $2, $4, $5 }'
	} >"$TMP/wanted"
	sed -E 's/^[0-9:]{8}  [0-9]+\.[0-9]{3} +/HH:MM:SS  S        /; s/^(.{50}) (.{7}) [0-9]+ +/\1 \2 N    /' "$TMP/s.out" |
		sed -E 's/ N +(-?[0-9]+) "/ N    \1 "/; s/ N    0 "/ N      0 "/; s/ N    (-[0-9]+) "/ N     \1 "/' >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	build build-$b execsnoop --backend $b

	# Failures that nobody asked for leave nothing behind, however many there are: no row, and no memory.
	load w "$WORK" exec-fails $fails	# as large a flood: its queues are there then
	load v "$WORK" exec-fails $fails
	start s execsnoop --backend $b --json -P "$(pid v)"
	go w
	before=$(resident s)
	go v
	after=$(resident s)
	stop s
	equal fails-$b "" "$(rows "$TMP/s.out")"
	if [ "$after" -lt $((before + 2000)) ]; then
		pass fails-memory-$b
	else
		fail fails-memory-$b "$fails failed execs took $((after - before)) KB"
	fi
	[ $b = bpf ] || refused no-uid-$b 'user id' execsnoop --backend $b -u 0
done

# Where no engine can probe the calls, the tracepoint of a success tells the file, as the kernel has it.
alone="--without kprobes,syscall-tracepoints"
# wanted_alone FILE...: pid ppid comm ret args of the successes that the workload said.
wanted_alone() {
	awk -F '\t' -v OFS='\t' '$1 == "exec" && !$8 {
		file = $9 == "\\0" ? "/dev/fd/N" : $9 ~ /^\// ? $9 : "/dev/fd/N/" $9
		print $2, $4, $6, 0, substr(file, 1, 127) (length(file) > 127 ? "..." : "") "\\x20[?]"
	}' "$@"
}
rows_alone() { rows "$1" | sed 's|/dev/fd/[0-9]*|/dev/fd/N|'; }

for b in $ENGINES; do
	known=$(absences $b)
	[ $b != bpf ] || has bpf-tracepoint || known="$known|kprobes, which --without takes away"
	load_jobs
	start_or_skip alone-rows-$b "$known" s execsnoop --backend $b --json $alone || { go $jobs; continue; }
	go $jobs
	stop s && equal alone-ends-$b 0 "$STATUS"
	lossless alone-lost-$b $b "$TMP/s.out"
	rows_alone "$TMP/s.out" >"$TMP/rows"
	for job in $jobs; do
		wanted_alone "$TMP/$job.said" >"$TMP/wanted"
		parent=$(sed -n '1s/^exec	[^	]*	[^	]*	\([0-9]*\).*/\1/p' "$TMP/$job.said")
		awk -F '\t' -v parent="$parent" '$2 == parent' "$TMP/rows" >"$TMP/got"
		same alone-$job-$b "$TMP/wanted" "$TMP/got"
	done
	contains alone-end-$b "$TMP/s.out" '"missing":\[.*"failures","arguments"\]'
	equal alone-note-$b 1 "$(grep -c 'failures and arguments .* are missing' "$TMP/s.err")"

	# Filters by what is known, and none by what is not.
	load v "$WORK" execs 1
	load w "$WORK" execs 2
	start n execsnoop --backend $b --json $alone -q -n '^wor' -P "$(pid w)"
	go v w
	stop n
	wanted_alone "$TMP/w.said" | sed 's/\([^	]*\)\\x20\[?\]$/"\1"\\x20[?]/' >"$TMP/wanted"
	rows_alone "$TMP/n.out" >"$TMP/got"
	same alone-filters-$b "$TMP/wanted" "$TMP/got"
	! unrecorded alone-command-$b || continue
	start c execsnoop --backend $b --json $alone --exec sh -c "'$WORK' execs 2 >/dev/null"
	await c
	equal alone-command-$b 4 "$(rows "$TMP/c.out" | wc -l)"
	refused alone-fails-$b 'without --fails it runs here, and does not show failures' execsnoop --backend $b $alone -x
	refused alone-line-$b 'without --line it runs here' execsnoop --backend $b $alone -l work
	[ $b = bpf ] || refused alone-no-uid-$b 'user id' execsnoop --backend $b $alone -u 0
done

clean left
quiet kernel-log
