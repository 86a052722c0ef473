# SPDX-License-Identifier: GPL-2.0
# timeout: 240
#
# Every row of the hook table that is not the first choice here, and serves when those before it are taken away, counts
# and shows the same: each is forced, on each engine, and held against a known workload.
. "${0%/*}/../lib.sh"

mkdir "$TMP/dir"
N=1000

# What is done, and what the rows or counts must be, for each tool; $TMP/wanted and $TMP/got are compared.
load_opensnoop() { load w "$WORK" opens 3 "$TMP/dir"; }
args_opensnoop() { echo "--pid $(pid w)"; }
check_opensnoop() {
	awk -F '\t' -v OFS='\t' '$1 == "open" { print $2, $6 < 0 ? -1 : $6, $8 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid fd path >"$TMP/got"
}
load_execsnoop() { load w "$WORK" execs 5; }
args_execsnoop() { echo "-x -P $(pid w)"; }
check_execsnoop() {
	awk -F '\t' -v OFS='\t' '$1 == "exec" {
		args = $9
		for (i = 1; i < $10; i++)
			args = args "\\x20" $(11 + i)
		print $2, $4, $8, args
	}' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid ppid ret args >"$TMP/got"
}
load_killsnoop() { load w "$WORK" kills 5; }
args_killsnoop() { echo "-a --pid $(pid w)"; }
check_killsnoop() {
	awk -F '\t' -v OFS='\t' '$1 == "kill" { print $2, $5, $6, $7, $8 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid call signal tpid result >"$TMP/got"
}
load_statsnoop() { load w "$WORK" stats 3 "$TMP/dir"; }
args_statsnoop() { echo "--pid $(pid w)"; }
check_statsnoop() {
	awk -F '\t' -v OFS='\t' '$1 == "stat" && length($5) < 255 { print $2, $4 < 0 ? -1 : 0, $5 }' "$TMP/w.said" \
		>"$TMP/wanted"
	fields "$TMP/s.out" pid ret path | awk -F '\t' 'length($3) < 255' >"$TMP/got"
}
load_tcpconnect() { load w "$WORK" connects 20 7030 4; }
args_tcpconnect() { echo "-p $(pid w)"; }
check_tcpconnect() {
	awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $6, $8, $9 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid saddr daddr dport >"$TMP/got"
}
# The bytes are unavailable on some kernels; where they are shown, they are right.
load_tcplife() { load w "$WORK" sessions 5 7031 4 20480 5120 client; }
args_tcplife() { echo "-p $(pid w)"; }
check_tcplife() {
	awk -F '\t' -v OFS='\t' '$2 == "client" { print $3, $6, $7, $9, 20, 5 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid laddr lport rport tx_kb rx_kb | awk -F '\t' -v OFS='\t' '
		$5 == "-" { $5 = 20 } $6 == "-" { $6 = 5 } { print }' >"$TMP/got"
}
load_tcpstates() { load w "$WORK" connects 5 7032 4 refused; }
args_tcpstates() { echo "-D 7032"; }
check_tcpstates() {
	awk -F '\t' -v OFS='\t' '{ print $2, "CLOSE", "SYN_SENT"; print "-", "SYN_SENT", "CLOSE" }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid oldstate newstate >"$TMP/got"
}
load_biolatency() {
	[ -n "$DISK" ] || disk requests || return 1
	load w "$WORK" block write "$DISK" 40
}
args_biolatency() { echo "-Q -d ${DISK#/dev/}"; }
# A request may end in an interrupt of another program, anybody's: the kernel skips the second one, and sonde says so.
check_biolatency() {
	echo 40 >"$TMP/wanted"
	n=$(counted "$TMP/s.out") missed=$(reported "$TMP/s.out" missed)
	[ "$n" -ge 40 ] || [ $((n + ${missed#-})) -lt 40 ] || n=40
	echo "$n" >"$TMP/got"
}
# Of what others do meanwhile there are some more, as many as the kernel counts itself; of each column that is shown at
# all there are these at least.
load_cachestat() {
	if [ -z "$FOLDER" ]; then
		[ -z "$DISK" ] || losetup -d "$DISK"
		folder pages || return 1
	fi
	"$WORK" dirty "$FOLDER/file" $N >/dev/null
	"$WORK" drop "$FOLDER/file"
	rm -f "$FOLDER/other"
	load w "$WORK" dirty "$FOLDER/other" $N
	load r "$WORK" readback "$FOLDER/file"
	before=$(dirtied) read_before=$(read_pages)
}
# Pages read from disks since boot, by the kernel's own account: those are new in the cache, too.
read_pages() { awk -v page="$(page_kb)" '$1 == "pgpgin" { print int($2 / page) }' /proc/vmstat; }
args_cachestat() { echo; }
check_cachestat() {
	echo enough >"$TMP/wanted"
	fields "$TMP/s.out" dirties misses cached_mb | awk -v n=$N -v noise=$(($(dirtied) - before - N)) \
		-v reads=$(($(read_pages) - read_before)) '
		$1 != "-" { dirties += $1 } $2 != "-" { misses += $2 } $1 == "-" { no_dirties = 1 } $2 == "-" { no_misses = 1 }
		END {
			ok = (no_dirties || dirties >= n && dirties < 1.5 * n + noise)
			ok = ok && (no_misses || misses >= n * 0.9 - noise && misses < 2 * n + noise + reads)
			print ok ? "enough" : "dirties " dirties ", misses " misses
		}' >"$TMP/got"
}

# hooks FILE: the probes that serve, as --without takes them: "HOOK KIND:NAME".
hooks() {
	sed -nE 's/^sonde: ([a-z._]+): (raw |typed )?tracepoint (.*)$/\1 tracepoint:\3/p; s/^sonde: ([a-z._]+): k(ret)?probe (.*)$/\1 function:\3/p' \
		"$1" | sort -u
}

# serve NAME ENGINE TOOL WITHOUT: a run; its probes are in $TMP/hooks. 1: it does not serve any more.
serve() {
	load_$3 || return 1
	ids=w
	[ $3 != cachestat ] || ids="w r"
	if ! start s $3 --backend $2 --buffer-pages 1024 --json ${4:+--without "$4"} $(args_$3); then
		refusal=$STATUS
		go $ids
		if [ $refusal != 1 ] || ! grep -qE "can't run on this kernel|can't run here" "$TMP/s.err"; then
			fail "$1" "ended with status $refusal:"
			notes "$TMP/s.err"
		elif [ -z "$4" ]; then
			absent "$1" $2 "$TMP/s.err" || { fail "$1" "does not run:"; notes "$TMP/s.err"; }
		fi
		return 1
	fi
	go $ids
	stop s
	hooks "$TMP/s.err" >"$TMP/hooks"
	lossless "$1-lost" $2 "$TMP/s.out" >"$TMP/lost" || { cat "$TMP/lost"; return 0; }
	check_$3
	same "$1" "$TMP/wanted" "$TMP/got" && echo "#   $(tr '\n' ' ' <"$TMP/hooks")"
}

# A hook's probes are taken away, those that serve it then too, and so on, until the tool can't do without.
for tool in opensnoop execsnoop killsnoop statsnoop tcpconnect tcplife tcpstates biolatency cachestat; do
	for b in $ENGINES; do
		serve $tool-$b $b $tool "" || continue
		for hook in $(cut -d ' ' -f 1 "$TMP/hooks" | sort -u); do
			without= n=0
			# These have one alternative, or are no part of what is counted here.
			case $hook in task.* | exec.done | block.frontmerge | block.issue | block.done) continue ;; esac
			serve $tool-$b-$hook $b $tool "" >"$TMP/again" || { cat "$TMP/again"; break; }
			while [ $n -lt 4 ]; do
				probes=$(sed -n "s/^$hook //p" "$TMP/hooks" | tr '\n' ',')
				[ -n "$probes" ] || break
				without=${without:+$without,}${probes%,}
				n=$((n + 1))
				serve $tool-$b-$hook-$n $b $tool "$without" || break
			done
		done
	done
done
clean left
quiet kernel-log
