// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering: from an array of extended instructions to plain instructions for one layout of inputs,
 * one engine and one kernel.
 *
 * Instructions are first emitted with jumps that name labels. Then the labels become offsets. Code
 * that can't be reached is not emitted: JUMP_UNLESS makes some, and old verifiers refuse it.
 */
#include "insns/lower/lower.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compat/kernel/constants.h"
#include "compat/kernel/doubt.h"
#include "compat/kinds/kinds.h"
#include "compat/kinds/numbered.h"
#include "insns/lower/lower_internal.h"

int lo_broken(struct lowerer *lo, const struct insn *insn, const char *what, const char *name)
{
	return fail(lo->err, "program %s (%s:%u): %s %s", lo->p->hook, lo->p->file, insn->line,
		    what, name);
}

bool lo_ring(const struct lowerer *lo)
{
	return lo->l->target == TARGET_RING;
}

void lo_call(struct lowerer *lo, int32_t helper)
{
	emit(&lo->e, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
	lo->context_in_r1 = false;
}

void lo_move(struct lowerer *lo, int to, int from)
{
	if (to != from)
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

void lo_load_constant(struct lowerer *lo, int reg, int64_t value)
{
	if (value == (int32_t)value)
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_K, reg, 0, 0, (int32_t)value);
	else
		emit_imm64(&lo->e, reg, (uint64_t)value, 0);
}

/* The index of the nearest LABEL of that name behind this instruction. */
static int find_label(struct lowerer *lo, const struct insn *insn, const char *name)
{
	for (unsigned int i = lo->at + 1; i < lo->p->n_insns; i++)
		if (lo->p->insns[i].symbol == SYM_LABEL && !strcmp(lo->p->insns[i].name, name))
			return (int)i;
	return lo_broken(lo, insn, "nothing below is labelled", name);
}

/* The emitter's label for a LABEL. From here on the LABEL is used by a jump. */
int lo_forward_label(struct lowerer *lo, const struct insn *insn, const char *name)
{
	int i = find_label(lo, insn, name);

	if (i >= 0 && lo->iteration && (unsigned int)i > lo->iteration->to)
		return lo_label_outside(lo, insn, name);
	if (i >= 0 && lo->labels[i] < 0)
		lo->labels[i] = emit_new_label(&lo->e);
	return i < 0 ? -1 : lo->labels[i];
}

/* The label of the SYM_ELSE behind an instruction. Returns NULL if there is none. */
static const char *otherwise(const struct program *p, unsigned int at)
{
	const struct insn *next = &p->insns[at + 1];

	return at + 1 < p->n_insns && next->symbol == SYM_ELSE ? next->name : NULL;
}

int lo_else_label(struct lowerer *lo)
{
	const char *name = otherwise(lo->p, lo->at);

	return name ? lo_forward_label(lo, &lo->p->insns[lo->at], name) : LO_NO_ELSE;
}

/*
 * What programs return: 1, because a 0 hides an event from its other users. On functions with a
 * type kernels take 0 alone.
 */
static void load_result(struct lowerer *lo)
{
	lo_load_constant(lo, BPF_REG_0, !event_traits(lo->l->kind)->typed_function);
}

/* Emits a plain instruction. If it writes r1, the context is no longer in r1. */
static int lower_plain(struct lowerer *lo, const struct insn *insn)
{
	int class = BPF_CLASS(insn->bpf.code);

	if (insn->bpf.code == (BPF_JMP | BPF_EXIT) && event_traits(lo->l->kind)->typed_function)
		load_result(lo);
	emit(&lo->e, insn->bpf.code, insn->bpf.dst_reg, insn->bpf.src_reg, insn->bpf.off,
	     insn->bpf.imm);
	lo->dead = insn->bpf.code == (BPF_JMP | BPF_EXIT);
	if (class == BPF_JMP)
		lo->context_in_r1 = false;
	else if (class != BPF_ST && class != BPF_STX && insn->bpf.dst_reg == BPF_REG_1)
		lo->context_in_r1 = false;
	return 0;
}

static int lower_label(struct lowerer *lo, const struct insn *insn)
{
	(void)insn;
	if (lo->labels[lo->at] < 0)		/* no jump goes here */
		return 0;
	lo->dead = false;
	emit_place(&lo->e, lo->labels[lo->at]);
	lo->context_in_r1 = false;	/* a jump to here may have lost it */
	return 0;
}

/* Jumps that are new in 4.14: the opposite of each, and the same jump with both sides swapped. */
static const struct {
	uint8_t op, opposite, swapped;
} less_jumps[] = {
	{ BPF_JLT,  BPF_JGE,  BPF_JGT },
	{ BPF_JLE,  BPF_JGT,  BPF_JGE },
	{ BPF_JSLT, BPF_JSGE, BPF_JSGT },
	{ BPF_JSLE, BPF_JSGT, BPF_JSGE },
};

/*
 * For kernels before 4.14: `if (a < b)` is `if (b > a)`. For a number `if (a >= n)` skips a goto.
 */
static bool turn_round(struct lowerer *lo, const struct insn *insn, int label)
{
	const struct bpf_insn *b = &insn->bpf;

	for (unsigned int i = 0; i < sizeof(less_jumps) / sizeof(less_jumps[0]); i++) {
		int round;

		if (BPF_OP(b->code) != less_jumps[i].op)
			continue;
		if (BPF_SRC(b->code) == BPF_X) {
			emit_jump(&lo->e, BPF_JMP | less_jumps[i].swapped | BPF_X, b->src_reg,
				  b->dst_reg, 0, label);
			return true;
		}
		round = emit_new_label(&lo->e);
		emit_jump(&lo->e, BPF_JMP | less_jumps[i].opposite | BPF_K, b->dst_reg, 0, b->imm,
			  round);
		emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, label);
		emit_place(&lo->e, round);
		return true;
	}
	return false;
}

