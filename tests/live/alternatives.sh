# SPDX-License-Identifier: GPL-2.0
# timeout: 300
#
# What is chosen where the first choice is not there: the other alternatives of each hook, and the older ways of each
# engine, show the same. A kernel that has no other way says so.
. "${0%/*}/lib.sh"

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
	start_or_skip execs-$1-$2 "${SHORT_RECORDS:-none}|$NONE" \
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
requests() {
	load w "$WORK" block write "$DISK" 50
	start_or_skip requests-$1-$2 "$NONE" s biolatency --backend $1 --without $2 --json -D -Q || { go w; return; }
	go w
	stop s
	equal requests-$1-$2 50 "$(counted "$TMP/s.out" disk "${DISK#/dev/}")" || chosen
}
# pages ENGINE WITHOUT HOOK: the hook's other probe counts pages read in, or dirtied.
pages() {
	case $3 in
	cache.add)
		"$WORK" dirty "$FOLDER/file" 2000 >/dev/null
		"$WORK" drop "$FOLDER/file"
		load w "$WORK" readback "$FOLDER/file"
		member=misses added=0 ;;
	cache.dirty)
		load w "$WORK" dirty "$FOLDER/file" 2000
		member=dirties added=2000 ;;
	esac
	before=$(dirtied)
	start_or_skip pages-$1-$2 "$NONE" s cachestat --backend $1 --without $2 --buffer-pages 1024 --json || { go w; return; }
	go w
	stop s
	if grep -q "\"missing\":\[[^]]*\"$3\"" "$TMP/s.out"; then
		# folio_account_dirtied() is inlined mostly; cache.add always has a function.
		[ $3 = cache.add ] && has_kprobes && fail pages-$1-$2 "no other way, although there are kprobes" ||
			skip pages-$1-$2 "$(grep "not to be had.*$3" "$TMP/s.err")"
		return
	fi
	noise=$(($(dirtied) - before - added))
	# Pages dirtied meanwhile are no misses, and are taken off.
	seen=$(fields "$TMP/s.out" $member | awk '{ n += $1 } END { print n }')
	between pages-$1-$2 $((2000 - noise * (added == 0) - 20)) "$seen" $((2200 + noise)) || chosen
}

# Older ways of the engines.
for feature in ringbuf probe_read_user percpu-maps kprobe-pmu bpf-multi kprobe-pmu,bpf-multi bpf-names,bpf-info \
	membarrier; do
	opens bpf $feature
	connects bpf $feature
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

# Other probes.
disk requests
for b in $ENGINES; do
	opens $b function:do_sys_openat2
	execs $b syscall-tracepoints
	connects $b tracepoint:sock:inet_sock_set_state
	[ -z "$DISK" ] || requests $b tracepoint:block:block_io_start
done
[ -z "$DISK" ] || losetup -d "$DISK"
DISK=
if folder pages; then
	for b in $ENGINES; do
		pages $b tracepoint:filemap:mm_filemap_add_to_page_cache cache.add
		pages $b tracepoint:writeback:writeback_dirty_folio,tracepoint:writeback:writeback_dirty_page cache.dirty
	done
fi
clean left
quiet kernel-log
