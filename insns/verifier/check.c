// SPDX-License-Identifier: GPL-2.0
/*
 * The rule checker.
 *
 * First it checks the form of every instruction, that each can be reached, and, for kernels before
 * 5.3, that no jump goes back. Then it passes over the program, with the known types and values of
 * registers and stack. Where jumps go forward only, everything that leads to an instruction comes
 * before it: check_loop.c has the others. Where paths meet, a register or byte in which they differ
 * is unusable. Kernels look at each path by itself. The checker is stricter, which makes one pass
 * enough.
 *
 * Kernels up to 4.19 also limit how many instructions they look at over all paths. walk() counts
 * them as the first of these kernels does: depth first. It ends a path where an earlier path had a
 * state that covers the path's state. It looks for such states after calls, after jumps and at the
 * targets of conditional jumps. Later kernels end more paths, because they forget dead registers:
 * for them the count is an upper bound.
 */
#include "insns/verifier/check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "insns/lower/helpers.h"
#include "insns/verifier/check_state.h"

/* Branches that a kernel before 5.2 keeps for later, at most. */
#define BRANCHES_MAX 1024
/* States kept at one instruction. Kernels keep all states, but refuse programs with more anyway. */
#define SEEN_MAX 256

static bool is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

static bool is_call(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL);
}

static bool is_end(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_EXIT);
}

static bool is_goto(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_JA);
}

/* It may go on behind it. */
static bool is_again(const struct checker *ck, const struct bpf_insn *insn)
{
	return ck->g->target == TARGET_RING && insn->code == RING_AGAIN;
}

static bool is_condition(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_JMP && !is_call(insn) && !is_end(insn) &&
	       !is_goto(insn);
}

int unused_fields(struct checker *ck, unsigned int at, int used)
{
	const struct bpf_insn *insn = &ck->insns[at];

	if ((!(used & USES_DST) && insn->dst_reg) || (!(used & USES_SRC) && insn->src_reg) ||
	    (!(used & USES_OFF) && insn->off) || (!(used & USES_IMM) && insn->imm))
		return refuse(ck, at, "fields this instruction does not use must be 0");
	return 0;
}

static int form_alu(struct checker *ck, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	bool wide = BPF_CLASS(insn->code) == BPF_ALU64, imm = BPF_SRC(insn->code) == BPF_K;

	switch (BPF_OP(insn->code)) {
	case BPF_END:
		if (wide || (insn->imm != 16 && insn->imm != 32 && insn->imm != 64))
			break;
		return unused_fields(ck, at, USES_DST | USES_IMM);
	case BPF_NEG:
		if (!imm)
			break;
		return unused_fields(ck, at, USES_DST);
	case BPF_DIV:
	case BPF_MOD:
		if (imm && !insn->imm)
			return refuse(ck, at, "division by 0");
		if (!imm && !ck->g->divide_by_register)
			return refuse(ck, at, "division by a register: kernels before 4.16 leave "
					      "the program where it is 0");
		return unused_fields(ck, at, imm ? USES_DST | USES_IMM : USES_DST | USES_SRC);
	case BPF_ARSH:
		/* Before 5.0 interpreters stop the kernel on a 32-bit arithmetic shift. */
		if (!wide)
			return refuse(ck, at, "there is no 32-bit arithmetic shift before 5.0");
		/* fallthrough */
	case BPF_LSH:
	case BPF_RSH:
		if (imm && (insn->imm < 0 || insn->imm >= (wide ? 64 : 32)))
			return refuse(ck, at, "a shift by %d bits is not defined", insn->imm);
		/* fallthrough */
	case BPF_ADD:
	case BPF_SUB:
	case BPF_MUL:
	case BPF_OR:
	case BPF_AND:
	case BPF_XOR:
	case BPF_MOV:
		return unused_fields(ck, at, imm ? USES_DST | USES_IMM : USES_DST | USES_SRC);
	}
	return refuse(ck, at, "not an instruction of the first instruction set");
}

