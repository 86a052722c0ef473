# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# --exec, stat and bt -c: the exit status is the command's, and what sonde does in the command's process before it runs the
# command is not shown.
. "${0%/*}/../lib.sh"

echo 'not a program' >"$TMP/plain"
printf '#!/no/such/interpreter\n' >"$TMP/bad"
# A file without a format is a script of the shell.
printf 'exit 5\n' >"$TMP/script"
chmod +x "$TMP/script" "$TMP/bad"
mkdir "$TMP/folder"

# status NAME WANTED COMMAND...: with each way to run a command.
status() {
	name=$1 wanted=$2
	shift 2
	for b in $ENGINES; do
		"$SONDE" tcpconnect --backend $b --exec "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
		got=$?
		why=$(absences $b)
		if [ $got = 1 ] && [ -n "$why" ] && grep -qE "$why" "$TMP/err"; then
			skip $name-$b "$(head -n 1 "$TMP/err")"
		else
			equal $name-$b $wanted $got
		fi
	done
	"$SONDE" stat -e page-faults "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	equal $name-stat $wanted $?
	"$SONDE" bt -q -e 'interval:s:100 { }' -c "$*" >"$TMP/out" 2>"$TMP/err" </dev/null
	equal $name-bt $wanted $?
}
status true 0 true
status false 1 false
status leave 7 "$WORK" leave 7
status script 5 "$TMP/script"
status absent 127 no-such-command-at-all
contains absent-why "$TMP/err" "^sonde: can't run no-such-command-at-all: No such file"
status plain 126 "$TMP/plain"
contains plain-why "$TMP/err" "^sonde: can't run .*: Permission denied"
status folder 126 "$TMP/folder"
status interpreter 127 "$TMP/bad"

"$SONDE" tcpconnect --exec sh -c 'kill -TERM $$' >"$TMP/out" 2>"$TMP/err" </dev/null
equal killed 143 $?
# A script's own status is the script's.
"$SONDE" bt -q -e 'BEGIN { exit(3) }' -c true >"$TMP/out" 2>"$TMP/err" </dev/null
equal own 3 $?
# The tracing ends before the command does.
"$SONDE" tcpconnect --duration 1 --exec sleep 3 >"$TMP/out" 2>"$TMP/err" </dev/null
equal ended-before 0 $?

# traced NAME PATTERN ENGINE ARGS...: runs it to its end; where it can't run, that is a SKIP.
traced() {
	name=$1 pattern=$2
	shift 2
	"$SONDE" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null && return 0
	if [ -n "$pattern" ] && grep -qE "$pattern" "$TMP/err"; then
		skip $name "$(head -n 1 "$TMP/err")"
	else
		fail $name "sonde $* ended with a status other than 0:"
		notes "$TMP/err"
	fi
	return 1
}
# The first call is the exec itself.
for b in $ENGINES; do
	traced first-$b "$(absences $b)|records do not tell which calls" systrace --backend $b --exec "$WORK" leave 0 || continue
	grep -oE '[a-z_0-9]+\([a-z_]+: .*' "$TMP/out" | head -n 1 >"$TMP/got"
	if grep -qE 'events? (of all tasks )?lost' "$TMP/err"; then
		skip first-$b "events were lost"
	else
		contains first-$b "$TMP/got" '^execve\('
	fi
done

# What waits is not sonde.
for b in $ENGINES; do
	traced off-$b "$(absences_of_stacks $b)" offcputime --backend $b -f --exec "$WORK" leave 0 || continue
	equal off-$b 0 "$(grep -c '^sonde;' "$TMP/out")" || notes "$TMP/out"
done
quiet kernel-log
