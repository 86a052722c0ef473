// SPDX-License-Identifier: GPL-2.0
/*
 * Lowering of loops.
 *
 * sonde's machine, and kernels since 5.3, jump back. Such a kernel follows each iteration before it
 * takes the program: a loop must end by what it knows then, and not be too long.
 *
 * Since 5.17 an iteration is a function, which bpf_loop() calls. It has no stack of its own: r9 is
 * the program's r10 there, so its stores stay. A jump out of the loop is a result of the function,
 * and a number on the stack tells the program where to go on:
 *
 *	*flag = 0
 *	r0 = bpf_loop(LOOP_ITERATIONS, iteration, r10)	iteration: r9 = r2
 *	if (*flag) goto out				...	an end:	r0 = 1
 *	if (r0 < LOOP_ITERATIONS) goto end		...	`out`:	*flag = 1, r0 = 1
 *	(the loop was cut)				...	again:	r0 = 0
 */
#include "insns/lower/lower_internal.h"

#include "insns/lower/helpers.h"

#define LOOP_ITERATIONS	(1 << 23)	/* BPF_MAX_LOOPS */
#define CALLED_FRAME	BPF_REG_9
#define FRAME_UNIT	32		/* the kernel rounds each function's stack up to it */
#define STACK_MOST	512

/* The SYM_AGAIN of a SYM_LOOP. */
static unsigned int loop_end(const struct program *p, unsigned int at)
{
	unsigned int depth = 0;

	for (; at < p->n_insns; at++) {
		depth += p->insns[at].symbol == SYM_LOOP;
		if (p->insns[at].symbol == SYM_AGAIN && --depth == 0)
			break;
	}
	return at;
}

static unsigned int loop_begin(const struct program *p, unsigned int at)
{
	unsigned int depth = 0;

	for (; at; at--) {
		depth += p->insns[at].symbol == SYM_AGAIN;
		if (p->insns[at].symbol == SYM_LOOP && --depth == 0)
			break;
	}
	return at;
}

/* The number of loops, and how many are in each other. */
static unsigned int count_loops(const struct program *p, unsigned int *deepest)
{
	unsigned int n = 0, depth = 0;

	*deepest = 0;
	for (unsigned int i = 0; i < p->n_insns; i++) {
		n += p->insns[i].symbol == SYM_LOOP;
		depth += p->insns[i].symbol == SYM_LOOP;
		depth -= p->insns[i].symbol == SYM_AGAIN;
		*deepest = depth > *deepest ? depth : *deepest;
	}
	return n;
}

/* The stacks of all functions together have 512 bytes. */
bool lo_calls_loops(const struct lowerer *lo)
{
	const unsigned int own = lo->p->frame + STACK_MOST + STACK_BOTTOM;
	unsigned int deepest;
	const unsigned int n = count_loops(lo->p, &deepest);

	return n && n <= LOOPS_MOST && lo->p->frame && !lo_ring(lo) &&
	       (own + FRAME_UNIT - 1) / FRAME_UNIT + deepest <= STACK_MOST / FRAME_UNIT &&
	       kernel_has(lo->l->kernel, FEATURE_BPF_LOOP);
}

int lo_label_outside(struct lowerer *lo, const struct insn *insn, const char *name)
{
	struct lo_iteration *iteration = lo->iteration;
	const struct insn *loop = &lo->p->insns[iteration->from];
	int *label = !strcmp(name, loop[0].name) ? &iteration->broke :
		     !strcmp(name, loop[1].name) ? &iteration->left : NULL;

	if (!label)
		return lo_broken(lo, insn, "a jump leaves the loop for", name);
	if (*label < 0)
		*label = emit_new_label(&lo->e);
	return *label;
}

