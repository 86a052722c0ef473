// SPDX-License-Identifier: GPL-2.0
/* Lowering of the filter by task: a test for each row that the user asked for. */
#include "insns/lower/lower_internal.h"

int lo_exit_label(struct lowerer *lo)
{
	if (lo->exit_label < 0)
		lo->exit_label = emit_new_label(&lo->e);
	return lo->exit_label;
}

/*
 * When the rings have lost task events, the process of a task is unknown until /proc tells it
 * (backends/stream/tables/tasks.h): its tgid is -1. It may be a process that the user asked for.
 */
static void count_unknown(struct lowerer *lo, int pid_tgid)
{
	int known = emit_new_label(&lo->e);

	emit_jump(&lo->e, BPF_JMP | BPF_JSGE | BPF_K, pid_tgid, 0, 0, known);
	lo_call(lo, (int32_t)RING_COUNT_UNKNOWN);
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, lo_exit_label(lo));
	emit_place(&lo->e, known);
}

int lo_known(struct lowerer *lo, const struct insn *insn)
{
	if (lo_ring(lo))
		count_unknown(lo, insn->bpf.dst_reg);
	return 0;
}

/* The half of FILTER's register, a pid_tgid, that is the number. */
static const struct part {
	const char *input;
	bool high;
} parts[] = {
	{ "tgid", .high = true },
	{ "tid" },
};

static const struct part *part_of(const struct filter_row *row)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(parts[i].input, row->input))
			return &parts[i];
	return NULL;
}

const char *lo_filter_input(const struct filter_row *row)
{
	return row->input && !part_of(row) ? row->input : NULL;
}

/* r0 = half of the register. */
static void load_part(struct lowerer *lo, int pid_tgid, bool high)
{
	if (!high) {
		emit(&lo->e, BPF_ALU | BPF_MOV | BPF_X, BPF_REG_0, pid_tgid, 0, 0);
		return;
	}
	lo_move(lo, BPF_REG_0, pid_tgid);
	emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32);
}

/* r0 = the value that is compared. */
static int load_input(struct lowerer *lo, const struct insn *insn, const struct filter_row *row)
{
	const struct input *in;

	if (part_of(row)) {
		load_part(lo, insn->bpf.dst_reg, part_of(row)->high);
		return 0;
	}
	in = layout_input(lo->l->layout, row->input);
	return in ? lo_load_input(lo, BPF_REG_0, insn, in) :
	       lo_broken(lo, insn, "this event has no input", row->input);
}

/* Go to `out` unless r0 is the id. */
static void compare(struct lowerer *lo, uint64_t id, int out)
{
	lo_load_constant(lo, BPF_REG_1, (int64_t)id);
	emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_X, BPF_REG_0, BPF_REG_1, 0, out);
	lo->context_in_r1 = false;
}

/* Go to `out` unless r0 is in the table. */
static int look_up(struct lowerer *lo, const struct filter_row *row, int out)
{
	emit(&lo->e, BPF_STX | BPF_MEM | lo_size(row->key_size), BPF_REG_10, BPF_REG_0, KEY_SCRATCH,
	     0);
	if (lo_look_up(lo, row->map, KEY_SCRATCH))
		return -1;
	emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 0, out);
	return 0;
}

/* Leave unless the task is below one of the cgroups. The helper may also return -errno. */
static int is_under(struct lowerer *lo, const struct filter_row *row, unsigned int n)
{
	int wanted = emit_new_label(&lo->e);

	for (unsigned int i = 0; i < n; i++) {
		const bool last = i + 1 == n;

		if (lo_load_map(lo, BPF_REG_1, row->map))
			return -1;
		lo_load_constant(lo, BPF_REG_2, i);
		lo_call(lo, BPF_FUNC_current_task_under_cgroup);
		emit_jump(&lo->e, BPF_JMP | (last ? BPF_JNE : BPF_JEQ) | BPF_K, BPF_REG_0, 0, 1,
			  last ? lo_exit_label(lo) : wanted);
	}
	emit_place(&lo->e, wanted);
	return 0;
}

/* Leave unless the engine knows that it follows the task. */
static void is_in_scope(struct lowerer *lo)
{
	int known = emit_new_label(&lo->e);

	lo_call(lo, (int32_t)RING_IN_SCOPE);
	emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, SCOPE_UNKNOWN, known);
	lo_call(lo, (int32_t)RING_COUNT_UNKNOWN);
	emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, lo_exit_label(lo));
	emit_place(&lo->e, known);
	emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, SCOPE_IN, lo_exit_label(lo));
}

/* Go to `out` unless r0 is one of the ids. */
static int is_one(struct lowerer *lo, const struct asked_filter *a, int out)
{
	if (a->row->test != FILTER_ID || a->n != 1)
		return look_up(lo, a->row, out);
	compare(lo, a->ids[0], out);
	return 0;
}

static int test(struct lowerer *lo, const struct insn *insn, const struct asked_filter *a)
{
	if (a->row->test == FILTER_UNDER)
		return is_under(lo, a->row, a->n);
	return load_input(lo, insn, a->row) ? -1 : is_one(lo, a, lo_exit_label(lo));
}

int lo_filter_other(struct lowerer *lo, const struct insn *insn)
{
	const struct filter *f = lo->l->filter;
	const int out = lo_else_label(lo);

	if (out < 0)
		return -1;
	for (unsigned int i = 0; f && i < f->n; i++)
		if (f->asked[i].row->of_others &&
		    (load_input(lo, insn, f->asked[i].row) || is_one(lo, &f->asked[i], out)))
			return -1;
	return 0;
}

int lo_filter(struct lowerer *lo, const struct insn *insn)
{
	const struct filter *f = lo->l->filter;
	bool of_processes = f && filter_of_processes(f), followed = false;

	if (!f)
		return 0;
	if (lo_ring(lo) && of_processes)
		count_unknown(lo, insn->bpf.dst_reg);
	if (f->self && !of_processes) {
		load_part(lo, insn->bpf.dst_reg, true);
		emit_jump(&lo->e, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, (int32_t)f->self,
			  lo_exit_label(lo));
	}
	for (unsigned int i = 0; i < f->n; i++)
		if (filter_followed(&f->asked[i], lo->l->target))
			followed = true;
		else if (test(lo, insn, &f->asked[i]))
			return -1;
	if (followed)
		is_in_scope(lo);
	return 0;
}
