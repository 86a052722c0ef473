# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# tcpstates: the changes of state of both ends of known sessions, on every engine, with tasks where they act themselves.
. "${0%/*}/../lib.sh"

# The changes of one end that closes first, and of the other, as lines "OLD NEW WHO" of a life; WHO: does it itself. A
# function that is probed instead of an event does not see what a listener does.
states() {
	case $1-$2 in
	client-*) printf 'CLOSE SYN_SENT 1\nSYN_SENT ESTABLISHED 0\n' ;;
	server-event) printf 'LISTEN SYN_RECV 0\nSYN_RECV ESTABLISHED 0\n' ;;
	server-function) printf 'SYN_RECV ESTABLISHED 0\n' ;;
	esac
	case $3 in
	first) printf 'ESTABLISHED FIN_WAIT1 1\nFIN_WAIT1 FIN_WAIT2 0\nFIN_WAIT2 CLOSE 0\n' ;;
	second) printf 'ESTABLISHED CLOSE_WAIT 0\nCLOSE_WAIT LAST_ACK 1\nLAST_ACK CLOSE 0\n' ;;
	reset) printf 'ESTABLISHED CLOSE 0\n' ;;
	esac
}
# wanted ID WHO HOW EVENT: of one side (client, server) of a workload's sessions: pid comm oldstate newstate.
wanted() {
	awk -F '\t' -v who="$2" '$1 == "life" && $2 == who { print $3, $4 }' "$TMP/$1.said" | while read -r pid comm; do
		states "$2" "$4" "$3" | while read -r old new own; do
			[ "$own" = 1 ] && printf '%s\t%s' "$pid" "$comm" || printf -- '-\t-'
			printf '\t%s\t%s\n' "$old" "$new"
		done
	done
}
got() { fields "$1" pid comm oldstate newstate; }

for b in $ENGINES; do
	# By the other's port each, so that one of both ends is shown: the client's has none when it begins to connect.
	load c "$WORK" sessions 3 7241 4 3000 2000 client
	load e "$WORK" sessions 3 7242 4 3000 2000 server
	load r "$WORK" sessions 2 7243 4 3000 2000 server reset
	load f "$WORK" connects 2 7244 4 refused
	start_or_skip ends-$b "$(absences $b)" s tcpstates --backend $b --json -D 7241 || { go c e r f; continue; }
	start t tcpstates --backend $b --json -L 7242
	start u tcpstates --backend $b --json -D 7243
	start v tcpstates --backend $b --json -D 7244
	how=event
	grep -q 'tcp.set_state: kprobe' "$TMP/s.err" && how=function
	go c e r f
	stop s && stop t && stop u && stop v && equal ends-$b 0 "$STATUS"
	lossless lost-$b $b "$TMP/s.out"
	# A connection may begin before the last change of the one before.
	wanted c client first $how | sort >"$TMP/wanted"
	got "$TMP/s.out" | sort >"$TMP/got"
	same client-$b "$TMP/wanted" "$TMP/got"
	{
		wanted e server first $how
		[ $how = function ] || printf '%s\twork\tCLOSE\tLISTEN\n' "$(awk '$2 == "client" { print $3; exit }' "$TMP/e.said")"
		printf '%s\twork\tLISTEN\tCLOSE\n' "$(awk '$2 == "client" { print $3; exit }' "$TMP/e.said")"
	} | sort >"$TMP/wanted"
	# Two packets may make a child each for the same connection; one is closed at once.
	fields "$TMP/t.out" pid comm oldstate newstate skaddr | awk -F '\t' -v OFS='\t' '
		$3 == "LISTEN" && $4 == "SYN_RECV" { held[$5] = 1; next }
		$3 == "SYN_RECV" && $4 == "CLOSE" { held[$5] = 0; next }
		held[$5] { print "-", "-", "LISTEN", "SYN_RECV"; held[$5] = 0 }
		{ print $1, $2, $3, $4 }' | sort >"$TMP/got"
	same server-$b "$TMP/wanted" "$TMP/got"
	wanted r client reset $how | sort >"$TMP/wanted"
	got "$TMP/u.out" | sort >"$TMP/got"
	same reset-$b "$TMP/wanted" "$TMP/got"
	awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $4, "CLOSE", "SYN_SENT"; print "-", "-", "SYN_SENT", "CLOSE" }' \
		"$TMP/f.said" >"$TMP/wanted"
	got "$TMP/v.out" >"$TMP/got"
	same refused-$b "$TMP/wanted" "$TMP/got"

	# The same socket from state to state; how long each lasted is known but of the first.
	fields "$TMP/s.out" skaddr laddr raddr rport oldstate newstate ms | awk -F '\t' '
		$2 != "127.0.0.1" || $3 != $2 || $4 != 7241 || $1 !~ /^[0-9a-f]+$/ { print; next }
		$5 == "CLOSE" { state[$1] = $6; if ($7 != "-") print; next }
		state[$1] != $5 || !($7 > 0 && $7 < 60000) { print }
		{ state[$1] = $6 }' >"$TMP/strange"
	expect chain-$b [ ! -s "$TMP/strange" ]

	# As text: bcc's columns, narrow and wide.
	load w "$WORK" connects 1 7245 4 refused
	start s tcpstates --backend $b -D 7245
	start t tcpstates --backend $b -D 7245 -w -T -t
	start u tcpstates --backend $b -D 7245 -s
	go w
	stop s && stop t && stop u
	w=$(cut -f 2 "$TMP/w.said")
	{
		echo "SKADDR           C-PID C-COMM     LADDR           LPORT RADDR           RPORT OLDSTATE    -> NEWSTATE    MS"
		printf 'SK %-5s work       127.0.0.1       0     127.0.0.1       7245  CLOSE       -> SYN_SENT    -\n' "$w"
		printf 'SK -     -          127.0.0.1       PORT  127.0.0.1       7245  SYN_SENT    -> CLOSE       MS\n'
	} >"$TMP/wanted"
	sed 's/^[0-9a-f]\{8,16\} */SK /; s/[0-9]*\.[0-9]\{3\}$/MS/; s/   *[0-9]\{4,5\}  *127/       PORT  127/' "$TMP/s.out" >"$TMP/got"
	same text-$b "$TMP/wanted" "$TMP/got"
	contains wide-$b "$TMP/t.out" '^TIME     TIME\(s\)   SKADDR           C-PID C-COMM           IP LADDR                      LPORT RADDR '
	contains wide-row-$b "$TMP/t.out" '^[0-9:]{8} 0\.000000  [0-9a-f]{8,16} +[0-9]+ +work             4  127\.0\.0\.1                  0 '
	contains csv-$b "$TMP/u.out" '^SKADDR,C-PID,C-COMM,IP,LADDR,LPORT,RADDR,RPORT,OLDSTATE,NEWSTATE,MS$'
done
clean left
quiet kernel-log