static int lower_jump(struct lowerer *lo, const struct insn *insn)
{
	int label = lo_forward_label(lo, insn, insn->name);

	if (label < 0)
		return -1;
	if (lo_ring(lo) || !turn_round(lo, insn, label))
		emit_jump(&lo->e, insn->bpf.code, insn->bpf.dst_reg, insn->bpf.src_reg,
			  insn->bpf.imm, label);
	lo->dead = insn->bpf.code == (BPF_JMP | BPF_JA);
	return 0;
}

static int lower_jump_unless(struct lowerer *lo, const struct insn *insn)
{
	const char *label = otherwise(lo->p, lo->at);
	int64_t value;

	if (!lo_constant(lo->l, insn->name, &value))
		return lo_broken(lo, insn, "there is no option", insn->name);
	if (!label)
		return lo_broken(lo, insn, "nowhere to go without", insn->name);
	if (find_label(lo, insn, label) < 0)
		return -1;
	if (!value) {
		emit_jump(&lo->e, BPF_JMP | BPF_JA, 0, 0, 0, lo_forward_label(lo, insn, label));
		lo->dead = true;
	}
	return 0;
}

/* The instruction before has used it. */
static int lower_else(struct lowerer *lo, const struct insn *insn)
{
	(void)lo;
	(void)insn;
	return 0;
}

static int lower_const(struct lowerer *lo, const struct insn *insn)
{
	int64_t value;
	int found = lo_constant(lo->l, insn->name, &value);

	if (!found)
		found = kernel_constant(lo->l->kernel, insn->name, &value, lo->err);
	if (found < 0)
		return -1;
	if (!found)
		return lo_broken(lo, insn, "there is no constant", insn->name);
	lo_load_constant(lo, insn->bpf.dst_reg, value);
	return 0;
}

static int (*const lowerings[])(struct lowerer *lo, const struct insn *insn) = {
	[PLAIN] = lower_plain,
	[SYM_LABEL] = lower_label,
	[SYM_JUMP] = lower_jump,
	[SYM_JUMP_UNLESS] = lower_jump_unless,
	[SYM_ELSE] = lower_else,
	[SYM_MAP] = lo_map,
	[SYM_LOOKUP] = lo_lookup,
	[SYM_UPDATE] = lo_update,
	[SYM_DELETE] = lo_delete,
	[SYM_ADD] = lo_add,
	[SYM_FIELD] = lo_field,
	[SYM_BYTES] = lo_bytes,
	[SYM_STRING] = lo_string,
	[SYM_READ_STRING] = lo_read_string,
	[SYM_PATH] = lo_path,
	[SYM_PEEK] = lo_peek,
	[SYM_PEEK_USER] = lo_peek_user,
	[SYM_FOLLOW] = lo_follow,
	[SYM_COPY] = lo_copy,
	[SYM_ZERO] = lo_zero,
	[SYM_LOG2] = lo_log2,
	[SYM_CONST] = lower_const,
	[SYM_FILTER] = lo_filter,
	[SYM_FILTER_OTHER] = lo_filter_other,
	[SYM_ITEM] = lo_item,
	[SYM_KNOWN] = lo_known,
	[SYM_STACK] = lo_stack,
	[SYM_OUTPUT] = lo_output,
	[SYM_COUNT_FULL] = lo_count_full,
	[SYM_COUNT_CALL] = lo_count_call,
	[SYM_COUNT_SWITCH] = lo_count_switch,
	[SYM_EPOCH] = lo_epoch,
	[SYM_LOOP] = lo_loop,
	[SYM_AGAIN] = lo_again,
	[SYM_UNKNOWN] = lo_unknown,
};

