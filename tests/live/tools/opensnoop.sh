# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# opensnoop: each open of a known workload is one row, on every engine; filters; what columns say.
. "${0%/*}/../lib.sh"

mkdir "$TMP/dir"

# The rows that sonde should have for what the workload said: pid comm fd errno flags mode path path_cut.
wanted_rows() {
	awk -F '\t' -v OFS='\t' '
		function octal(s,  i, n) {
			for (i = 1; i <= length(s); i++)
				n = n * 8 + substr(s, i, 1)
			return n + 0
		}
		# The first 255 bytes; an escaped one takes four characters.
		function cut(s,  i, n) {
			for (i = n = 1; n <= 255 && i <= length(s); n++)
				i += substr(s, i, 2) == "\\x" ? 4 : 1
			return substr(s, 1, i - 1)
		}
		$1 == "open" {
			flags = octal($7)
			shown = cut($8)
			print $2, $4, $6 < 0 ? -1 : $6, $6 < 0 ? -$6 : 0, flags, int(flags / 64) % 2 ? 384 : "-", shown,
				shown == $8 ? "-" : "true"
		}' "$@"
}
rows() { fields "$1" pid comm fd errno flags mode path path_cut; }
built_wanted() { awk -F '\t' -v OFS='\t' '$1 == "child" { print $2, "work", -1, 2, "/nonexistent/" $4 }' "$1"; }
# A ring may not know any more who has ended since; the path tells.
built_got() {
	fields "$1" pid comm fd errno path | grep '	/nonexistent/[0-9]*$' | awk -F '\t' -v OFS='\t' '
		NR == FNR { if ($1 == "child") who["/nonexistent/" $4] = $2; next }
		$1 == "-" && $2 == "-" && $5 in who { $1 = who[$5]; $2 = "work" }
		{ print }' "$TMP/build.said" - | family build
}

engines=$(engines_for_strings)
if ! rings_have_strings; then
	for b in perf ftrace; do
		refused no-kprobes-$b "kprobe|string|copy|$(absences $b)" opensnoop --backend $b
	done
fi

