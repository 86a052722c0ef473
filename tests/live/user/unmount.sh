# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# A file system is unmounted while its files have uprobes: before 4.18 the kernel crashes when such a uprobe is removed,
# unless the file is open. Newer kernels do here what sonde does on those.
. "${0%/*}/../lib.sh"

old='--without uprobe-mount,uprobe-multi'
busy() { dmesg | grep -c 'Busy inodes after unmount'; }
busy_before=$(busy)
lib=$TMP/libc.so.6
expect library "$WORK" library "$lib" || exit 1
mkdir "$TMP/folder"

# mapper: a process whose mount namespace ends with it, and a file system that it alone has; its file has been removed.
mapper() {
	"$WORK" maps "$TMP/folder" libc.so.6 >"$TMP/n.said" 2>&1 &
	pid_n=$!
	running="$running $!"
	wait_for 10 grep -q mapped "$TMP/n.said"
}
end_mapper() {
	kill -KILL "$(pid n)"
	wait "$(pid n)" 2>/dev/null
	forget n
}
dead() { ! [ -d "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"; }
all_dead() { for p; do dead "$p" || return 1; done; }
mapper || { skip unmount "no mount namespace here: $(cat "$TMP/n.said")"; exit 0; }
end_mapper

for b in $ENGINES; do
	for signal in INT KILL; do
		name=$b-$signal
		mapper
		# shellcheck disable=SC2086
		start_or_skip $name "$(absences $b)" s gethostlatency --backend $b $old || { end_mapper; continue; }
		contains $name-probed "$TMP/s.err" 'uprobe .*/folder/libc.so.6 \(deleted\):getaddrinfo$'
		holder=$(child "$(pid s)" sonde-detach) || fail $name "nobody holds the files"
		equal $name-command-line sonde-detach "$(tr -d '\0' <"/proc/$holder/cmdline")"
		equal $name-session "$holder" "$(sed 's/.*) //' "/proc/$holder/stat" | cut -d ' ' -f 4)"
		ls -l "/proc/$holder/fd" | sed -n 's/.* -> //p' | grep -vE '^/dev/null$|^pipe:|/libc.so.6( .deleted.)?$|\.so(\.[0-9]*)*$' >"$TMP/held"
		equal $name-files 0 "$(wc -l <"$TMP/held")" || notes "$TMP/held"
		for ignored in INT TERM HUP QUIT; do
			kill -$ignored "$holder"
		done
		end_mapper
		stop s $signal
		expect $name-ends wait_for 20 dead "$holder"
		clean $name-left
	done
done

# Several that end at a time: each keeps its files until its own probes are gone.
mapper
set --
holders=
for i in a b c d; do
	# shellcheck disable=SC2086
	start_or_skip several-$i "$(absences perf)" $i gethostlatency --backend perf $old || continue
	set -- "$@" "$(pid $i)"
	holders="$holders $(child "$(pid $i)" sonde-detach)"
done
end_mapper
if [ $# -gt 0 ]; then
	kill -INT "$@"
	for i in a b c d; do
		await $i
	done
	# shellcheck disable=SC2086
	expect several-end wait_for 30 all_dead $holders
	clean several-left
fi

# Without the one who holds the files the probes stay: nobody knows whether they may be removed. Here they may.
# shellcheck disable=SC2086
if start_or_skip orphan "$(absences perf)" s gethostlatency --backend perf $old --libc "$lib"; then
	group=$(sed -n 's,^.*:\(sonde_[a-z0-9]*\)/.*,\1,p' "$TRACEFS/uprobe_events" | tail -n 1)
	holder=$(child "$(pid s)" sonde-detach)
	kill -KILL "$holder"
	stop s KILL
	# shellcheck disable=SC2086
	"$SONDE" gethostlatency --backend perf $old --libc "$lib" --duration 1 >"$TMP/out" 2>"$TMP/err" </dev/null
	wait_for 60 detached
	# Other sondes of this machine remove them.
	if has uprobe-mount && ! grep -q ":$group/" "$TRACEFS/uprobe_events"; then
		skip orphan-stays "somebody else's sonde has removed it"
	else
		contains orphan-stays "$TRACEFS/uprobe_events" ":$group/"
		"$SONDE" probe --del "$group:*" --without uprobe-mount >"$TMP/out" 2>"$TMP/err"
		equal orphan-refused 1 $?
		contains orphan-says "$TMP/err" "$group:\\* belongs to a run of sonde that was killed, and stays: this kernel crashes when it removes a uprobe"
	fi
	sed -n "s,^.:\\($group/[^ ]*\\) .*,-:\\1,p" "$TRACEFS/uprobe_events" | while read -r line; do
		echo "$line" >>"$TRACEFS/uprobe_events"
	done
	clean orphan-left
fi

# What stays without any process: who makes it is told.
if has uprobes; then
	"$SONDE" probe --add "mine=$lib:getaddrinfo" --dump --without uprobe-mount >"$TMP/out" 2>"$TMP/err"
	equal kept 0 $?
	contains kept-says "$TMP/err" "remove probes:mine before the file system of its file is unmounted"
fi

equal busy "$busy_before" "$(busy)"
quiet kernel-log