static int form_jump(struct checker *ck, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];
	bool imm = BPF_SRC(insn->code) == BPF_K;

	switch (BPF_OP(insn->code)) {
	case BPF_CALL:
		if (imm)
			return unused_fields(ck, at, USES_IMM);
		break;
	case BPF_EXIT:
		if (imm)
			return unused_fields(ck, at, 0);
		break;
	case BPF_JA:
		if (imm)
			return unused_fields(ck, at, USES_OFF);
		break;
	case BPF_JLT:
	case BPF_JLE:
	case BPF_JSLT:
	case BPF_JSLE:
		if (!ck->g->jump_less)
			return refuse(ck, at, "kernels before 4.14 have no jump on less: turn the "
					      "comparison round");
		/* fallthrough */
	case BPF_JEQ:
	case BPF_JNE:
	case BPF_JGT:
	case BPF_JGE:
	case BPF_JSGT:
	case BPF_JSGE:
	case BPF_JSET:
		return unused_fields(ck, at, USES_DST | USES_OFF | (imm ? USES_IMM : USES_SRC));
	}
	return refuse(ck, at, "not an instruction of the first instruction set");
}

static bool is_single(const struct map *m)
{
	return m->kind == MAP_ARRAY && m->entries == 1;
}

static int form_load(struct checker *ck, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];

	if (is_wide(insn)) {
		if (at + 1 >= ck->n || insn[1].code || insn[1].dst_reg || insn[1].src_reg ||
		    insn[1].off)
			return refuse(ck, at, "the second half of this instruction is missing");
		if (insn->src_reg > BPF_OF_MAP_VALUE && !(BPF_IS_FUNCTION(insn) && ck->g->loop))
			return refuse(ck, at, "not an instruction of the first instruction set");
		if (BPF_HAS_MAP(insn) &&
		    (insn->imm < 0 || (unsigned int)insn->imm >= ck->c->n_maps || insn[1].imm))
			return refuse(ck, at, "there is no map of this number");
		if (insn->src_reg == BPF_OF_MAP_VALUE && !is_single(&ck->c->maps[insn->imm]))
			return refuse(ck, at, "only the value of an array with one entry has "
				      "an address");
		if (insn->src_reg == BPF_OF_MAP_VALUE && !ck->g->direct)
			return refuse(ck, at, "addresses of values are for kernels since 5.2");
		return unused_fields(ck, at, USES_DST | USES_SRC | USES_IMM);
	}
	if (BPF_MODE(insn->code) == BPF_ABS && ck->g->target == TARGET_RING) {
		if (insn->imm < 0 || insn->imm > UINT16_MAX - 8)
			return refuse(ck, at, "records are not that long");
		if (insn->src_reg > 1)
			return refuse(ck, at, "src tells whether to extend the sign: 0 or 1");
		return unused_fields(ck, at, USES_DST | USES_SRC | USES_IMM);
	}
	return refuse(ck, at, "loads of this kind are not for tracing programs");
}

static bool writes_dst(const struct bpf_insn *insn)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
	case BPF_LD:
	case BPF_LDX:
		return true;
	case RING_INSN(0):
		return insn->code == RING_STACK_ADDRESS || insn->code == RING_LOG2;
	default:
		return false;
	}
}

static int form(struct checker *ck, unsigned int at)
{
	const struct bpf_insn *insn = &ck->insns[at];

	if (insn->dst_reg > BPF_REG_10 || insn->src_reg > BPF_REG_10)
		return refuse(ck, at, "registers are r0 to r10");
	if (writes_dst(insn) && insn->dst_reg == BPF_REG_10)
		return refuse(ck, at, "r10 can't be written");
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return form_alu(ck, at);
	case BPF_JMP:
		return form_jump(ck, at);
	case RING_INSN(0):
		if (is_ring_insn(ck, insn))
			return form_ring(ck, at);
		break;
	case BPF_LD:
		return form_load(ck, at);
	case BPF_LDX:
		if (BPF_MODE(insn->code) == BPF_MEM)
			return unused_fields(ck, at, USES_DST | USES_SRC | USES_OFF);
		break;
	case BPF_ST:
		if (BPF_MODE(insn->code) == BPF_MEM)
			return unused_fields(ck, at, USES_DST | USES_OFF | USES_IMM);
		break;
	case BPF_STX:
		if (BPF_MODE(insn->code) == BPF_MEM)
			return unused_fields(ck, at, USES_DST | USES_SRC | USES_OFF);
		if (BPF_IS_CMPXCHG(insn) && BPF_SIZE(insn->code) == BPF_DW) {
			if (!ck->g->cmpxchg)
				return refuse(ck, at, "BPF_CMPXCHG is for kernels since 5.12");
			return unused_fields(ck, at, USES_DST | USES_SRC | USES_OFF | USES_IMM);
		}
		if (BPF_MODE(insn->code) == BPF_XADD && BPF_SIZE(insn->code) != BPF_B &&
		    BPF_SIZE(insn->code) != BPF_H)
			return unused_fields(ck, at, USES_DST | USES_SRC | USES_OFF);
		break;
	}
	return refuse(ck, at, "not an instruction of the first instruction set");
}

