# SPDX-License-Identifier: GPL-2.0
# timeout: 180
#
# checklist: ten tools at once. Each is shown, or is named at the end with its reason, none twice; it ends when it is asked
# to, shows what there is until then, and leaves nothing behind.
. "${0%/*}/../lib.sh"

general="execsnoop opensnoop fileslower biolatency biosnoop cachestat tcpconnect tcpaccept tcpretrans runqlat"
disk="vfsstat filetop fileslower syncsnoop cachestat biotop biolatency biosnoop biopattern filelife"
network="nettop tcptop tcpconnect tcpconnlat tcpaccept tcplife tcpretrans tcpdrop tcprtt gethostlatency"

shown() { sed -n 's/^== \([a-z0-9]*\):.*/\1/p' "$1"; }
absentees() { sed '1,/^== not shown$/d' "$1" | sed -n 's/^  //p' | tr ' ' '\n'; }
# whole NAME FILE TOOLS: all ten, once each, with a line on how to read it and one on what comes next; and reasons.
whole() {
	echo "$3" | tr ' ' '\n' | sort >"$TMP/wanted"
	{ shown "$2"; absentees "$2"; } | sort >"$TMP/got"
	same "$1-tools" "$TMP/wanted" "$TMP/got"
	n=$(shown "$2" | wc -l)
	equal "$1-read" "$n" "$(grep -c '^read: ' "$2")"
	equal "$1-next" "$n" "$(grep -c '^next: ' "$2")"
	# A reason, once, and behind it the tools it is of.
	equal "$1-reasons" "" "$(sed '1,/^== not shown$/d' "$2" | grep -v '^  ' | sort | uniq -d)"
	equal "$1-reasons-of" "$(sed '1,/^== not shown$/d' "$2" | grep -c '^  ')" "$(sed '1,/^== not shown$/d' "$2" | grep -c ':$')"
}
# here TOOLS: those that run here by themselves, and so run among the others.
here() {
	for t in $1; do
		"$SONDE" "$t" --dump >/dev/null 2>&1 && echo "$t"
	done
}
here "$general" >"$TMP/here"

# Something to see meanwhile.
timeout $((60 * SLOW)) "$SONDE" checklist 4 >"$TMP/out" 2>"$TMP/err" </dev/null &
running="$running $!"
checklist=$!
for i in 1 2 3 4 5 6 7 8; do
	sleep 0.5
	"$WORK" noop
	cat /proc/version >/dev/null
done
wait $checklist
equal status "$([ -s "$TMP/here" ] && echo 0 || echo 1)" $?
[ ! -s "$TMP/here" ] || equal quiet "" "$(cat "$TMP/err")"
whole whole "$TMP/out" "$general"
shown "$TMP/out" >"$TMP/got"
same served "$TMP/here" "$TMP/got"
for t in execsnoop:noop opensnoop:/proc/version runqlat:distribution; do
	grep -qx "${t%:*}" "$TMP/here" || continue
	sed -n "/^== ${t%:*}:/,/^read: /p" "$TMP/out" >"$TMP/part"
	contains "shows-${t%:*}" "$TMP/part" "${t#*:}|more kinds"
done
# Excerpts are bounded, whatever happens on the machine.
equal bounded 0 "$(awk '/^== / { n = 0 } { if (++n > 40) over = 1 } END { print over + 0 }' "$TMP/out")"
# What the ten do is nobody's answer.
equal own 0 "$(grep -cE '^ +[0-9]+ +([0-9.]+ +)?sonde(-detach)? ' "$TMP/out")"
clean left

