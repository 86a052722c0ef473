# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# The prompt comes back at once; what is taken away after that is a process of its own, which holds nothing of ours, is
# not ended by what ends a shell's job, and leaves nothing behind. Times are notes: bounds are those of nobody's patience.
. "${0%/*}/../lib.sh"

for tool in opensnoop execsnoop statsnoop tcplife cachestat biolatency; do
	for b in $ENGINES; do
		"$WORK" prompt "$TRACEFS" 300 "$SONDE" $tool --verbose --backend $b >"$TMP/times" 2>"$TMP/err" || {
			skip $tool-$b "$b can't serve $tool here"
			continue
		}
		read -r attach prompt gone status <"$TMP/times"
		echo "# $tool-$b: attached after $attach ms, prompt after $prompt ms, detached $gone ms later"
		equal status-$tool-$b 0 "$status"
		between prompt-$tool-$b 0 "$prompt" 5000
		clean left-$tool-$b
	done
done

# A reader's end of file comes with the prompt, and locks that sonde was started with are free.
echo >"$TMP/locked"
"$WORK" holding "$TMP/locked" "$SONDE" cachestat 1 1 >"$TMP/out" 2>"$TMP/err" </dev/null
equal silent-status 0 $?
equal silent 0 "$(wc -c <"$TMP/err")"
unlocked() { ! "$WORK" locked "$TMP/locked"; }
expect inherited-lock wait_for 5 unlocked

# detacher: the one whose turn it is, as $held.
detacher() {
	held=
	for p in $(grep -lx sonde-detach /proc/[0-9]*/comm 2>/dev/null | sed 's,^/proc/,,; s,/.*,,'); do
		! ls -l /proc/$p/fd 2>/dev/null | grep -q " -> $TRACEFS/README\$" || held=$p
	done
	[ -n "$held" ]
}
# held_up NAME: a run by ftrace has ended, and its detacher, $held, can't remove the $instance: we look into it.
held_up() {
	start_or_skip "$1" "$(absences ftrace)" s tcpconnect --backend ftrace || return 1
	instance=$(sed -n 's/^ftrace: instance \([^,]*\),.*/\1/p' "$TMP/s.err" | head -n 1)
	exec 8<"$instance/trace"
	stop s
	equal "$1-status" 0 "$STATUS"
	wait_for 10 detacher || { fail "$1" "nobody removes $instance"; exec 8<&-; return 1; }
}
instance_gone() { [ ! -d "$instance" ]; }

if held_up detacher; then
	equal name sonde-detach "$(cat /proc/$held/comm)"
	equal command-line sonde-detach "$(tr -d '\0' </proc/$held/cmdline)"
	equal session "$held" "$(sed 's/.*) //' /proc/$held/stat | cut -d ' ' -f 4)"
	equal folder / "$(readlink /proc/$held/cwd)"
	equal files "/dev/null /dev/null /dev/null" "$(for i in 0 1 2; do readlink /proc/$held/fd/$i; done | xargs)"
	for signal in INT TERM HUP QUIT PIPE; do
		kill -$signal $held
	done
	exec 8<&-
	expect signals-do-not-matter wait_for 10 instance_gone
	clean detached-left
fi
if held_up killed; then
	kill -KILL $held
	exec 8<&-
	dead() { ! [ -d /proc/$held ] || grep -q '^State:.Z' /proc/$held/status; }
	expect killed-dies wait_for 10 dead
	"$SONDE" cachestat 1 1 >"$TMP/out" 2>"$TMP/err" </dev/null
	expect killed-swept instance_gone
	clean killed-left
fi

# Some kernels remove no instance while any other's rings are open: who ends last removes them all.
if start_or_skip two "$(absences ftrace)" s tcpconnect --backend ftrace; then
	start t tcpconnect --backend ftrace
	stop s
	stop t
	clean two-left
fi

# What a killed sonde has left is nobody's: `probe --del` removes it.
if start_or_skip orphan "$(absences perf)|$(why kprobes)" s funccount vfs_read --backend perf; then
	group=$(sed -n 's,^.*:\(sonde_[a-z0-9]*\)/.*,\1,p' "$TRACEFS/kprobe_events" | tail -n 1)
	"$SONDE" probe --del "$group:*" >"$TMP/del" 2>&1
	equal owned "sonde: probe: $group:* belongs to a running sonde, which removes it" "$(cat "$TMP/del")"
	kill -KILL "$(pid s)"
	wait_for 10 gone s
	orphan_gone() { "$SONDE" probe --del "$group:*" >"$TMP/del" 2>&1; }
	expect orphan-removed wait_for 10 orphan_gone
	equal orphan-says "$group:* removed, with all else that killed runs of sonde left" "$(cat "$TMP/del")"
	clean orphan-left
fi

# `probe --clean` removes all that is nobody's, and nothing of a running sonde.
if start_or_skip cleaned "$(absences ftrace)" s tcpconnect --backend ftrace; then
	instance=$(sed -n 's/^ftrace: instance \([^,]*\),.*/\1/p' "$TMP/s.err" | head -n 1)
	"$SONDE" probe --clean >"$TMP/cleaned" 2>&1
	expect clean-keeps-running [ -d "$instance" ]
	kill -KILL "$(pid s)"
	wait_for 10 gone s
	clean_says() {
		"$SONDE" probe --clean >>"$TMP/cleaned" 2>&1
		grep -qx "instance ${instance##*/} removed" "$TMP/cleaned"
	}
	expect clean-removes wait_for 10 clean_says
	expect clean-removed instance_gone
	clean cleaned-left
fi

# In a container the first process may end with this one: what has a name is taken away before the prompt.
if start_or_skip contained "$(absences ftrace)" s tcpconnect --backend ftrace --without root-pidns; then
	instance=$(sed -n 's/^ftrace: instance \([^,]*\),.*/\1/p' "$TMP/s.err" | head -n 1)
	stop s
	expect contained-gone instance_gone
fi

# What was made until something went wrong goes as well: here, files ran out.
for b in $ENGINES; do
	case $SONDE in
	*/as-formed) break ;;	# a shell, which needs more itself
	esac
	(ulimit -n 8; exec "$SONDE" tcplife --backend $b) >"$TMP/out" 2>"$TMP/err" </dev/null &
	pid_half=$!
	running="$running $!"
	half_ended() { ! [ -d /proc/$pid_half ] || grep -q '^State:.Z' /proc/$pid_half/status; }
	wait_for 10 half_ended
	kill -INT $pid_half 2>/dev/null
	wait $pid_half
	equal half-$b 1 $?
	forget half
	why=$(absences $b)
	if [ -n "$why" ] && grep -qE "$why" "$TMP/err"; then
		skip half-why-$b "$(head -n 1 "$TMP/err")"
	else
		contains half-why-$b "$TMP/err" '(Too many open files|too many)'
	fi
	clean half-left-$b
done

quiet kernel-log
