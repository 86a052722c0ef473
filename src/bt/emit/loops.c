// SPDX-License-Identifier: GPL-2.0
/* Instructions of loops. */
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/bt/emit/own.h"

/*
 * Begins a loop. What changes from iteration to iteration is unknown to the kernel's verifier,
 * which would follow each iteration otherwise.
 */
static void begin_loop(struct code *c, const struct bt_statement *s, struct bt_loop *inner)
{
	const struct bt_probe *p = s->probe;

	inner->end = code_label(c);
	inner->next = code_label(c);
	for (unsigned int i = 0; i < p->n_variables; i++)
		if (p->variables[i].shape.size == 8)
			CODE(c, UNKNOWN_AT(AT(bt_variable_at(p, i))));
	CODE(c, SYMBOLIC(SYM_LOOP, inner->end, 0, 0, AT(code_room(c, 8)), 0));
	CODE(c, SYMBOLIC(SYM_ELSE, "out", 0, 0, 0, 0));
}

/*
 * The body and the end. A loop that is cut counts, and nothing behind it runs. `jumps`: where break
 * and continue of the body go.
 */
static void end_loop(struct code *c, const struct bt_statement *body, const struct bt_loop *inner,
		     struct bt_loop *jumps)
{
	const unsigned int frame = c->frame;
	int key;

	bt_emit_statements(c, body, jumps);
	CODE(c, LABEL(inner->next));
	CODE(c, NEXT_TURN);
	key = code_room(c, 8);
	CODE(c, BPF_ST_MEM(BPF_W, R10, AT(key), BT_ENDLESS));
	CODE(c, ADD_AT(bt_programs.maps[BT_FAILURES].name, AT(key), R0));
	CODE(c, JUMP("out"));
	CODE(c, LABEL(inner->end));
	c->frame = frame;
}

/* unroll() of sonde's own events, whose break and continue are for the loop around it. */
static bool counted_iterations(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	const int iteration = code_room(c, 8);
	struct bt_loop inner = { };

	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(iteration), 0));
	begin_loop(c, s, &inner);
	CODE(c, BPF_LDX_MEM(BPF_DW, R6, R10, AT(iteration)));
	CODE(c, JSGE(R6, (int32_t)s->branch.value->value, inner.end));
	CODE(c, BPF_ALU64_IMM(BPF_ADD, R6, 1));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(iteration)));
	end_loop(c, s->branch.then, &inner, l);
	return false;
}

bool bt_emit_unroll(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	bool ends = false;

	if (c->own)
		return counted_iterations(c, s, l);
	for (uint64_t i = 0; i < s->branch.value->value && !ends; i++)
		ends = bt_emit_statements(c, s->branch.then, l);
	return ends;
}

bool bt_emit_while(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	struct bt_loop inner = { };

	(void)l;
	begin_loop(c, s, &inner);
	bt_emit_number(c, s->branch.value, 0);
	CODE(c, JEQ(R6, 0, inner.end));
	end_loop(c, s->branch.then, &inner, &inner);
	return false;
}

/* FROM..TO, computed once: the next number and the end are on the stack. */
static bool computed_range(struct code *c, const struct bt_statement *s)
{
	const int at = bt_variable_at(s->probe, s->range.variable), next = code_room(c, 8),
		  limit = code_room(c, 8);
	const struct node *to = s->range.to;
	struct bt_loop inner = { };

	bt_emit_number(c, s->range.from, 0);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(next)));
	bt_emit_number(c, to, 0);
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(limit)));
	CODE(c, UNKNOWN_AT(AT(next)));
	begin_loop(c, s, &inner);
	CODE(c, BPF_LDX_MEM(BPF_DW, R6, R10, AT(next)));
	if (to->kind == NODE_NUMBER && (int64_t)to->value == (int32_t)to->value) {
		CODE(c, JSGE(R6, (int32_t)to->value, inner.end));
	} else {
		CODE(c, BPF_LDX_MEM(BPF_DW, R7, R10, AT(limit)));
		CODE(c, JSGE_REG(R6, R7, inner.end));
	}
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(at)));
	CODE(c, BPF_ALU64_IMM(BPF_ADD, R6, 1));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(next)));
	end_loop(c, s->range.body, &inner, &inner);
	return false;
}

/* Returns true if one of the instructions from `at` on begins a loop. */
static bool has_loop(const struct code *c, unsigned int at)
{
	while (at < c->n && c->insns[at].symbol != SYM_LOOP)
		at++;
	return at < c->n;
}

/* How many instructions the iterations of a loop may come to that are made one by one. */
static unsigned int iterations_most(const struct bt_statement *s)
{
	return kernel_has(s->probe->bt->script.kernel, FEATURE_BPF_BACK) ? BT_ROLLED :
	       BT_INSTRUCTIONS;
}

/*
 * Makes each iteration, as long as they come to few instructions: kernels before 5.3 have nothing
 * else. Returns false if they are too many.
 */
static bool made_iterations(struct code *c, const struct bt_statement *s, bool *ends)
{
	const int at = bt_variable_at(s->probe, s->range.variable);
	const unsigned int begin = c->n;
	struct bt_loop inner = { .end = code_label(c) };
	struct node iteration = *s->range.from;

	*ends = false;
	for (; (int64_t)iteration.value < (int64_t)s->range.to->value && !*ends;
	     iteration.value++) {
		inner.next = code_label(c);
		inner.went_on = false;
		bt_emit_number(c, &iteration, 0);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(at)));
		*ends = bt_emit_statements(c, s->range.body, &inner) && !inner.went_on;
		CODE(c, LABEL(inner.next));
		if (c->n - begin > iterations_most(s) || has_loop(c, begin)) {
			c->n = begin;
			return false;
		}
	}
	CODE(c, LABEL(inner.end));
	*ends = *ends && !inner.broke;
	return true;
}

bool bt_emit_for(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	const bool known = !c->own && s->range.from->kind == NODE_NUMBER &&
			   s->range.to->kind == NODE_NUMBER;
	bool ends;

	(void)l;
	if (known && made_iterations(c, s, &ends))
		return ends;
	return computed_range(c, s);
}

bool bt_emit_jump(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	const bool breaks = s->kind == BT_BREAK;

	*(breaks ? &l->broke : &l->went_on) = true;
	CODE(c, JUMP(breaks ? l->end : l->next));
	return true;
}

/* A loop of a probe through a map is an order to sonde. */
bool bt_emit_each(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	struct bt_loop inner = { };
	int key;

	(void)l;
	if (!c->own)
		return bt_emit_order(c, s->each.order);
	key = code_room(c, sizeof(struct bt_rows_key));
	bt_own_rows_begin(c, s, key);
	begin_loop(c, s, &inner);
	bt_own_rows_next(c, s, key, inner.end);
	end_loop(c, s->each.body, &inner, &inner);
	return false;
}
