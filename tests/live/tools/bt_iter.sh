# SPDX-License-Identifier: GPL-2.0
#
# bt: iter goes through tasks, open files and mappings, and the run ends behind them. It needs no engine.
. "${0%/*}/../lib.sh"

# run_iter NAME SCRIPT [ARGUMENT]: its lines are in $TMP/NAME.
run_iter() {
	name=$1
	shift
	timeout 60 "$SONDE" bt -q -e "$@" >"$TMP/$name" 2>"$TMP/$name.err"
	equal $name-ends 0 $?
	# A task may end in between, and then a value of it is missing. Sandboxes keep tasks to themselves.
	grep -Ev 'could not be read or computed|permission denied' "$TMP/$name.err" >"$TMP/$name.said"
	same $name-quiet /dev/null "$TMP/$name.said"
}

if "$SONDE" bt --dry-run -e 'iter:task { }' 2>"$TMP/err"; then
	load w "$WORK" sleeps 3
	p=$(pid w)
	echo text >"$TMP/a file"

	run_iter task 'iter:task /ctx->task->pid == $1/ { printf("%s %d %d %d %s %s\n", ctx->task->comm, ctx.task.tgid,
		ctx->task->real_parent->tgid == $2, ctx->task->signal->nr_threads, probe, probetype); }
		END { printf("end\n"); }' "$p" $$
	printf '%s\n' "$(cat "/proc/$p/comm") $p 1 1 iter:task iter" end '' >"$TMP/wanted"
	grep . "$TMP/task" >"$TMP/got"
	grep . "$TMP/wanted" >"$TMP/wanted.lines"
	same task "$TMP/wanted.lines" "$TMP/got"

	# Each task once, with its threads.
	run_iter all 'iter:task { @[ctx->task->pid] = count(); } END { printf("%d %d\n", len(@) > 3, has_key(@, 1)); clear(@); }'
	equal all '1 1' "$(xargs <"$TMP/all")"

	exec 7<"$TMP/a file"
	run_iter files 'iter:task_file /ctx->task->tgid == $1 && ctx->fd == 7/ { printf("%d %s|%d\n", ctx->fd, path(ctx->file->f_path),
		ctx->file->f_pos); @[path(&ctx->file->f_path)] = count(); }' $$
	printf '7 %s/a file|0\n\n\n@[%s/a file]: 1\n' "$TMP" "$TMP" >"$TMP/wanted"
	same files "$TMP/wanted" "$TMP/files"
	exec 7<&-

	# The mappings are those of /proc; a name in brackets is no file.
	run_iter mappings 'iter:task_vma /ctx->task->pid == $1/ { printf("%lx-%lx %s\n", ctx->vma->vm_start, ctx->vma->vm_end,
		path(ctx->vma->vm_file->f_path)); }' "$p"
	awk '!/vsyscall|vectors/ { print $1, $6 ~ /^[[]/ ? "" : $6 }' "/proc/$p/maps" | sed 's/^0*//;s/-0*/-/' >"$TMP/wanted"
	grep . "$TMP/mappings" >"$TMP/got"
	same mappings "$TMP/wanted" "$TMP/got"
	go w
else
	skip iter "$(cat "$TMP/err")"
fi

# exit() ends it; other probes go on.
run_iter stops 'iter:task { @ = count(); exit(); }'
equal stops '@: 1' "$(xargs <"$TMP/stops")"
run_iter goes-on 'iter:task { @ = count(); } interval:ms:50 { printf("%d\n", @ > 3); clear(@); exit(); }'
equal goes-on 1 "$(xargs <"$TMP/goes-on")"

"$SONDE" bt -l 'it:task*' >"$TMP/got" 2>&1
printf '%s\n' iter:task iter:task_file iter:task_vma >"$TMP/wanted"
same lists "$TMP/wanted" "$TMP/got"
"$SONDE" bt -p 1 -e 'iter:task { }' >"$TMP/got" 2>&1
equal filter-ends 2 $?
contains filter "$TMP/got" 'iter goes through all tasks: take a predicate'
clean iter
