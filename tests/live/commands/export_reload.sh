# SPDX-License-Identifier: GPL-2.0
#
# sonde export and SIGHUP: the file is read anew. Tools that stay are the same processes with the same counters; what goes,
# comes or changes does; a mistake changes nothing.
. "${0%/*}/../lib.sh"
. "${0%/*}/../exporter.sh"

PORT=9441
# Its own name: others run the workload beside this test.
OWN=$TMP/own-reload
cp "$WORK" "$OWN"

for b in $ENGINES; do
	timeout 60 "$SONDE" trace --backend $b --duration 1 't:syscalls:sys_enter_getsid "%d", args->pid' >"$TMP/try.out" 2>"$TMP/try.err" &&
		served=$b && break
	absent tool-$b $b "$TMP/try.err" || fail tool-$b "$(head -n 1 "$TMP/try.err")"
done
[ -n "${served:-}" ] || exit

# up TOOLS...: these trace, and the page knows no others.
up() {
	page
	for t; do
		grep -qxF "sonde_tool_up{tool=\"$t\"} 1" "$TMP/page" || return 1
	done
	[ "$(grep -c '^sonde_tool_up' "$TMP/page")" = $# ]
}
# said PATTERN: the exporter's last words.
said() { tail -n +$((told + 1)) "$TMP/e.err" | grep -q -e "$1"; }
# hup: tells it to read the file anew.
hup() {
	told=$(wc -l <"$TMP/e.err")
	kill -HUP "$pid_e"
}
# pids: of the exporter's processes.
pids() {
	for p in /proc/[0-9]*; do
		read -r stat 2>/dev/null <"$p/stat" || continue
		set -- ${stat##*) }
		[ "$2" != "$pid_e" ] || [ "$1" = Z ] || echo "${p#/proc/}"
	done
}
calls() { "$OWN" calls "$1" >"$TMP/calls"; }
trace="trace --backend $served -n own-reload 't:syscalls:sys_enter_getsid \"%d\", args->pid'"
write() { printf '%s\n' "--listen 127.0.0.1:$PORT" "$@" >"$TMP/conf"; }

write "$trace" "exitsnoop --name own-reload"
exports -f "$TMP/conf"
wait_for 30 up trace exitsnoop
equal begins 0 $?
calls 3
wait_for 20 values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 3'
equal counts 0 $?
pids | sort >"$TMP/first"
equal processes 3 "$(wc -l <"$TMP/first")"

# One goes, one comes; the third and the server are the same processes, and count on.
write "$trace" "syscount --backend $served"
hup
wait_for 30 up trace syscount
equal other-up 0 $?
expect other-said said "$TMP/conf is read anew: tools that stay: 1, end: 1, begin: 1\$"
pids | sort >"$TMP/second"
equal stays 2 "$(comm -12 "$TMP/first" "$TMP/second" | wc -l)"
equal comes 3 "$(wc -l <"$TMP/second")"
equal gone-from-page 0 "$(grep -c exitsnoop "$TMP/page")"
calls 4
wait_for 20 values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 7' 'sonde_lost_events_total{tool="trace"} 0'
equal counts-on 0 $?

# Mistakes: nothing changes, and the line is told.
wrong() {
	hup
	wait_for 20 said "$2"
	equal "wrong-$1" 0 $?
	pids | sort >"$TMP/third"
	same "wrong-$1-stays" "$TMP/second" "$TMP/third"
}
write "$trace" "syscount --backend $served" "" "opensnoop --nosuch"
wrong option "^sonde: export: SIGHUP: nothing changes: line 5 of $TMP/conf: opensnoop: there is no option --nosuch"
write "nosuch"
wrong tool "^sonde: export: SIGHUP: nothing changes: line 2 of $TMP/conf: "
write
wrong empty '^sonde: export: SIGHUP: nothing changes: it needs a TOOL'
rm "$TMP/conf"
wrong none '^sonde: export: SIGHUP: nothing changes: can.t read .*: No such file'

# The same file once more changes nothing, and a comment neither.
write "# a comment" "syscount   --backend $served" "$trace"
wrong same 'read anew: tools that stay: 2, end: 0, begin: 0$'

# A changed line begins anew, with other labels; addresses and labels want a restart, and the rest is done.
write "$trace" "syscount -e EBADF --backend $served" "--label comm" "--listen 127.0.0.1:1" "--textfile $TMP"
hup
wait_for 20 said 'read anew: tools that stay: 1, end: 1, begin: 1$'
equal changed 0 $?
for option in listen label textfile; do
	expect "kept-$option" said "^sonde: export: --$option stays as it was: a change of it needs a restart\$"
done
wait_for 30 up trace syscount
equal changed-up 0 $?
pids | sort >"$TMP/third"
equal changed-process 2 "$(comm -12 "$TMP/second" "$TMP/third" | wc -l)"
values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 7'
equal changed-counts 0 $?
equal kept-file 0 "$(ls "$TMP" | grep -c prom)"

# A changed line whose families have other labels: they are those of the new line.
write "$trace" "syscount -P --backend $served"
hup
labelled() { page && grep -q '^sonde_syscount_total [1-9]' "$TMP/page"; }
wait_for 30 labelled
equal labels 0 $?
equal labels-old 0 "$(grep -c '^sonde_syscount.*syscall=' "$TMP/page")"

# Signals by the dozen: in the end it is the last file, and nobody is left over.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	write "exitsnoop --name own-reload" "syscount --backend $served $([ $((i % 2)) = 0 ] || printf %s "-e EBADF")"
	kill -HUP "$pid_e"
	write "$trace"
	kill -HUP "$pid_e"
done
wait_for 40 up trace
equal dozen-up 0 $?
one_tool() { [ "$(pids | wc -l)" = 2 ]; }
wait_for 20 one_tool
equal dozen-left 0 $?
calls 5
wait_for 20 values_are 'sonde_trace_events_total{func="sys_enter_getsid"} 5'
equal dozen-counts 0 $?

# A server that begins anew knows what is up.
server=
for p in $(pids); do
	[ "$(awk '/^Uid:/ { print $2 }' "/proc/$p/status")" = 0 ] || server=$p
done
kill -KILL "${server:-0}"
wait_for 30 up trace
equal server-again 0 $?
stop e
equal end 0 "$STATUS"

# Without a file there is nothing to read.
exports --listen 127.0.0.1:$PORT exitsnoop --name own-reload
wait_for 30 up exitsnoop
pids | sort >"$TMP/second"
wrong without-file '^sonde: export: SIGHUP: there is no file (-f) to read anew$'
stop e
equal end-without-file 0 "$STATUS"

# At a terminal that goes, it goes too.
write "$trace"
if command -v script >/dev/null; then
	"$WORK" signals script -qec "'$SONDE' export -f '$TMP/conf' </dev/null >/dev/null" "$TMP/typed" >"$TMP/s.out" 2>"$TMP/s.err" </dev/null &
	pid_s=$! running="$running $!"
	wait_for 30 up trace
	equal terminal-up 0 $?
	stop s KILL
	nobody_answers() { page; ! [ -s "$TMP/page" ]; }
	wait_for 30 nobody_answers
	equal terminal-gone 0 $?
else
	skip terminal "no script(1) is here"
fi
clean left
