# SPDX-License-Identifier: GPL-2.0
#
# perf has system calls of the wanted tasks alone in its rings: a flood of others' calls loses nothing of what was asked.
. "${0%/*}/../lib.sh"

case " $ENGINES " in
*' perf '*) ;;
*) skip perf "not among the engines"; exit ;;
esac
for i in 1 2; do
	dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
	running="$running $!"
done

# A command: each of its calls, through one page.
"$SONDE" syscount --backend perf --json --buffer-pages 1 --exec "$WORK" leave 0 >"$TMP/out" 2>"$TMP/err" </dev/null
status=$?
if [ $status = 1 ] && grep -qE "$(absences perf)" "$TMP/err"; then
	skip command "$(head -n 1 "$TMP/err")"
else
	equal command 0 $status || notes "$TMP/err"
	equal command-lost 0 "$(reported "$TMP/out" lost)"
	contains command-seen "$TMP/out" '"execve"|exit_group'
fi

# A process that waits.
load w "$WORK" noop
if start_or_skip process "$(absences perf)" s syscount --backend perf --json --buffer-pages 64 -p "$(pid w)"; then
	sleep 1
	stop s
	equal process-lost 0 "$(reported "$TMP/s.out" lost)" || notes "$TMP/s.err"
fi
clean left
quiet kernel-log