# What happens most comes first, however late it begins.
if grep -qx opensnoop "$TMP/here"; then
	timeout $((60 * SLOW)) "$SONDE" checklist 6 >"$TMP/out" 2>"$TMP/err" </dev/null &
	running="$running $!"
	pid_c=$!
	sleep 3
	while alive c; do
		for i in 1 2 3 4 5 6 7 8 9 10; do
			true <"$TMP/no-such-file"
		done
	done 2>/dev/null
	wait $pid_c
	sed -n '/^== opensnoop:/,/^read: /p' "$TMP/out" >"$TMP/part"
	contains most "$TMP/part" "^ +[0-9]+ +[a-z]+ +2 +$TMP/no-such-file"
fi

# Who waits for the others is not said to be unable.
if "$SONDE" tcpconnect --without bpf --dump >/dev/null 2>&1; then
	(exec 9<"$TRACEFS/events" && flock -x 9 && exec sleep $((60 * SLOW))) &
	running="$running $!"
	holder=$!
	"$WORK" signals "$SONDE" checklist 300 --without bpf >"$TMP/out" 2>"$TMP/err" </dev/null &
	pid_c=$!
	running="$running $!"
	sleep 4
	kill -INT $pid_c
	await c 90
	kill $holder
	contains waits "$TMP/out" '^not attached after [0-9]+ s: it (waited in|was at work)'
fi

# The other lists, with the words in either order.
for list in disk network; do
	eval "tools=\$$list"
	here "$tools" >"$TMP/served"
	words="$list 2"
	[ $list = disk ] || words="2 $list"
	# shellcheck disable=SC2086
	timeout $((60 * SLOW)) "$SONDE" checklist $words >"$TMP/out" 2>"$TMP/err" </dev/null
	equal status-$list "$([ -s "$TMP/served" ] && echo 0 || echo 1)" $?
	whole $list "$TMP/out" "$tools"
	shown "$TMP/out" >"$TMP/got"
	same served-$list "$TMP/served" "$TMP/got"
done
clean lists-left

# Ctrl-C: what there is until then.
"$WORK" signals "$SONDE" checklist 300 >"$TMP/out" 2>"$TMP/err" </dev/null &
pid_c=$!
running="$running $!"
sleep $((3 * SLOW))
kill -INT $pid_c
await c 60
equal interrupt "$([ -s "$TMP/here" ] && echo 0 || echo 1)" "$STATUS"
whole interrupted "$TMP/out" "$general"
clean interrupt-left

# A reader who goes away, and SIGKILL: no tool stays.
nobody_left() {
	for p in /proc/[0-9]*; do
		! tr '\0' ' ' <"$p/cmdline" 2>/dev/null | grep -qE '^sonde (execsnoop --max-args 8|cachestat [0-9]+ 5) ' || return 1
	done
}
timeout $((60 * SLOW)) "$SONDE" checklist 2 2>"$TMP/err" | head -n 1 >"$TMP/out"
expect pipe-left wait_for 10 nobody_left
"$SONDE" checklist 300 >"$TMP/out" 2>"$TMP/err" </dev/null &
pid_c=$!
running="$running $!"
sleep $((2 * SLOW))
kill -KILL $pid_c
await c 2>/dev/null
expect kill-left wait_for 20 nobody_left
clean kill-tracefs

# Without rights: why, once.
cp "$SONDE" "$TMP/sonde-nobody"
chmod 755 "$TMP" "$TMP/sonde-nobody"
timeout $((60 * SLOW)) "$WORK" as 65534 "$TMP/sonde-nobody" checklist 1 >"$TMP/out" 2>"$TMP/err" </dev/null
equal nobody-status 1 $?
equal nobody-lines 1 "$(wc -l <"$TMP/out")"
contains nobody-said "$TMP/err" 'none of its tools can run here: tracing needs root'
equal nobody-once 2 "$(wc -l <"$TMP/err")"

for words in 0 x 1x 99999 "1 2" "disk network" "disk disk" --nosuch --without; do
	"$SONDE" checklist $words >"$TMP/out" 2>"$TMP/err" </dev/null
	equal "misuse-$(echo "$words" | tr -d ' -')" 2 $?
done
quiet kernel-log
