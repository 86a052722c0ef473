// SPDX-License-Identifier: GPL-2.0
/* Instructions of statements. */
#include "src/bt/emit/emit.h"

#include <assert.h>

#include "src/bt/bind/bind.h"
#include "src/bt/emit/own.h"
#include "src/language/types/types.h"

static void add(struct code *c, const struct bt_statement *s)
{
	(c->own ? bt_own_add : bt_emit_add)(c, s);
}

static void aggregate(struct code *c, const struct bt_statement *s)
{
	(c->own ? bt_own_aggregate : bt_emit_aggregate)(c, s);
}

/* A signal that is not sent is counted. */
static void send_signal(struct code *c, const struct bt_statement *s)
{
	const char *sent = code_label(c);

	bt_emit_number(c, s->value, 0);
	CODE(c, BPF_MOV64_REG(R1, R6));
	CODE(c, RAW(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_send_signal));
	CODE(c, JEQ(R0, 0, sent));
	bt_emit_failure(c);
	CODE(c, LABEL(sent));
}

/* Verifiers refuse instructions that no way leads to: behind an end there is no jump. */
static bool condition(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	const char *otherwise = code_label(c), *end = code_label(c);
	bool then_ends, otherwise_ends;

	if (s->branch.value->faults) {
		bt_emit_number(c, s->branch.value, 0);
		CODE(c, JEQ(R6, 0, otherwise));
	} else {
		code_condition(c, s->branch.value, otherwise, NULL);
	}
	then_ends = bt_emit_statements(c, s->branch.then, l);
	if (s->branch.otherwise && !then_ends)
		CODE(c, JUMP(end));
	CODE(c, LABEL(otherwise));
	otherwise_ends = bt_emit_statements(c, s->branch.otherwise, l);
	CODE(c, LABEL(end));
	return then_ends && otherwise_ends;
}

static void set(struct code *c, const struct bt_statement *s)
{
	const struct bt_probe *p = s->probe;
	const struct bt_variable *v = &p->variables[s->set.variable];
	const int at = bt_variable_at(p, s->set.variable);

	if (v->shape.kind == BT_TEXT) {
		bt_emit_text(c, s->set.value, at, v->shape.size, 0, true);
	} else if (v->shape.kind == BT_STACK) {
		bt_emit_stack(c, &v->shape, s->set.value, at, 0);
	} else {
		bt_emit_number(c, s->set.value, 0);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, AT(at)));
	}
}

static bool leave(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	(void)s;
	(void)l;
	CODE(c, JUMP("out"));
	return true;
}

/* ---- values ---- */

/* What runs before the value of a bt_inner; registers of lower depths are kept. */
static void before(struct code *c, const struct node *n, int depth)
{
	const unsigned int frame = c->frame;
	const int kept = code_room(c, 8 * (unsigned int)depth);

	for (int i = 0; i < depth; i++)
		CODE(c, BPF_STX_MEM(BPF_DW, R10, code_register(i), AT(kept + 8 * i)));
	bt_emit_statements(c, bt_inner_statements(n), NULL);
	for (int i = 0; i < depth; i++)
		CODE(c, BPF_LDX_MEM(BPF_DW, code_register(i), R10, AT(kept + 8 * i)));
	c->frame = frame;
}

void bt_emit_inner(struct code *c, const struct node *n, int depth, const char *fault)
{
	before(c, n, depth);
	code_value_at(c, n->a, depth, n->a->faults ? fault : NULL);
}

void bt_emit_inner_text(struct code *c, const struct node *n, int off, unsigned int size, int depth,
			bool exact)
{
	before(c, n, depth);
	bt_emit_text(c, n->a, off, size, depth, exact);
}

/* A tuple has no instructions of its own. */
static bool is_tuple(const struct node *n)
{
	return n->kind == NODE_CALL && !n->function->emit && n->type.base == C_TEXT &&
	       bt_shape_in(&n->type).kind == BT_TUPLE;
}

/* A value that only does something. What runs before a tuple runs before its innermost part. */
static void value(struct code *c, const struct bt_statement *s)
{
	const struct node *n = s->value;

	while (is_tuple(n))
		n = n->b->a;
	if (bt_is(n, VALUE_INNER))
		before(c, n, 0);
	else if (n->type.base != C_TEXT)
		bt_emit_number(c, n, 0);
}

/* ---- kinds ---- */

static bool order(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	(void)l;
	return bt_emit_order(c, s->order);
}

/* Those that the program goes on behind. */
static void (*const simple[])(struct code *c, const struct bt_statement *s) = {
	[BT_SET] = set, [BT_STORE] = bt_emit_store, [BT_ADD] = add, [BT_DELETE] = bt_emit_delete,
	[BT_AGGREGATE] = aggregate, [BT_SIGNAL] = send_signal, [BT_VALUE] = value,
};

static bool (*const others[BT_VALUE + 1])(struct code *c, const struct bt_statement *s,
					  struct bt_loop *l) = {
	[BT_IF] = condition, [BT_ORDER] = order, [BT_EACH] = bt_emit_each, [BT_RETURN] = leave,
	[BT_UNROLL] = bt_emit_unroll, [BT_FOR] = bt_emit_for, [BT_BREAK] = bt_emit_jump,
	[BT_CONTINUE] = bt_emit_jump, [BT_WHILE] = bt_emit_while,
};

bool bt_emit_statements(struct code *c, const struct bt_statement *s, struct bt_loop *l)
{
	bool ends = false;

	/* Loops in loops may be longer than any program: it is refused then. */
	for (; s && !ends && c->n <= BT_INSTRUCTIONS_NEW; s = s->next) {
		const unsigned int frame = c->frame;

		if (others[s->kind])
			ends = others[s->kind](c, s, l);
		else
			simple[s->kind](c, s);
		c->frame = frame;
	}
	return ends;
}

void bt_emit_loop(struct code *c, const struct bt_statement *s)
{
	assert(s->kind == BT_EACH);
	bt_emit_each(c, s, NULL);
}

void bt_emit(struct code *c, void *probe)
{
	bt_emit_statements(c, ((const struct bt_probe *)probe)->statements, NULL);
}
