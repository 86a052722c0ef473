# SPDX-License-Identifier: GPL-2.0
#
# sigsnoop: each signal of a known workload is one row, on every engine, with its sender, code, target and result;
# deliveries; filters; calls instead of signals.
. "${0%/*}/../lib.sh"

# By tpid, which is the workload or a child of its: pid tid comm signal code tpid ttid tcomm result.
sent_wanted() { awk -F '\t' -v OFS='\t' '$1 == "generate" { print $2, $3, $4, $5, $6, $7, $8, $9, $10 }' "$1" | sort; }
sent_rows() {
	fields "$1" pid tid comm signal code tpid ttid tcomm result |
		awk -F '\t' -v said="$TMP/w.said" '
			BEGIN { while ((getline line <said) > 0) { split(line, w, "\t"); if (w[1] == "generate") ours[w[7]] } }
			$6 in ours' | sort
}
taken_wanted() { awk -F '\t' -v OFS='\t' '$1 == "deliver" { print $2, $3, $4, $5, $6 }' "$1" | sort; }

for b in $ENGINES; do
	load w "$WORK" -c 's\x0a"' sends 5
	start_or_skip sent-$b "$(absences $b)" s sigsnoop --backend $b --json -T || { go w; continue; }
	start d sigsnoop --backend $b --json -d -T -t "$(pid w)"
	start n sigsnoop --backend $b -n -x -s '!CHLD' -p "$(pid w)"
	start r sigsnoop --backend $b --json -s RTMIN+26,SEGV
	go w
	stop s && equal sent-ends-$b 0 "$STATUS"
	stop d
	stop n
	stop r
	# Those of interrupts apart: there some kernels leave out samples, and say how many; and skip a program where another
	# one runs.
	sent_wanted "$TMP/w.said" | grep -v '^-' >"$TMP/wanted"
	sent_rows "$TMP/s.out" | grep -v '^-' >"$TMP/got"
	same sent-$b "$TMP/wanted" "$TMP/got"
	case $b in
	perf)
		lost=$(reported "$TMP/s.out" lost)
		least=$((5 - ${lost:-0}))
		;;
	bpf) least=3 ;;
	*) least=5 ;;
	esac
	between interrupts-$b $least \
		"$(sent_rows "$TMP/s.out" | grep -c "^-	-	-	14	SI_TIMER	$(pid w)	-	.*	delivered\$")" 5
	lossless sent-lost-$b $b "$TMP/s.out"

	# What the process takes; nobody is its sender.
	taken_wanted "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/d.out" tpid ttid signal code result event pid |
		awk -F '\t' -v OFS='\t' '$6 == "deliver" && $7 == "-" { print $1, $2, $3, $4, $5 }' | sort >"$TMP/got"
	same delivered-$b "$TMP/wanted" "$TMP/got"
	fields "$TMP/d.out" tpid | sort -u >"$TMP/got"
	pid w >"$TMP/wanted"
	same target-$b "$TMP/wanted" "$TMP/got"

	# Those that were not delivered, by name, as text.
	{
		echo "TIME     PID     COMM             SIG          TPID    TCOMM            CODE           RESULT"
		for i in 1 2 3 4 5; do
			for row in SIGUSR1:ignored SIGTERM:pending; do
				printf 'TIME     %-7s %-16s %-12s %-7s %-16s %-14s %s\n' "$(pid w)" 's\n"' "${row%:*}" "$(pid w)" \
					's\n"' SI_USER "${row#*:}"
			done
		done
	} >"$TMP/wanted"
	sed 's/^[0-9:][0-9:]*/TIME    /' "$TMP/n.out" | sed 's/^TIME */TIME     /' >"$TMP/got"
	same failed-$b "$TMP/wanted" "$TMP/got"

	fields "$TMP/r.out" tpid signal | grep "^$(pid w)	" | sort | uniq -c | awk '{ print $3, $1 }' >"$TMP/got"
	printf '11 5\n60 5\n' >"$TMP/wanted"
	same signals-$b "$TMP/wanted" "$TMP/got"
done

# Calls instead of signals, as killsnoop -a has them.
wanted_rows() { awk -F '\t' -v OFS='\t' '$1 == "kill" { print $2, $4, $5, $6, $7, $8 }' "$@"; }
rows() { fields "$1" pid comm call signal tpid result; }
for b in $ENGINES; do
	both_abis $b "kills 5" "kills 2" sigsnoop -k || continue
	by_numbers $b "kills 5" sigsnoop -k
done

expect misuse sh -c '! "$0" sigsnoop -s 65 2>"$1" && grep -q "no signal" "$1"' "$SONDE" "$TMP/misuse"
expect misuse-target sh -c '! "$0" sigsnoop -k -t 1 2>"$1" && grep -q "does not go with" "$1"' "$SONDE" "$TMP/misuse"
clean left
quiet kernel-log
