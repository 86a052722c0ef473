# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# bindsnoop: each bind of a known workload is one row, with its address, the port that it got, its options and its error;
# each socket that begins to listen is one with --listen; counts; filters; UNIX sockets; text.
. "${0%/*}/../lib.sh"

families=4
if [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; then
	families="4 6"
else
	skip ipv6 "no ::1 on this machine"
fi

# Without kprobes only bpf reads addresses of binds. The socket's own values need type information, and kprobes.
sees_socket() { has_kprobes && has btf && grep -q ' security_socket_bind$' /proc/kallsyms; }
error_name() { case $1 in 0) echo - ;; 98) echo EADDRINUSE ;; 2) echo ENOENT ;; *) echo "$1" ;; esac; }

# wanted ENGINE: pid comm proto addr port opts error; a port that the kernel chose is known to bpf alone.
wanted() {
	socket=0 follows=0
	sees_socket && socket=1
	[ "$1" = bpf ] && follows=$socket
	for f in $families; do
		awk -F '\t' -v OFS='\t' -v socket=$socket -v follows=$follows '
			$1 == "bind" {
				chosen = $6 < 7650 || $6 > 7659
				print $2, $3, socket ? $4 : "-", $5, chosen && (!follows || $6 == 0) ? "-" : $6,
				      socket ? $7 : "-", $8 == 98 ? "EADDRINUSE" : $8 ? $8 : "-" }' "$TMP/b$f.said"
	done
}
listeners() {
	for f in $families; do
		awk -F '\t' -v OFS='\t' '$1 == "listens" { print $2, $3, $5, $6, $7 }' "$TMP/b$f.said"
	done
}
pids() { for f in $families; do echo -n "$(pid b$f),"; done | sed 's/,$//'; }

for b in $ENGINES; do
	for f in $families; do
		load b$f "$WORK" -c 'b\x0a"' binds $((7650 + f)) $f
	done
	ids=
	if [ $b != bpf ] && ! has_kprobes; then
		refused binds-$b 'no kprobes' bindsnoop --backend $b
	elif start_or_skip binds-$b "$(absences $b)|no function security_socket_bind" s bindsnoop --backend $b --json -p "$(pids)"; then
		start x bindsnoop --backend $b --json -x
		start p bindsnoop --backend $b --json -P 7654
		start c bindsnoop --backend $b --json -c -p "$(pids)"
		start t bindsnoop --backend $b -t -E -U -w -4
		ids="s x p c t"
	fi
	start_or_skip listens-$b "$(absences $b)|no tracepoint sock:inet_sock_set_state" l bindsnoop --backend $b --json --listen && {
		start m bindsnoop --backend $b -l -P 7654
		start i bindsnoop --backend $b --json --listen --show-netns
		ids="$ids l i m"
	}
	for f in $families; do
		go b$f
	done
	for id in $ids; do
		stop $id
		equal ends-$id-$b 0 "$STATUS"
	done
	case $ids in s*)
		wanted $b >"$TMP/wanted"
		fields "$TMP/s.out" pid comm proto addr port opts error >"$TMP/got"
		same rows-$b "$TMP/wanted" "$TMP/got"
		equal lost-$b 0 "$(reported "$TMP/s.out" lost)"
		grep EADDRINUSE "$TMP/wanted" >"$TMP/failed"
		fields "$TMP/x.out" pid comm proto addr port opts error | grep "^\($(pids | tr , '|' | sed 's/|/\\|/g')\)	" >"$TMP/got"
		same failed-$b "$TMP/failed" "$TMP/got"
		awk -F '\t' '$5 == 7654' "$TMP/wanted" >"$TMP/one"
		fields "$TMP/p.out" pid comm proto addr port opts error >"$TMP/got"
		same port-$b "$TMP/one" "$TMP/got"
		awk -F '\t' -v OFS='\t' '$7 == "-" { n[$4 OFS $5]++ }
			END { for (i in n) print i, n[i] }' "$TMP/wanted" | sort >"$TMP/counted"
		fields "$TMP/c.out" addr port binds | sort >"$TMP/got"
		same counts-$b "$TMP/counted" "$TMP/got"
		contains text-head-$b "$TMP/t.out" \
			'^TIME\(s\)   UID    RC  PID     COMM             PROTO  ADDR                                    PORT  OPTS  IF  ERROR$'
		contains text-error-$b "$TMP/t.out" \
			"^[0-9.]{8,9} +[0-9-]+ +98  $(pid b4) +[^ ]+ +[-A-Z]+ +127.0.0.1 +7654 .*EADDRINUSE\$"
		equal text-ipv4-$b 0 "$(grep -c ::1 "$TMP/t.out")"
		;;
	esac
	case $ids in *m)
		# Backlogs need the function's argument or type information; a port that is chosen now, bpf.
		listeners | awk -F '\t' -v OFS='\t' -v b=$b '{ if (b != "bpf" && ($4 < 7650 || $4 > 7659)) $4 = "-"; print }' \
			>"$TMP/wanted"
		fields "$TMP/l.out" pid comm addr port backlog | grep "^\($(pids | tr , '|' | sed 's/|/\\|/g')\)	" >"$TMP/got"
		has_kprobes || [ $b = bpf ] || sed -i 's/[0-9]*$/-/' "$TMP/wanted"
		same listens-$b "$TMP/wanted" "$TMP/got"
		# The namespace needs type information; from rings, a kprobe too.
		netns=$(stat -L -c %i /proc/self/ns/net 2>/dev/null || echo '[0-9]*')
		has btf && { [ $b = bpf ] || has_kprobes; } || netns=-
		fields "$TMP/i.out" pid netns | grep "^$(pid b4)	" >"$TMP/got"
		equal netns-$b "$(listeners | grep -c "^$(pid b4)	")" "$(grep -c "	$netns\$" "$TMP/got")"
		contains listens-head-$b "$TMP/m.out" '^PID     COMM             PROTO  ADDR            PORT  BACKLOG ERROR$'
		contains listens-row-$b "$TMP/m.out" "^$(pid b4) +[^ ]+ +(TCP|-) +127.0.0.1       7654  [-5] +-\$"
		;;
	esac

	[ $b = bpf ] || has_kprobes || continue
	mkdir "$TMP/names$b"
	load n "$WORK" -c 'n\x0a"' names "$TMP/names$b"
	start u bindsnoop --backend $b --unix -p "$(pid n)" || { go n; continue; }
	start v bindsnoop --backend $b -p "$(pid n)"
	go n
	stop u
	stop v
	awk -F '\t' -v OFS='|' '$1 == "name" { print "UNIX", $4, $5 == 2 ? "ENOENT" : "-" }' "$TMP/n.said" >"$TMP/wanted"
	sed 1,2d "$TMP/u.out" | sed 's/^[0-9]* *n\\n\\" *UNIX   //; s/  *-     [^ ]* *[^ ]* *\([^ ]*\)$/|\1/; s/^/UNIX|/' >"$TMP/got"
	same names-$b "$TMP/wanted" "$TMP/got"
	equal no-names-$b 2 "$(wc -l <"$TMP/v.out")"
done
for wrong in '-4 -6' '-P 0' '-l --unix' '-c -x' '--unix -c' '-c --name x' 'rest'; do
	# shellcheck disable=SC2086
	"$SONDE" bindsnoop $wrong >"$TMP/usage" 2>&1
	equal "usage-$(echo $wrong | tr ' ' _)" 2 $?
done
clean left
quiet kernel-log