static int lower_one(struct lowerer *lo, unsigned int at)
{
	const struct insn *insn = &lo->p->insns[at];

	lo->at = at;
	if (insn->symbol >= sizeof(lowerings) / sizeof(lowerings[0]))
		return lo_broken(lo, insn, "unknown symbolic instruction in", lo->p->hook);
	if (lowerings[insn->symbol](lo, insn))
		return -1;
	if (insn->symbol != PLAIN && insn->bpf.dst_reg == BPF_REG_1)
		lo->context_in_r1 = false;
	return 0;
}

/* A callee-saved register that the program does not use. Returns 0 if it uses all four. */
static int free_register(const struct program *p)
{
	unsigned int used = 0;

	for (unsigned int i = 0; i < p->n_insns; i++)
		used |= 1U << p->insns[i].bpf.dst_reg | 1U << p->insns[i].bpf.src_reg;
	for (int reg = BPF_REG_9; reg >= BPF_REG_6; reg--)
		if (!(used & 1U << reg))
			return reg;
	return 0;
}

int lo_range(struct lowerer *lo, unsigned int from, unsigned int to)
{
	for (lo->next = from; lo->next < to;) {
		const unsigned int i = lo->next++;

		if (lo->dead && lo->p->insns[i].symbol != SYM_LABEL)
			continue;
		emit_source(&lo->e, (uint16_t)i);
		if (lower_one(lo, i))
			return -1;
	}
	return 0;
}

/* At a tracepoint of all calls: leaves the program unless it is the one that is wanted. */
static int lower_number(struct lowerer *lo)
{
	static const char *const names[] = { NUMBER_CALLED, NUMBER_COMPAT };
	const struct input *wanted = layout_input(lo->l->layout, NUMBER_WANTED);

	lo->at = lo->p->n_insns - 1;		/* no SYM_ELSE follows */
	for (unsigned int i = 0; wanted && i < 2; i++) {
		const struct input *in = layout_input(lo->l->layout, names[i]);

		if (in->place == PLACE_CONSTANT)	/* there are no 32-bit tasks */
			break;
		if (lo_load_input(lo, BPF_REG_0, lo->p->insns, in))
			return -1;
		emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0,
			  i ? 0 : (int32_t)wanted->value, lo_exit_label(lo));
	}
	return 0;
}

/* Emits the whole program. keep_context: the context must outlive r1. */
static int lower_all(struct lowerer *lo, bool keep_context)
{
	emit_reset(&lo->e);
	for (unsigned int i = 0; i < lo->p->n_insns; i++)
		lo->labels[i] = -1;
	lo->exit_label = -1;
	lo->context_in_r1 = true;
	lo->dead = false;
	lo->n_iterations = 0;
	lo->e.raised = lo->calls ? -STACK_BOTTOM - (int)lo->p->frame : 0;
	if (keep_context && lo->context)
		emit(&lo->e, BPF_ALU64 | BPF_MOV | BPF_X, lo->context, BPF_REG_1, 0, 0);
	else if (keep_context)
		emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1, CONTEXT_SLOT, 0);
	if (lower_number(lo) || lo_range(lo, 0, lo->p->n_insns))
		return -1;
	if (lo->exit_label >= 0) {
		emit_place(&lo->e, lo->exit_label);
		load_result(lo);
		emit(&lo->e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	}
	return lo_iterations(lo);
}

/* Returns true if the emitted program reads the context from where it was saved. */
static bool uses_saved_context(const struct lowerer *lo)
{
	for (unsigned int i = 0; i < lo->e.n; i++) {
		const struct bpf_insn *insn = &lo->e.code[i].insn;

		if (lo->context && i && insn->src_reg == lo->context)
			return true;
		if (!lo->context && insn->code == (BPF_LDX | BPF_MEM | BPF_DW) &&
		    insn->src_reg == BPF_REG_10 && insn->off == CONTEXT_SLOT)
			return true;
	}
	return false;
}

