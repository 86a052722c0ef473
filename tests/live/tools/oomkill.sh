# SPDX-License-Identifier: GPL-2.0
#
# oomkill: a process that takes more memory than its control group may have is killed, and shown, on every engine; by
# the tracepoint, and by signals as on kernels that have none.
. "${0%/*}/../lib.sh"

group=
cleanup_hook() { [ -z "$group" ] || rmdir "$group"; }
# limit: makes the group $group, of 20 MB at most, of whichever version of control groups has the memory here.
limit() {
	for root in $(awk '$3 == "cgroup2" || ($3 == "cgroup" && $4 ~ /memory/) { print $2 }' /proc/mounts); do
		[ ! -e "$root/cgroup.subtree_control" ] || echo +memory 2>/dev/null >"$root/cgroup.subtree_control"
		group=$root/sonde-test-$$
		mkdir "$group" 2>/dev/null || continue
		for file in memory.max memory.limit_in_bytes; do
			[ -e "$group/$file" ] && echo 20000000 >"$group/$file" || continue
			[ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
			return 0
		done
		rmdir "$group"
	done
	group=
	skip rows "no control group for memory can be made here"
	return 1
}
limit || exit 0

for b in $ENGINES; do
	for without in "" tracepoint:oom:mark_victim; do
		way=${without:+-signals}
		[ -z "$without" ] || has_kprobes || continue
		reasons=$(absences $b)
		has_kprobes || has_event oom mark_victim || reasons="$reasons${reasons:+|}this kernel has no kprobes"
		load w "$WORK" -c 'k\x0a"' eats "$group/cgroup.procs"
		start_or_skip rows$way-$b "$reasons" s oomkill --backend $b --json ${without:+--without $without} --name 'k
"' || { go w; continue; }
		start t oomkill --backend $b ${without:+--without $without}
		go w
		sleep 1
		stop s && equal ends$way-$b 0 "$STATUS"
		stop t
		awk -F '\t' -v OFS='\t' '$1 == "oom" { print $2, $3, $2, $3 }' "$TMP/w.said" >"$TMP/wanted"
		fields "$TMP/s.out" pid comm victim victim_comm >"$TMP/got"
		same rows$way-$b "$TMP/wanted" "$TMP/got"
		if grep -q '"missing":.*"oom.kill' "$TMP/s.out"; then
			equal pages$way-$b - "$(fields "$TMP/s.out" pid pages | cut -f 2)"
		else
			# What the group may have.
			equal pages$way-$b $((20000000 / 1024 / $(page_kb))) "$(fields "$TMP/s.out" pages)"
		fi
		who="PID $(cut -f 1 "$TMP/wanted") \\(\"k\\\\n\"\"\\)"
		contains text$way-$b "$TMP/t.out" \
			"^[0-9:]{8} Triggered by $who, OOM kill of $who, ([0-9]+|-) pages, loadavg: [0-9]+\\.[0-9]+ .*/.* [0-9]+\$"
		equal banner$way-$b "Tracing OOM kills... Hit Ctrl-C to end." "$(head -n 1 "$TMP/t.out")"
		equal lost$way-$b 0 "$(reported "$TMP/s.out" lost)"
	done
done

clean left
quiet kernel-log
