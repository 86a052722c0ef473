# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# The same workload, at the same time, before sonde and before the tool of that name of libbpf-tools or bpftrace, where
# they are installed and run on this kernel: the same events. What differs is said beside the row.
. "${0%/*}/../lib.sh"
. "$LIVE/../peers.sh" 2>/dev/null || { skip peers "the lab's guests have no other tools"; exit 0; }

# It writes to a file, and would keep its lines until it ends.
unbuffered="stdbuf -oL"
command -v stdbuf >/dev/null || unbuffered=

# start_peer NAME FIND [ARGS...]: the peer, until it shows its heads. 1: there is none here, or this kernel is not for it.
start_peer() {
	verdict=$1
	find=$2
	shift 2
	path=$($find "${verdict%%-*}") || {
		skip "$verdict" "not installed: ${verdict%%-*} of ${find%_*} (make bench-deps)"
		return 1
	}
	[ $find = libbpf_tool ] || set -- bpftrace "$path" "$@"
	[ $find = bpftrace_script ] || set -- "$path" "$@"
	: >"$TMP/peer.out"
	"$WORK" signals $unbuffered "$@" >"$TMP/peer.out" 2>"$TMP/peer.err" </dev/null &
	pid_peer=$!
	running="$running $!"
	if wait_for 20 [ -s "$TMP/peer.out" ] && sleep 1 && alive peer; then
		return 0
	fi
	! alive peer || stop peer
	skip "$verdict" "does not run here: $(grep -iE 'fail|error|can.t' "$TMP/peer.err" | tail -n 1 | cut -c 1-120)"
	return 1
}

# beside NAME FIND "PEER'S ARGS" "SONDE'S ARGS" "WORDS" KEYS [PEER'S KEYS]: awk programs print what both have to have seen
# of process `pid`, a line each.
beside() {
	name=$1
	tool=${name%%-*}
	load w "$WORK" -c beside $5
	start_peer "$name" $2 $3 || { go w; return; }
	if start s $tool $4; then
		go w
		sleep $((1 * SLOW))
		stop s
		stop peer
		awk -v pid="$(pid w)" "${7:-$6}" "$TMP/peer.out" | sort >"$TMP/wanted"
		awk -v pid="$(pid w)" "$6" "$TMP/s.out" | sort >"$TMP/got"
		expect "$name-some" [ -s "$TMP/wanted" ]
		same "$name" "$TMP/wanted" "$TMP/got"
	else
		stop peer
		go w
		absent "$name" bpf "$TMP/s.err" || fail "$name" "$(tail -n 1 "$TMP/s.err")"
	fi
}

mkdir "$TMP/dir"

# Theirs sees no open(), creat() or openat2() here.
beside opensnoop libbpf_tool "" "" "opens 4 $TMP/dir" '$1 == pid && $5 ~ /openat-/ { print $2, $3, $4, $5 }'
beside execsnoop libbpf_tool "" "" "execs 5" '$3 == pid { print $1, $2, $4, $5, $6, $7 }'
# The ages are measured between other moments: not compared.
beside exitsnoop libbpf_tool "" "" "exits 5" '$3 == pid { print $1, $2, $4 }'
# Theirs always shows signals to threads.
beside killsnoop libbpf_tool "" "-a" "kills 10" \
	'$2 == pid { print $3, $5, $6, $7 }' '$2 == pid { print $3, $4, $5, $6 }'
# Theirs knows no fstatat(), which asks for missing-2: of calls that are the same one is enough.
beside statsnoop bpftrace_script "" "" "stats 4 $TMP/dir" \
	'$1 == pid && $5 ~ /dir(.missing-[013-9])*$/ && !seen[$5]++ { print $2, $4, $5 }' \
	'$1 == pid && $4 ~ /dir(.missing-[013-9])*$/ && !seen[$4]++ { print $2, $3, $4 }'
beside syncsnoop bpftrace_script "" "-a --csv" "syncs 4 $TMP/dir" \
	'BEGIN { FS = "," } $3 == pid { sub(/[(][)]/, "", $2); print $2, $4 }' \
	'$2 == pid { sub(/.*sys_enter_/, "", $4); print $4, $3 }'
# Theirs shows who is current where a server closes first, and parts of kilobytes.
beside tcplife libbpf_tool "" "" "sessions 4 7041 4 100000 5000 client" \
	'$1 == pid { print $2, $3, $4, $5, $6, int($7), int($8) }'
# Nor are the tasks the same; times are measured between other moments.
beside tcpstates libbpf_tool "" "" "sessions 4 7042 4 3000 2000 server" '$5 == 7042 || $7 == 7042 { print $1, $4, $5, $6, $7, $8, $10 }'
# Theirs tells of calls within calls, and does not know those that end with _r: which names were asked for is compared.
"$WORK" library "$TMP/libc.so.6"
beside gethostlatency libbpf_tool "-l $TMP/libc.so.6" "-l $TMP/libc.so.6" "hosts $TMP/libc.so.6 7" \
	'$2 == pid && $5 ~ /^host|thread/ && !seen[$5]++ { print $3, $5 }'
beside syscount libbpf_tool "-P -e ESRCH -T 1000" "-P -e ESRCH -T 1000" "calls 50" '$1 == pid { print $2, $3 }'
# Theirs does not know the calls of 5.2, names flags of umount as if of mount, and prints texts as they are.
beside mountsnoop libbpf_tool "" "" "mounts $TMP/dir" \
	'$2 == pid && $5 ~ /^u?mount[(]/ { sub(/[(].*/, "", $5); print $1, $3, $4, $5 }'
quiet kernel-log