#define LONG_PROGRAMS 0x050200		/* LINUX_VERSION_CODE of the first kernel with them */

/* Kernels before 5.2 take 4096; all programs but scripts keep to that. Jumps have 16 bits. */
static unsigned int most_instructions(const struct lowerer *lo)
{
	const bool takes = lo_ring(lo) || kernel_version_code(lo->l->kernel) >= LONG_PROGRAMS;

	return lo->p->may_be_long && takes ? INT16_MAX : BPF_MAXINSNS;
}

/* Without memory it is unknown whether the kernel would serve the program. */
static void not_emitted(const struct lowerer *lo)
{
	if (errno == ENOMEM)
		kernel_doubt(lo->l->kernel, "memory for programs", ENOMEM);
	fail(lo->err, "program %s (%s): too long, or out of memory", lo->p->hook, lo->p->file);
}

int lower(const struct program *p, const struct lowering *l, struct lowered *out, struct error *err)
{
	struct lowerer lo = { .p = p, .l = l, .err = err };
	int result = -1;

	assert(p->insns && l->layout);
	memset(out, 0, sizeof(*out));
	errno = 0;
	lo.labels = calloc(p->n_insns, sizeof(*lo.labels));
	if (!lo.labels)
		return fail(err, "out of memory");
	lo.calls = lo_calls_loops(&lo);
	if (!lo_ring(&lo) && !lo.calls)
		lo.context = free_register(p);
	if (lower_all(&lo, !lo_ring(&lo)))
		goto out;
	if (!lo_ring(&lo) && !lo.calls && !uses_saved_context(&lo) && lower_all(&lo, false))
		goto out;
	if (emit_finish(&lo.e, &out->insns, &out->source, &out->n))
		not_emitted(&lo);
	else if (out->n > most_instructions(&lo))
		fail(err, "program %s comes to %u instructions here, more than the %u that %s",
		     p->hook, out->n, most_instructions(&lo),
		     most_instructions(&lo) > BPF_MAXINSNS ? "its jumps reach" :
		     "kernels before 5.2 take");
	else
		result = 0;
	for (; out->n_functions < lo.n_iterations; out->n_functions++)
		out->functions[out->n_functions] =
			(uint16_t)lo.e.labels[lo.iterations[out->n_functions].begin];
out:
	if (result)
		lowered_free(out);
	emit_free(&lo.e);
	free(lo.labels);
	return result;
}

void lowered_free(struct lowered *l)
{
	free(l->insns);
	free(l->source);
	memset(l, 0, sizeof(*l));
}

/* Reports the inputs that FILTER compares. */
static void filter_inputs(const struct filter *f, enum target target,
			  void (*each)(void *arg, const char *name, enum input_kind kind),
			  void *arg)
{
	for (unsigned int i = 0; f && i < f->n; i++) {
		const char *input = lo_filter_input(f->asked[i].row);

		if (input && !filter_followed(&f->asked[i], target))
			each(arg, input, INPUT_NUMBER);
	}
}

/* Finds the instructions that these options leave in, as lower() does, but without a kernel. */
void program_inputs(const struct program *p, const struct constant *options,
		    const struct filter *filter, enum target target,
		    void (*each)(void *arg, const char *name, enum input_kind kind), void *arg)
{
	for (unsigned int i = 0; i < p->n_insns; i++) {
		const struct insn *insn = &p->insns[i];
		const char *label;
		int64_t value;

		switch (insn->symbol) {
		case SYM_JUMP_UNLESS:
			label = otherwise(p, i);
			if (!label ||
			    !lo_constant_now(options, target, insn->name, &value) || value)
				break;
			while (i + 1 < p->n_insns && !(p->insns[i + 1].symbol == SYM_LABEL &&
						       !strcmp(p->insns[i + 1].name, label)))
				i++;
			break;
		case SYM_FIELD:
			each(arg, insn->name, INPUT_NUMBER);
			break;
		case SYM_BYTES:
			each(arg, insn->name, INPUT_BYTES);
			break;
		case SYM_STRING:
			each(arg, insn->name, INPUT_STRING);
			break;
		case SYM_STACK:
			each(arg, insn->name, INPUT_STACK);
			break;
		case SYM_PATH:
			each(arg, insn->name, INPUT_PATH);
			break;
		case SYM_FILTER:
			filter_inputs(filter, target, each, arg);
			break;
		default:
			break;
		}
	}
}
