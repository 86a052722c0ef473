# SPDX-License-Identifier: GPL-2.0
#
# bt: the kernel's own iterators, for what /proc does not tell of tasks, files and mappings, and for sockets, BPF's objects,
# control groups and symbols. Numbers are /proc's.
# timeout: 300
. "${0%/*}/../lib.sh"

bt() { timeout 100 "$SONDE" bt -q "$@"; }
# run_iter NAME SCRIPT [ARGUMENT]: its lines are in $TMP/NAME, without the blank ones at the end.
run_iter() {
	name=$1
	shift
	bt -e "$@" >"$TMP/$name.out" 2>"$TMP/$name.err"
	equal $name-ends 0 $?
	# A task may end in between, and then a value of it is missing.
	grep -v 'could not be read or computed' "$TMP/$name.err" >"$TMP/$name.said"
	same $name-quiet /dev/null "$TMP/$name.said"
	grep . "$TMP/$name.out" >"$TMP/$name"
}
# wants NAME: the kernel has this iterator, and the script can have it.
wants() {
	grep -qx "iter:$1" "$TMP/all" && return 0
	skip "$1" "this kernel has no iterator $1"
	return 1
}

# says NAME TEXT SCRIPT...: it is refused.
says() {
	name=$1
	text=$2
	shift 2
	bt "$@" >"$TMP/got" 2>&1
	equal $name-ends 1 $?
	contains $name "$TMP/got" "$text"
}

"$SONDE" bt -l 'iter:*' >"$TMP/all" 2>&1
if ! has bpf-iter || ! has bpf-identity; then
	skip iterators "$(feature bpf-iter 3)"
	# /proc tells of tasks what it tells, and the message says what.
	bt -e 'iter:task { print(ctx->task->prio) }' >"$TMP/got" 2>&1
	equal without-ends 1 $?
	grep -Eq 'does not tell ctx.task.prio|takes no BPF programs on its iterators|permission|not permitted' "$TMP/got" && pass without ||
		fail without "$(head -n 3 "$TMP/got")"
	exit 0
fi

load w "$WORK" sleeps 3
p=$(pid w)
echo text >"$TMP/a file"

# The priority is a member that /proc has in another form.
run_iter prio 'iter:task /ctx->task->tgid == $1/ { printf("%d %s %d %d %s\n", ctx->task->pid, ctx->task->comm,
	ctx->task->prio - 100, ctx->task->real_parent->pid == $2, probe); } END { printf("end\n"); }' "$p" $$
printf '%s\n' "$p $(cat "/proc/$p/comm") $(sed 's/.*) //' "/proc/$p/stat" | cut -d ' ' -f 16) 1 iter:task" end >"$TMP/wanted"
same prio "$TMP/wanted" "$TMP/prio"

# Both ways have the same tasks, but for those that come and go, and those that a sandbox keeps to itself.
run_iter tasks 'iter:task { @k[ctx->task->pid] = ctx->task->prio; @n++; } iter:task { @p[ctx->task->pid] = count(); }
	END { printf("%d %d %d %d\n", len(@k), @n, len(@p), has_key(@k, $1)); clear(@k); clear(@n); clear(@p); }' "$p"
read -r kernel times proc first <"$TMP/tasks"
equal tasks-known 1 "$first"
equal tasks-once "$kernel" "$times"
between tasks $((proc - 20 - proc / 20)) "$kernel" $((proc + 20 + proc / 20))
exec 7<"$TMP/a file"
run_iter file 'iter:task_file /ctx->task->tgid == $1 && ctx->fd == 7/ { printf("%d %d %d\n", ctx->fd,
	ctx->file->f_inode->i_ino, ctx->file->f_inode->i_size); @[ctx->fd] = count(); }' $$
if has bpf-path; then
	run_iter path 'iter:task_file /ctx->task->tgid == $1 && ctx->fd == 7 && ctx->file->f_mode/ { printf("%s|\n",
		path(ctx->file->f_path)); @[path(&ctx->file->f_path)] = count(); } iter:task /ctx->task->pid == $1 || ctx->task->pid == 2/ {
		printf("%d:%s|\n", ctx->task->pid, path(ctx->task->mm->exe_file->f_path)); }' $$
	printf '%s\n' "$TMP/a file|" "2:|" "$$:$(readlink /proc/$$/exe)|" "@[$TMP/a file]: 1" | sort >"$TMP/wanted"
	sort "$TMP/path" >"$TMP/got"
	same path "$TMP/wanted" "$TMP/got"
else
	skip path "$(feature bpf-path 3)"
	says path 'take a path of /proc' -e 'iter:task { print(path(ctx->task->mm->exe_file->f_path)) }'
fi
printf '%s\n' "7 $(stat -c %i "$TMP/a file") 5" '@[7]: 1' >"$TMP/wanted"
same file "$TMP/wanted" "$TMP/file"
exec 7<&-

# Before 5.12 only /proc tells of mappings.
if ! "$SONDE" bt -lv iter:task_vma | grep -q vm_area_struct; then
	skip vma 'this kernel has no iterator task_vma of its own'
	says vma-proc 'does not tell ctx.vma.vm_flags' -e 'iter:task_vma { print(ctx->vma->vm_flags) }'