/* Marks of an instruction: how it is reached, and whether a walk looks for earlier states there. */
enum { REACHED = 1, JOINED = 2, PRUNE = 4, SECOND_HALF = 8 };

static int mark_target(struct checker *ck, uint8_t *marks, unsigned int at, int marked)
{
	const struct bpf_insn *insn = &ck->insns[at];
	unsigned int target = at + 1 + (unsigned int)insn->off;

	if (BPF_IS_FUNCTION(insn))
		target = at + 1 + (unsigned int)insn->imm;
	else if (insn->off < 0 && !ck->g->back)
		return refuse(ck, at, "jumps go forward only: there are no loops before 5.3");
	if (target >= ck->n)
		return refuse(ck, at, "it jumps beyond the end");
	if (marks[target] & SECOND_HALF)
		return refuse(ck, at, "it jumps into the middle of an instruction");
	marks[target] |= marked;
	return 0;
}

/* Checks the form of every instruction, and that it can be reached. */
static int shape(struct checker *ck, uint8_t *marks)
{
	for (unsigned int i = 0; i < ck->n; i++) {
		if (form(ck, i))
			return -1;
		if (is_wide(&ck->insns[i]))
			marks[++i] |= SECOND_HALF;
	}
	marks[0] |= REACHED;
	for (unsigned int i = 0; i < ck->n; i++) {
		const struct bpf_insn *insn = &ck->insns[i];
		unsigned int next = i + (is_wide(insn) ? 2 : 1);

		if (!(marks[i] & REACHED))
			return refuse(ck, i, "nothing leads to this instruction");
		if (is_condition(insn) && mark_target(ck, marks, i, REACHED | JOINED | PRUNE))
			return -1;
		if ((is_goto(insn) || is_again(ck, insn) || BPF_IS_FUNCTION(insn)) &&
		    mark_target(ck, marks, i, REACHED | JOINED))
			return -1;
		if (!is_end(insn) && !is_goto(insn)) {
			if (next >= ck->n)
				return refuse(ck, i, "the program does not end here");
			marks[next] |= REACHED;
		}
		if ((is_call(insn) || is_goto(insn)) && next < ck->n)
			marks[next] |= PRUNE;
		i = next - 1;
	}
	return 0;
}

/* Merges `s` into the state in which jumps arrive at the target. NULL: no jump has arrived yet. */
static int join(struct checker *ck, struct state **joins, unsigned int at, unsigned int target,
		const struct state *s)
{
	if (target <= at)
		return loop_back(ck, target, s);
	if (joins[target]) {
		state_merge(ck, joins[target], s);
		return 0;
	}
	joins[target] = malloc(state_size(ck));
	if (!joins[target])
		return fail(ck->err, "out of memory while checking a program");
	state_copy(ck, joins[target], s);
	return 0;
}

/* A jump or the end: the jump's target gets `s`. *live: the next instruction may follow as well. */
static int leave(struct checker *ck, struct state **joins, struct state *s, unsigned int at,
		 bool *live)
{
	const struct bpf_insn *insn = &ck->insns[at];
	struct state taken;

	if (step_jump(ck, s, at))
		return -1;
	*live = is_condition(insn) || is_again(ck, insn);
	if (is_end(insn))
		return loop_return(ck, s, at);
	if (!is_condition(insn))
		return join(ck, joins, at, at + 1 + (unsigned int)insn->off, s);
	state_copy(ck, &taken, s);
	refine(insn, &taken, true);
	refine(insn, s, false);
	return join(ck, joins, at, at + 1 + (unsigned int)insn->off, &taken);
}