for b in $engines; do
	# Everything: four calls, successes and failures, odd and long names; tasks of both kinds.
	load w "$WORK" opens 3 "$TMP/dir"
	load n "$WORK" -c 'w\x0a\xff"' names "$TMP/dir"
	pids=$(pid w),$(pid n)
	need32 rows-32-$b && load c "$WORK32" opens 3 "$TMP/dir" && pids=$pids,$(pid c)
	start_or_skip rows-$b "$(absences $b)" s opensnoop --backend $b --json -e --pid "$pids" || { go w n ${WORK32:+c}; continue; }
	go w n ${WORK32:+c}
	stop s && equal ends-$b 0 "$STATUS"
	rows "$TMP/s.out" >"$TMP/rows" || fail json-$b "$(rows "$TMP/s.out" 2>&1 | tail -n 1)"
	wanted_rows "$TMP/w.said" >"$TMP/wanted"
	grep -v '	work32	' "$TMP/rows" | grep '	work	' >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	wanted_rows "$TMP/n.said" >"$TMP/wanted"
	grep -F 'w\x0a' "$TMP/rows" >"$TMP/got"
	same names-$b "$TMP/wanted" "$TMP/got"
	if [ -n "$WORK32" ]; then
		# Where they can't be seen, sonde has to say so.
		if grep -q 'calls of 32-bit programs are missing' "$TMP/s.err"; then
			has_kprobes && fail rows-32-$b "not seen, although there are kprobes" || pass said-no-32-$b
			: >"$TMP/wanted"
		else
			wanted_rows "$TMP/c.said" >"$TMP/wanted"
		fi
		grep '	work32	' "$TMP/rows" >"$TMP/got"
		same rows-32-$b "$TMP/wanted" "$TMP/got"
	fi
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"

	# What is not in memory when an open begins is known when it ends.
	load w "$WORK" cold-opens 50 "$TMP/dir"
	start s opensnoop --backend $b --json -e --pid "$(pid w)"
	go w
	stop s
	wanted_rows "$TMP/w.said" >"$TMP/wanted"
	rows "$TMP/s.out" | sed 1d >"$TMP/got"
	# Where CPUs wait for each other, some come too late; sonde says how many.
	lost=$(unseen "$TMP/s.out")
	if [ "$lost" = 0 ]; then
		same cold-$b "$TMP/wanted" "$TMP/got"
	else
		strange cold-$b
		between cold-rows-$b $((50 - lost)) "$(wc -l <"$TMP/got")" 50
	fi

	# Only failures; only write opens; only one comm; only this thread.
	load w "$WORK" -c failing opens 2 "$TMP/dir"
	start x opensnoop --backend $b --json -x -n ailin && start t opensnoop --backend $b --json -t "$(pid w)" -f O_RDWR
	go w
	stop x
	stop t
	wanted_rows "$TMP/w.said" | awk -F '\t' '$3 < 0 { print $1, $3, $4, $7 }' >"$TMP/wanted"
	fields "$TMP/x.out" pid fd errno path | tr '\t' ' ' >"$TMP/got"
	same failed-$b "$TMP/wanted" "$TMP/got"
	# 02 and 01 of creat(2) are not the same flag.
	wanted_rows "$TMP/w.said" | awk -F '\t' '$5 % 4 == 2 { print $1, $7 }' >"$TMP/wanted"
	fields "$TMP/t.out" tid path | tr '\t' ' ' >"$TMP/got"
	same flags-$b "$TMP/wanted" "$TMP/got"

	# A command and its children, from its first open on; sonde ends with it.
	mkdir -p "$TMP/exec"
	timeout $((20 * SLOW)) "$SONDE" opensnoop --backend $b --json --verbose \
		--exec sh -c "'$WORK' -c mine opens 2 '$TMP/exec' >'$TMP/exec.said'" >"$TMP/e.out" 2>"$TMP/e.err"
	STATUS=$?
	if [ $STATUS != 1 ] || ! absent exec-$b $b "$TMP/e.err"; then
		equal exec-ends-$b 0 $STATUS
		wanted_rows "$TMP/exec.said" >"$TMP/wanted"
		fields "$TMP/e.out" pid comm fd errno flags mode path path_cut 2>&1 | grep '	mine	' >"$TMP/got"
		awk -F '\t' -v OFS='\t' '{ $5 = $6 = "-"; print }' "$TMP/wanted" >"$TMP/wanted-short"
		same exec-$b "$TMP/wanted-short" "$TMP/got"
	fi

	# A relative path is put behind its directory; what is not marked as unsure is right.
	load w "$WORK" relative "$TMP/dir"
	load a "$WORK" opens 1 "$TMP/dir"
	start s opensnoop --backend $b --json -F -p "$(pid w),$(pid a)"
	go w a
	stop s
	grep '^open' "$TMP/w.said" "$TMP/a.said" | awk -F '\t' -v OFS='\t' '{ print $2, $8, $9 }' >"$TMP/wanted"
	fields "$TMP/s.out" pid path_unsure path | awk -F '\t' '
		NR == FNR { given[FNR] = $1 "\t" $2; full[FNR] = $1 "\t" $3; n = FNR; next }
		{
			m++
			right = $1 "\t" $3 == full[m]
			if (!right && ($2 != "?" || $1 "\t" $3 != given[m]))
				print "row " m ": " $0 ", wanted " full[m]
			if ($2 == "?" && substr(given[m], index(given[m], "\t") + 1, 1) == "/")
				print "row " m ": an absolute path is sure: " $0
		}
		END { if (m != n) print m " rows, wanted " n }' "$TMP/wanted" - >"$TMP/wrong"
	: >"$TMP/none"
	same full-path-$b "$TMP/none" "$TMP/wrong"

	build build-$b opensnoop --backend $b

	# As text: bcc's columns. The rings have no user ids.
	load w "$WORK" opens 1 "$TMP/dir"
	start s opensnoop --backend $b -T -U -p "$(pid w)"
	go w
	stop s
	uid=0
	[ $b = bpf ] || uid=-
	{
		echo "TIME(s)        UID    PID    COMM               FD ERR PATH"
		wanted_rows "$TMP/w.said" | awk -F '\t' -v uid=$uid \
			'{ printf "TIME           %-6s %-6s %-16s %4s %3s %s\n", uid, $1, $2, $3, $4, $7 }'
	} >"$TMP/wanted"
	sed 's/^[0-9]*\.[0-9]\{9\}  */TIME           /' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	awk 'NR == 2 && $1 != "0.000000000" || NR > 2 && $1 < last { print "line " NR ": " $0 } NR > 1 { last = $1 }' \
		"$TMP/s.out" >"$TMP/wrong"
	same times-$b "$TMP/none" "$TMP/wrong"

	if [ $b != bpf ]; then
		refused no-uid-$b 'user id' opensnoop --backend $b -u 0
		continue
	fi
	cp "$WORK" "$TMP/work-nobody"
	chmod 755 "$TMP" "$TMP/work-nobody"
	chmod 777 "$TMP/dir"
	rm -f "$TMP/dir"/o* "$TMP/dir"/c*
	load u "$TMP/work-nobody" as 65534 "$TMP/work-nobody" opens 1 "$TMP/dir"
	load w "$WORK" opens 1 "$TMP/dir"
	start s opensnoop --backend $b --json -u nobody -U
	go u w
	stop s
	wanted_rows "$TMP/u.said" | awk -F '\t' -v OFS='\t' '{ print 65534, $1, $7 }' >"$TMP/wanted"
	fields "$TMP/s.out" uid pid path | grep -F "$TMP/dir" >"$TMP/got"
	same uid-$b "$TMP/wanted" "$TMP/got"
done

# It ends by itself, also when asked on another way.
timeout $((10 * SLOW)) "$SONDE" opensnoop -d 1 --verbose >"$TMP/d.out" 2>&1
STATUS=$?
[ $STATUS = 1 ] && absent duration bpf "$TMP/d.out" || equal duration 0 $STATUS
clean left
quiet kernel-log