/* Calls bpf_loop(); goes on with what is behind the loop, which is run if it was cut. */
static int call_iterations(struct lowerer *lo, const struct insn *insn)
{
	struct lo_iteration *iteration = &lo->iterations[lo->n_iterations++];
	const int flag = insn->bpf.off;
	int out, end;

	*iteration = (struct lo_iteration){
		.from = lo->at, .to = loop_end(lo->p, lo->at), .broke = -1, .left = -1,
		.begin = emit_new_label(&lo->e),
	};
	emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, flag, 0);
	lo_load_constant(lo, BPF_REG_1, LOOP_ITERATIONS);
	emit_function(&lo->e, BPF_REG_2, iteration->begin);
	lo_move(lo, BPF_REG_3, BPF_REG_10);
	lo_load_constant(lo, BPF_REG_4, 0);
	lo_call(lo, HELPER_LOOP);
	out = lo_forward_label(lo, insn, insn[1].name);
	end = lo_forward_label(lo, insn, insn->name);
	if (out < 0 || end < 0)
		return -1;
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, flag, 0);
	emit_jump(&lo->e, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_1, 0, 0, out);
	emit_jump(&lo->e, BPF_JMP | BPF_JLT | BPF_K, BPF_REG_0, 0, LOOP_ITERATIONS, end);
	lo->next = iteration->to + 1;
	return 0;
}

int lo_loop(struct lowerer *lo, const struct insn *insn)
{
	if (lo->calls)
		return call_iterations(lo, insn);
	if (!lo_ring(lo) && !kernel_has(lo->l->kernel, FEATURE_BPF_BACK))
		return fail(lo->err, "this kernel's BPF programs have no loops (since 5.3)");
	lo->labels[lo->at] = emit_new_label(&lo->e);
	emit_place(&lo->e, lo->labels[lo->at]);
	lo->context_in_r1 = false;
	return 0;
}

int lo_again(struct lowerer *lo, const struct insn *insn)
{
	const int begin = lo->labels[loop_begin(lo->p, lo->at)];

	(void)insn;
	emit_jump(&lo->e, lo_ring(lo) ? RING_AGAIN : BPF_JMP | BPF_JA, 0, 0, 0, begin);
	lo->dead = !lo_ring(lo);
	return 0;
}

/* A verifier follows each iteration that changes a number it knows. */
int lo_unknown(struct lowerer *lo, const struct insn *insn)
{
	if (!lo->calls)
		return 0;
	lo_call(lo, BPF_FUNC_get_prandom_u32);
	emit(&lo->e, BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32);
	lo_move(lo, BPF_REG_1, BPF_REG_0);
	emit(&lo->e, BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_1, 0, 0, 32);
	emit(&lo->e, BPF_ALU64 | BPF_OR | BPF_X, BPF_REG_0, BPF_REG_1, 0, 0);
	emit(&lo->e, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, insn->bpf.off, 0);
	emit(&lo->e, BPF_ALU64 | BPF_XOR | BPF_X, BPF_REG_1, BPF_REG_0, 0, 0);
	emit(&lo->e, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1, insn->bpf.off, 0);
	return 0;
}

/* The end of a function: r0 = result. */
static void end_iteration(struct lowerer *lo, int result)
{
	lo_load_constant(lo, BPF_REG_0, result);
	emit(&lo->e, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int lower_iteration(struct lowerer *lo, struct lo_iteration *iteration)
{
	lo->iteration = iteration;
	lo->e.frame = CALLED_FRAME;
	lo->dead = lo->context_in_r1 = false;
	emit_source(&lo->e, (uint16_t)iteration->from);
	emit_place(&lo->e, iteration->begin);
	lo_move(lo, CALLED_FRAME, BPF_REG_2);
	if (lo_range(lo, iteration->from + 2, iteration->to))
		return -1;
	if (!lo->dead)
		end_iteration(lo, 0);
	if (iteration->broke >= 0) {
		emit_place(&lo->e, iteration->broke);
		end_iteration(lo, 1);
	}
	if (iteration->left >= 0) {
		emit_place(&lo->e, iteration->left);
		emit(&lo->e, BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0,
		     lo->p->insns[iteration->from].bpf.off, 1);
		end_iteration(lo, 1);
	}
	lo->iteration = NULL;
	lo->e.frame = 0;
	return 0;
}

int lo_iterations(struct lowerer *lo)
{
	for (unsigned int i = 0; i < lo->n_iterations; i++)
		if (lower_iteration(lo, &lo->iterations[i]))
			return -1;
	return 0;
}
