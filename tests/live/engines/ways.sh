# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# The older ways of each engine (perf event arrays for ring buffers, registers for $argN) show the same. A kernel that
# has no other way says so. The other alternatives of hooks are in hooks.sh.
. "${0%/*}/../lib.sh"

# Why a kernel may have no other way: what the resolver says of each alternative, and verifiers that know the newer
# helper only.
NONE='this kernel has no (function|kprobes|tracepoint)|has no field|misses some calls|unknown func'

# chosen: which probes were on, as notes below a verdict.
chosen() { sed -n 's/^sonde: \([a-z.]*: [a-z]* [a-z_0-9:]*\)$/#   \1/p' "$TMP/s.err" | sort -u; }

mkdir "$TMP/dir"
# opens ENGINE WITHOUT
opens() {
	load w "$WORK" opens 5 "$TMP/dir"
	start_or_skip opens-$1-$2 "$NONE" s opensnoop --backend $1 --without $2 --json -e -p "$(pid w)" || { go w; return; }
	go w
	stop s
	awk -F '\t' -v OFS='\t' '$1 == "open" { print $2, $4, $6 < 0 ? -1 : $6, $6 < 0 ? -$6 : 0, $8 }' \
		"$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid comm fd errno path >"$TMP/got"
	same opens-$1-$2 "$TMP/wanted" "$TMP/got" || chosen
}
execs() {
	load w "$WORK" execs 5
	known=$(absences $1)
	start_or_skip execs-$1-$2 "${known:+$known|}$NONE" \
		s execsnoop --backend $1 --without $2 --json -x -P "$(pid w)" || { go w; return; }
	go w
	stop s
	awk -F '\t' -v OFS='\t' '$1 == "exec" {
		for (i = 1; i < $10; i++)
			$9 = $9 "\\x20" $(11 + i)
		print $2, $4, $6, $8, $9
	}' "$TMP/w.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid ppid comm ret args >"$TMP/got"
	same execs-$1-$2 "$TMP/wanted" "$TMP/got" || chosen
}
connects() {
	load w "$WORK" connects 100 7060 4
	load r "$WORK" -c 'no\x1bone' connects 5 7061 4 refused
	start_or_skip connects-$1-$2 "$NONE" s tcpconnect --backend $1 --without $2 --json -P 7060,7061 || { go w r; return; }
	go w r
	stop s
	awk -F '\t' -v OFS='\t' '$1 == "connect" { print $2, $4, $5, $6, $8, $9 }' "$TMP/w.said" "$TMP/r.said" >"$TMP/wanted"
	fields "$TMP/s.out" pid comm ip saddr daddr dport >"$TMP/got"
	same connects-$1-$2 "$TMP/wanted" "$TMP/got" || chosen
}
# Counted in a hash.
counts() {
	load w "$WORK" connects 100 7062 4
	load r "$WORK" connects 7 7063 4 refused
	start_or_skip counts-$1-$2 "$NONE" s tcpconnect --backend $1 --without $2 --json -c -P 7062,7063 ||
		{ go w r; return; }
	go w r
	stop s
	printf '127.0.0.1\t7062\t100\n127.0.0.1\t7063\t7\n' >"$TMP/wanted"
	fields "$TMP/s.out" raddr rport connects | sort >"$TMP/got"
	same counts-$1-$2 "$TMP/wanted" "$TMP/got" || chosen
}
# Older ways of the engines.
for feature in ringbuf probe_read_user percpu-maps kprobe-pmu bpf-multi kprobe-pmu,bpf-multi bpf-names,bpf-info \
	membarrier; do
	opens bpf $feature
	connects bpf $feature
done
for feature in bpf-batch membarrier percpu-maps; do
	counts bpf $feature
done
for feature in fetch-arg fetch-array; do
	for b in $(engines_for_strings); do
		[ $b = bpf ] || opens $b $feature
		[ $b = bpf ] || execs $b $feature
	done
	connects perf $feature
	connects ftrace $feature
done
for feature in perf-clockid trace-clock-mono perf-lost; do
	connects perf $feature
	connects ftrace $feature
done
clean left
quiet kernel-log
