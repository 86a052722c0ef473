# SPDX-License-Identifier: GPL-2.0
#
# Tools and workloads whose rows are known, for tests that take other ways to the same rows. To be sourced behind lib.sh.
# load_TOOL starts the workload w, which waits; args_TOOL prints the tool's arguments; check_TOOL makes $TMP/wanted, of
# what the workload said, and $TMP/got, of the tool's JSON in $TMP/s.out, to be compared. 1 of load_TOOL: it can't be
# done here, and that was said. cachestat has a second workload, r.

mkdir "$TMP/dir"
N=1000

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
# Each turn puts it on the run queue once; each time that other tasks preempt it, it is there again.
load_runqlat() {
	[ -n "${CPU:-}" ] || find_cpu runqlat || return 1
	load w "$WORK" pingpong 500 $CPU
}
args_runqlat() { echo "-p $(pid w)"; }
check_runqlat() {
	echo enough >"$TMP/wanted"
	n=$(counted "$TMP/s.out")
	[ "$n" -ge 499 ] && [ "$n" -le $(($(said w 5) + 1)) ] && n=enough
	echo "$n" >"$TMP/got"
}
load_runqslower() { load_runqlat; }
args_runqslower() { echo "-p $(pid w) 0"; }
check_runqslower() {
	echo enough >"$TMP/wanted"
	n=$(fields "$TMP/s.out" lat_us | wc -l)
	[ "$n" -ge 499 ] && [ "$n" -le $(($(said w 5) + 1)) ] && n=enough
	echo "$n" >"$TMP/got"
}
load_cpudist() { load_runqlat; }
args_cpudist() { echo "-p $(pid w)"; }
check_cpudist() { check_runqlat; }
load_biosnoop() { load_biolatency; }
args_biosnoop() { echo "-d ${DISK#/dev/}"; }
check_biosnoop() {
	awk -F '\t' -v OFS='\t' '{ print $2, $3 == "read" ? "R" : "W", $4, $5 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid type sector bytes | grep -v '	F	' >"$TMP/got"
}
load_bitesize() { load_biolatency; }
args_bitesize() { echo "-d ${DISK#/dev/}"; }
check_bitesize() { check_biolatency; }
load_exitsnoop() { load w "$WORK" -c "exits $$" exits 3; }
args_exitsnoop() { echo; }
check_exitsnoop() {
	awk -F '\t' -v OFS='\t' '$1 == "exit" { print $2, $3, $4 }' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid ppid comm | grep -F "exits\\x20$$" | family w | grep -v "^$(pid w)	" >"$TMP/got"
}