else
	# VM_READ, VM_WRITE, VM_EXEC
	run_iter vma 'iter:task_vma /ctx->task->pid == $1/ { printf("%lx-%lx %d%d%d\n", ctx->vma->vm_start, ctx->vma->vm_end,
		ctx->vma->vm_flags & 1, (ctx->vma->vm_flags & 2) >> 1, (ctx->vma->vm_flags & 4) >> 2); }' "$p"
	awk '!/vsyscall|vectors/ { print $1, ($2 ~ /^r/) ($2 ~ /^.w/) ($2 ~ /^..x/) }' "/proc/$p/maps" |
		sed 's/^0*//;s/-0*/-/' >"$TMP/wanted"
	same vma "$TMP/wanted" "$TMP/vma"
	if has bpf-path; then
		run_iter vma-path 'iter:task_vma /ctx->task->pid == $1 && ctx->vma->vm_flags/ {
			printf("%s|\n", path(ctx->vma->vm_file->f_path)); }' "$p"
		awk '!/vsyscall|vectors/ { print ($6 ~ /^[[]/ ? "" : $6) "|" }' "/proc/$p/maps" >"$TMP/wanted"
		same vma-path "$TMP/wanted" "$TMP/vma-path"
	fi
fi
go w

if wants tcp; then
	"$WORK" accepts-nobody 2000000000 7236 &
	nobody=$!
	running="$running $nobody"
	wait_for 10 grep -q ':1C44 .* 0A ' /proc/net/tcp
	run_iter tcp 'iter:tcp /ctx->sk_common->skc_num == 7236/ { printf("%d %s %d\n", ctx->sk_common->skc_state,
		ntop(ctx->sk_common->skc_rcv_saddr), ctx->uid); }'
	address=$(awk '$2 ~ /:1C44$/ { print $2 }' /proc/net/tcp)
	echo "10 $([ "$address" = 00000000:1C44 ] && echo 0.0.0.0 || echo 127.0.0.1) 0" >"$TMP/wanted"
	same tcp "$TMP/wanted" "$TMP/tcp"
	kill "$nobody"
	wait "$nobody" 2>/dev/null
	running=$(echo " $running " | sed "s/ $nobody / /")
fi

# So many items that the ring has no room for all of them: they are read in between, and none is lost.
if wants ksym; then
	timeout 200 "$SONDE" bt -v -e 'iter:ksym { printf("%d %s\n", ctx->meta->seq_num, ctx->ksym->name); }' >"$TMP/ksym" 2>"$TMP/err"
	equal ksym-lost 0 "$(sed -n 's/^sonde: seen [0-9]*, lost \([0-9]*\),.*/\1/p' "$TMP/err")"
	symbols=$(grep -c . /proc/kallsyms)
	between ksym $((symbols - 2000)) "$(grep -c . "$TMP/ksym")" $((symbols + 2000))
	grep . "$TMP/ksym" | awk '$1 != NR - 1 { n++ } END { print n + 0 }' >"$TMP/got"
	equal ksym-order 0 "$(cat "$TMP/got")"
fi

# sonde's own maps and programs are there, too.
if wants bpf_map; then
	run_iter map 'iter:bpf_map { @[str(ctx->map->name)] = count(); } END { printf("%d\n", has_key(@, "failures")); clear(@); }'
	equal map 1 "$(cat "$TMP/map")"
fi
if wants bpf_prog; then
	run_iter prog 'iter:bpf_prog /str(ctx->prog->aux->name) == "probe1_hit"/ { @[ctx->prog->type] = count(); }
		END { printf("%d\n", has_key(@, 26)); clear(@); }'
	equal prog 1 "$(cat "$TMP/prog")"
fi
if wants cgroup; then
	run_iter cgroup 'iter:cgroup { @[ctx->cgroup->kn->id] = ctx->cgroup->level; } END { printf("%d %d\n", len(@) > 0, @[1]); clear(@); }'
	equal cgroup '1 0' "$(cat "$TMP/cgroup")"
fi
for name in unix udp netlink; do
	wants $name || continue
	run_iter $name "iter:$name { @ = count(); } END { printf(\"%d\\n\", @ > 0 || \"$name\" == \"udp\"); clear(@); }"
	equal $name 1 "$(cat "$TMP/$name")"
done

# exit() ends the walk, and what is behind it; other probes go on, and share the maps.
run_iter stops 'iter:task /ctx->task->prio/ { @++; exit(); } iter:task { @p = count(); } END { printf("%d\n", @ < 200); clear(@); }'
equal stops 1 "$(cat "$TMP/stops")"
run_iter goes-on 'iter:task { @ += ctx->task->prio > 0; } interval:ms:50 { printf("%d\n", @ > 3); clear(@); exit(); }'
equal goes-on 1 "$(cat "$TMP/goes-on")"

says member 'iter:task has ctx.meta, ctx.task' -e 'iter:task { print(ctx->tusk->pid) }'
says nearest 'there is no iterator `taskk`; did you mean iter:task?' -e 'iter:taskk { }'
says elements 'goes through the elements of one map' -e 'iter:bpf_map_elem { }'
says rings "only BPF programs run for the items of the kernel's iterators" --backend perf -e 'iter:task { print(ctx->task->prio) }'
says stacks 'items of an iterator have no stacks' -e 'iter:task { @[kstack] = count(); @p = ctx->task->prio }'
bt -p 1 -e 'iter:task { print(ctx->task->prio) }' >"$TMP/got" 2>&1
equal filter-ends 2 $?
contains filter "$TMP/got" 'iter goes through all tasks: take a predicate'
"$SONDE" bt -lv iter:task >"$TMP/got" 2>&1
printf '%s\n' iter:task '    struct bpf_iter_meta * meta' '    struct task_struct * task' >"$TMP/wanted"
same lists "$TMP/wanted" "$TMP/got"
clean iterators
