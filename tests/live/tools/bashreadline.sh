# SPDX-License-Identifier: GPL-2.0
#
# bashreadline: each line of a known workload is one row, on every engine; the bash of this machine, on a terminal.
. "${0%/*}/../lib.sh"

expect library "$WORK" library "$TMP/bash" || exit 1
long=$(printf '%0300d' 7)
escape=$(printf 'printf \033[31m\001\302\265\\ "x"')

# Nothing may be tried there that brings programs down.
case $(uname -m) in
arm*)
	for b in $ENGINES; do
		start_or_skip arm-$b "can't be probed on 32-bit ARM" s bashreadline --backend $b -s "$TMP/bash" || continue
		stop s
		fail arm-$b "it probes returns of user space"
	done
	clean left
	exit 0
	;;
esac

for b in $ENGINES; do
	load w "$WORK" lines "$TMP/bash" 'dmesg | tail' '' "$escape" ls
	load l "$WORK" lines "$TMP/bash" "$long"
	start_or_skip rows-$b "$(absences $b)" s bashreadline --backend $b --json -s "$TMP/bash" || { go w l; continue; }
	go w l
	stop s && equal ends-$b 0 "$STATUS"
	fields "$TMP/s.out" pid command >"$TMP/rows" || fail json-$b "$(tail -n 1 "$TMP/rows")"
	awk -F '\t' -v OFS='\t' '{ print $2, $3 }' "$TMP/w.said" >"$TMP/wanted"
	grep "^$(sed -n '1s/line	\([0-9]*\).*/\1/p' "$TMP/w.said")	" "$TMP/rows" >"$TMP/got"
	same rows-$b "$TMP/wanted" "$TMP/got"
	equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
	contains cut-$b "$TMP/s.out" '"command":"0{255}","command_cut":true'

	load w "$WORK" lines "$TMP/bash" "a${escape}b"
	start t bashreadline --backend $b --shared "$TMP/bash" --pid "$(pid w)"
	go w
	stop t
	{
		echo "TIME      PID     COMMAND"
		printf 'TIME      %-7s %s\n' "$(awk '{ print $2 }' "$TMP/w.said")" 'aprintf \x1b[31m\x01µ\\ "x"b'
	} >"$TMP/wanted"
	sed 's/^[0-9:][0-9:]* */TIME      /' "$TMP/t.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
done

# The shell of this machine, as it is found.
if ! command -v bash >/dev/null; then
	skip real "no bash on this machine"
else
	for b in $ENGINES; do
		start_or_skip real-$b "$(absences $b)" s bashreadline --backend $b --json || continue
		"$WORK" types bash 'echo hi' "$escape" '' ': done' >"$TMP/said" || fail typing-$b "status $?"
		stop s
		awk -F '\t' -v OFS='\t' '{ print $2, $3 }' "$TMP/said" >"$TMP/wanted"
		fields "$TMP/s.out" pid command | grep "^$(sed -n '1s/line	\([0-9]*\).*/\1/p' "$TMP/said")	" >"$TMP/got"
		same real-$b "$TMP/wanted" "$TMP/got"
	done
fi

expect no-function sh -c '! "$0" bashreadline -s "$0" 2>"$1" && grep -q "has no function readline" "$1"' \
	"$SONDE" "$TMP/misuse"
expect no-program sh -c '! "$0" bashreadline -s "$2" 2>"$1" && grep -q "not an ELF program" "$1"' \
	"$SONDE" "$TMP/misuse" "$LIVE/lib.sh"
clean left
quiet kernel-log
