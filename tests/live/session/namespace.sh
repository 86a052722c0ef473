# SPDX-License-Identifier: GPL-2.0
#
# Pid namespaces: sonde in one of its own (a container that may trace) shows the machine's tasks under the machine's
# numbers (what it could not do rightly it refuses: errors.sh); on the machine it shows the tasks of a container so, too.
. "${0%/*}/../lib.sh"

has root-pidns || { skip inside "this is a container already"; exit 0; }
mkdir "$TMP/dir"
engines=$(engines_for_strings)
contained=$TMP/contained
printf '#!/bin/sh\nexec unshare -m -p -f --mount-proc %s "$@"\n' "$SONDE" >"$contained"
chmod 755 "$contained"
unshare -m -p -f --mount-proc true 2>"$TMP/why" || { skip inside "no pid namespaces here: $(head -n 1 "$TMP/why")"; exit 0; }
outside=$SONDE

for b in $ENGINES; do
	# A program of the machine's, seen from within: its numbers are not those of the container's /proc.
	SONDE=$contained
	load w "$WORK" -c seen connects 5 7040 4
	if start_or_skip inside-$b "$(absences $b)" s tcpconnect --backend $b --json --port 7040 --duration $((3 * SLOW)); then
		go w
		await s && equal inside-ends-$b 0 "$STATUS"
		# Whose thread it is can be told by BPF alone: /proc does not speak of the machine's tasks.
		awk -F '\t' -v OFS='\t' -v bpf=$([ $b != bpf ] || echo 1) '{ print bpf ? $2 : "-", $8, $9 }' \
			"$TMP/w.said" >"$TMP/wanted"
		fields "$TMP/s.out" pid daddr dport >"$TMP/got"
		same inside-$b "$TMP/wanted" "$TMP/got"
		expect inside-names-$b [ "$(fields "$TMP/s.out" comm | grep -cvxE 'seen|-')" = 0 ]
	else
		go w
	fi
	SONDE=$outside

	# A container's program, seen from the machine.
	case " $(echo $engines) " in *" $b "*) ;; *) continue ;; esac
	rm -rf "$TMP/w.go" "$TMP/w.go.ready"
	unshare -m -p -f --mount-proc "$WORK" -c contained -w "$TMP/w.go" opens 1 "$TMP/dir" >"$TMP/w.said" 2>"$TMP/w.err" &
	eval "pid_w=$!"
	running="$running $!"
	wait_for 10 [ -d "$TMP/w.go.ready" ]
	number=$(grep -lx contained /proc/[0-9]*/comm 2>/dev/null | cut -d / -f 3)
	start_or_skip outside-$b "$(absences $b)" s opensnoop --backend $b --json --pid "$number" || { go w; continue; }
	go w
	stop s
	awk -F '\t' -v OFS='\t' -v pid="$number" '$1 == "open" { print pid, $4, $8 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid comm path >"$TMP/got"
	same outside-$b "$TMP/wanted" "$TMP/got"
done
clean left
quiet kernel-log