/* A pass over all instructions. */
static int pass(struct checker *ck, struct state **joins)
{
	bool live = true;
	struct state s;

	state_start(ck, &s);
	for (unsigned int i = 0; i < ck->n; i++) {
		if (joins[i]) {
			if (live)
				state_merge(ck, &s, joins[i]);
			else
				state_copy(ck, &s, joins[i]);
			live = true;
			free(joins[i]);
			joins[i] = NULL;
		}
		if (!is_call(&ck->insns[i]) || ck->insns[i].imm != HELPER_LOOP) {
			loop_enter(ck, i, &s, live);
			live |= ck->heads[i] != NULL;
		}
		if (is_again(ck, &ck->insns[i]) ||
		    (BPF_CLASS(ck->insns[i].code) == BPF_JMP && !is_call(&ck->insns[i]))) {
			if (leave(ck, joins, &s, i, &live))
				return -1;
		} else if (step(ck, &s, i)) {
			return -1;
		}
		if (is_wide(&ck->insns[i]))
			i++;
	}
	return 0;
}

static int flow(struct checker *ck, struct state **joins)
{
	int result;

	ck->heads = calloc(ck->n, sizeof(*ck->heads));
	ck->calls = calloc(ck->n, sizeof(*ck->calls));
	if (!ck->heads || !ck->calls) {
		result = fail(ck->err, "out of memory while checking a program");
	} else {
		do {
			ck->changed = false;
			result = pass(ck, joins);
		} while (!result && ck->changed);
	}
	for (unsigned int i = 0; ck->heads && i < ck->n; i++)
		free(ck->heads[i]);
	free(ck->heads);
	free(ck->calls);
	return result;
}

struct seen {
	struct seen *next;
	struct state state;
};

struct seen_list {
	struct seen *first;
	unsigned int n;
};

struct branch {
	struct branch *next;
	unsigned int at;
	struct state state;
};

struct walk {
	struct checker *ck;
	const uint8_t *marks;
	struct seen_list *seen;	/* by instruction */
	struct branch *branches;	/* ways that are still to be walked */
	unsigned int n_branches, walked;
};

/*
 * Returns 1 if an earlier walk has shown everything from here on. Otherwise notes the state of this
 * walk, and returns 0.
 */
static int seen_before(struct walk *w, unsigned int at, const struct state *s)
{
	struct seen_list *list = &w->seen[at];
	struct seen *seen;

	if (!(w->marks[at] & PRUNE))
		return 0;
	for (seen = list->first; seen; seen = seen->next)
		if (state_covers(w->ck, &seen->state, s))
			return 1;
	if (list->n++ >= SEEN_MAX)
		return 0;
	seen = malloc(offsetof(struct seen, state) + state_size(w->ck));
	if (!seen)
		return fail(w->ck->err, "out of memory while checking a program");
	state_copy(w->ck, &seen->state, s);
	seen->next = list->first;
	list->first = seen;
	return 0;
}

/* A conditional jump: goes on with the next instruction, and keeps the other way for later. */
static int fork_walk(struct walk *w, struct state *s, unsigned int *at)
{
	const struct bpf_insn *insn = &w->ck->insns[*at];
	const struct reg *r = &s->regs[insn->dst_reg];
	unsigned int target = *at + 1 + (unsigned int)insn->off;
	struct branch *b;

	/* If the register is known to have the compared value, only one way is walked. */
	if (BPF_SRC(insn->code) == BPF_K && reg_constant(r) &&
	    r->min == (uint64_t)(int64_t)insn->imm &&
	    (BPF_OP(insn->code) == BPF_JEQ || BPF_OP(insn->code) == BPF_JNE)) {
		*at = BPF_OP(insn->code) == BPF_JEQ ? target : *at + 1;
		return 0;
	}
	if (++w->n_branches > BRANCHES_MAX)
		return refuse(w->ck, *at,
			      "more than %d branches wait to be walked: the program is too complex",
			      BRANCHES_MAX);
	b = malloc(offsetof(struct branch, state) + state_size(w->ck));
	if (!b)
		return fail(w->ck->err, "out of memory while checking a program");
	b->at = target;
	state_copy(w->ck, &b->state, s);
	refine(insn, &b->state, true);
	refine(insn, s, false);
	b->next = w->branches;
	w->branches = b;
	*at += 1;
	return 0;
}

