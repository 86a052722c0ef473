# SPDX-License-Identifier: GPL-2.0
# timeout: 200
#
# What it waits for: locks of tracefs that others hold, sondes that are stopped, readers that do not read. Each wait ends,
# by a signal at once, and says what it was for.
. "${0%/*}/../lib.sh"

# holds ID FILE HOW SECONDS: a process that has the lock of a file of tracefs.
holds() {
	flock "$3" "$TRACEFS/$2" sleep "$4" &
	eval "pid_$1=$!"
	running="$running $!"
	wait_for 10 held "$2" "$3"
}
# held FILE HOW: another process has the lock.
held() { ! flock -n "$([ "$2" = -x ] && echo -s || echo -x)" "$TRACEFS/$1" true 2>/dev/null; }
# With its child.
let_go() {
	kill $(child "$(pid "$1")" sleep) "$(pid "$1")" 2>/dev/null
	wait "$(pid "$1")" 2>/dev/null
	forget "$1"
}

if command -v flock >/dev/null; then
	for file in events options; do
		holds locker $file -x 60
		timeout $((40 * SLOW)) "$SONDE" tcpconnect --duration 1 >"$TMP/out" 2>"$TMP/err" </dev/null
		equal goes-on-$file 0 $?
		let_go locker
	done
	holds locker events -x 60
	timeout $((40 * SLOW)) "$SONDE" tcpconnect --duration 1 >"$TMP/out" 2>"$TMP/err" </dev/null
	contains says-who "$TMP/err" "waiting for the lock .flock. of $TRACEFS/events, which process $(pid locker) .(flock|sleep)."
	contains says-so "$TMP/err" 'going on without this lock'
	# A signal ends it before it goes on.
	"$WORK" signals "$SONDE" tcpconnect >"$TMP/s.out" 2>"$TMP/s.err" </dev/null &
	pid_s=$!
	running="$running $!"
	wait_for 10 grep -q 'waiting for the lock' "$TMP/s.err"
	kill -INT $pid_s
	await s 2
	equal signal-ends 1 $STATUS
	contains signal-said "$TMP/s.err" 'ended by a signal before it traced'
	let_go locker
else
	skip locks "flock(1) is not installed"
fi

# Others start and end while one is stopped, wherever that is; when it goes on it ends as ever, and nothing is left.
for b in $ENGINES; do
	for after in 0.05 0.1 0.2 0.4; do
		"$WORK" signals "$SONDE" tcpconnect --backend $b --duration 3 >"$TMP/stopped.out" 2>"$TMP/stopped.err" </dev/null &
		pid_stopped=$!
		running="$running $!"
		sleep $after
		kill -STOP $pid_stopped
		timeout $((40 * SLOW)) "$SONDE" tcpconnect --backend $b --duration 1 >"$TMP/out" 2>"$TMP/other.err" </dev/null
		other=$?
		kill -CONT $pid_stopped
		await stopped 30
		if [ $other != 0 ] && [ $other != 124 ] && absent beside-stopped-$b-$after $b "$TMP/other.err"; then
			continue
		fi
		equal beside-stopped-$b-$after 0 $other
		equal stopped-$b-$after 0 $STATUS
	done
	clean stopped-$b-left
done

# Many are killed while others start all the time: what they leave does not wait for a pause.
if has_kprobes; then
	(while [ ! -e "$TMP/enough" ]; do "$SONDE" tcpconnect --backend perf --duration 1 >/dev/null 2>&1 </dev/null; done) &
	pid_busy=$!
	running="$running $!"
	n=0
	while [ $n -lt 20 ]; do
		"$SONDE" tcpconnlat --backend ftrace >/dev/null 2>&1 </dev/null &
		pid_killed=$!
		sleep 0.$((n % 5 + 1))
		kill -KILL $pid_killed 2>/dev/null
		wait $pid_killed 2>/dev/null
		n=$((n + 1))
	done
	none_left() { ! grep -q sonde_ "$TRACEFS/kprobe_events"; }
	expect killed-beside-others wait_for 60 none_left
	# One that begins behind the last that was killed removes what that one left.
	: >"$TMP/enough"
	wait $pid_busy 2>/dev/null
	"$SONDE" tcpconnect --backend perf --duration 1 >/dev/null 2>&1 </dev/null
	forget busy
	clean killed-left
fi

# Nobody reads any more, and the pipe is full: one signal ends it, and it says so.
for b in $ENGINES; do
	mkfifo "$TMP/full"
	"$WORK" signals "$SONDE" exitsnoop --backend $b --json --verbose >"$TMP/full" 2>"$TMP/full.err" </dev/null &
	pid_full=$!
	running="$running $!"
	exec 7<"$TMP/full"
	if wait_for 30 grep -q '^sonde: tracing' "$TMP/full.err"; then
		sh -c 'i=0; while [ $i -lt 900 ]; do (:); i=$((i + 1)); done'
		sleep 1
		kill -INT $pid_full
		await full 5
		equal full-pipe-$b 1 $STATUS
		contains full-pipe-said-$b "$TMP/full.err" 'does not read: the last [1-9][0-9]* lines or more are missing'
	else
		stop full KILL
		absent full-pipe-$b $b "$TMP/full.err" || fail full-pipe-$b "$(tail -n 1 "$TMP/full.err")"
	fi
	exec 7<&-
	rm "$TMP/full"
	clean full-pipe-$b-left
done