/* Walks one path, from `at` to its end, or to where an earlier path had a state that covers it. */
static int walk_path(struct walk *w, struct state *s, unsigned int at)
{
	for (;;) {
		const struct bpf_insn *insn = &w->ck->insns[at];
		int before;

		if (++w->walked > w->ck->g->max_walked)
			return refuse(w->ck, at, "the program is too complex: it looks at %u "
						 "instructions at most over all paths",
				      w->ck->g->max_walked);
		before = seen_before(w, at, s);
		if (before)
			return before < 0 ? -1 : 0;
		if (BPF_CLASS(insn->code) == BPF_JMP && !is_call(insn)) {
			if (step_jump(w->ck, s, at))
				return -1;
			if (is_end(insn))
				return 0;
			if (is_goto(insn))
				at += 1 + (unsigned int)insn->off;
			else if (fork_walk(w, s, &at))
				return -1;
			continue;
		}
		if (step(w->ck, s, at))
			return -1;
		at += is_wide(insn) ? 2 : 1;
	}
}

/* Walks all paths as a kernel does. Returns -1 if the program exceeds a limit. */
static int walk(struct checker *ck, const uint8_t *marks)
{
	struct walk w = { .ck = ck, .marks = marks, .seen = calloc(ck->n, sizeof(*w.seen)) };
	struct state s;
	int result;

	if (!w.seen)
		return fail(ck->err, "out of memory while checking a program");
	state_start(ck, &s);
	result = walk_path(&w, &s, 0);
	while (w.branches) {
		struct branch *b = w.branches;

		w.branches = b->next;
		w.n_branches--;
		if (!result)
			result = walk_path(&w, &b->state, b->at);
		free(b);
	}
	for (unsigned int i = 0; i < ck->n; i++)
		for (struct seen *seen = w.seen[i].first, *next; seen; seen = next) {
			next = seen->next;
			free(seen);
		}
	free(w.seen);
	return result;
}

int check_record(const struct bpf_insn *insns, unsigned int n, const struct check *c,
		 uint32_t *record_bytes, struct error *err)
{
	struct checker ck = { .insns = insns, .n = n, .c = c, .g = c->generation, .err = err };
	struct state **joins;
	uint8_t *marks;
	int result = -1;

	assert(insns && c->generation && (c->maps || !c->n_maps));
	if (c->type == TYPE_TRACEPOINT && !ck.g->tracepoints)
		return fail(err, "kernel %s has no programs on tracepoints: they came with 4.7",
			    ck.g->name);
	if (c->type == TYPE_TYPED && !ck.g->typed)
		return fail(err, "kernel %s has no programs on typed tracepoints: they came with "
			    "5.5", ck.g->name);
	if (!n || n > ck.g->max_insns)
		return fail(err, "the program has %u instructions: %s takes 1 to %u", n,
			    ck.g->target == TARGET_RING ? "sonde's machine" : ck.g->name,
			    ck.g->max_insns);
	marks = calloc(n, sizeof(*marks));
	joins = calloc(n, sizeof(*joins));
	if (!marks || !joins)
		fail(err, "out of memory while checking a program");
	else if (!shape(&ck, marks) && !flow(&ck, joins) &&
		 (!ck.g->max_walked || !walk(&ck, marks)))
		result = 0;
	if (joins)
		for (unsigned int i = 0; i < n; i++)
			free(joins[i]);
	free(joins);
	free(marks);
	*record_bytes = ck.record_bytes;
	return result;
}

int check(const struct bpf_insn *insns, unsigned int n, const struct check *c, struct error *err)
{
	uint32_t record_bytes;

	return check_record(insns, n, c, &record_bytes, err);
}
