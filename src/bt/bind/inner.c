// SPDX-License-Identifier: GPL-2.0
/* Binding statements within values: { STATEMENT; VALUE }, if with values, $x++, calls. */

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"

/* *at becomes a bt_inner, which is bound. */
static int replace(struct binder *b, struct node **at, struct bt_statement *statements,
		   struct node *value)
{
	struct node *n = bt_inner_node(b, (*at)->at, statements, value);

	if (!n)
		return -1;
	*at = n;
	return bt_inner.infer(b, at);
}

static bool ends_action(const struct bt_statement *s)
{
	for (; s; s = s->next)
		if (s->kind == BT_RETURN || s->kind == BT_BREAK || s->kind == BT_CONTINUE ||
		    (s->kind == BT_ORDER && s->order->kind == BT_EXIT))
			return true;
	return false;
}

/* ---- blocks ---- */

static struct node *value_of(struct binder *b, size_t at, struct bt_statement *list);

/* An if whose both blocks have values. */
static struct node *choice(struct binder *b, const struct bt_statement *s)
{
	struct node *n = new_node(b, NODE_CHOICE, s->at);

	if (!n)
		return NULL;
	n->a = bt_inner_node(b, s->at, NULL, s->branch.value);
	if (!n->a)
		return NULL;
	n->b = value_of(b, s->at, s->branch.then);
	n->c = n->b ? value_of(b, s->at, s->branch.otherwise) : NULL;
	return n->c && !bind_node(b, &n) ? n : NULL;
}

/* The value of a block: its last statement's, which is taken from the list. */
static struct node *value_of(struct binder *b, size_t at, struct bt_statement *list)
{
	struct bt_statement **last = &list, *s;
	struct node *value;

	while (*last && (*last)->next)
		last = &(*last)->next;
	s = *last;
	if (!s || (s->kind != BT_VALUE && (s->kind != BT_IF || !s->branch.otherwise))) {
		WRONG_AT(b, at, "this block has no value: it ends with one, as { $x = pid; $x + 1 "
			 "}");
		return NULL;
	}
	value = s->kind == BT_VALUE ? s->value : choice(b, s);
	*last = NULL;
	if (ends_action(list)) {
		WRONG_AT(b, at, "a block that has a value does not leave the action: exit() and "
			 "return belong to statements");
		return NULL;
	}
	return bt_inner_node(b, at, list, value);
}

/* *at becomes the value of the statements. */
static int take_value(struct binder *b, struct node **at, struct bt_statement *list)
{
	*at = value_of(b, (*at)->at, list);
	return *at ? bind_node(b, at) : -1;
}

static int block(struct binder *b, struct node **at)
{
	const struct syntax *from = syntax_of(*at);
	struct bt_probe *now = bt_of(b->t)->now;
	const unsigned int loops = now->loops;
	struct bt_statement *list = NULL;
	int result;

	now->loops = 0;
	result = bt_block(b, from, &list);
	now->loops = loops;
	return result ? -1 : take_value(b, at, list);
}

const struct function bt_block_value = { .name = "{}", .infer = block };

static int branch(struct binder *b, struct node **at)
{
	struct bt_statement *s = NULL;

	return bt_bind_statement(b, syntax_of(*at), &s) ? -1 : take_value(b, at, s);
}

const struct function bt_if_value = { .name = "if", .infer = branch };

/* ---- calls ---- */

/* What a statement gives that is in the place of a value: nothing. */
static struct node *nothing(struct binder *b, size_t at)
{
	struct node *n = new_node(b, NODE_NUMBER, at);

	if (n)
		n->type = (struct c_type){ .base = C_VOID };
	return n;
}

static int call(struct binder *b, struct node **at)
{
	struct bt_statement *s = NULL;

	if (bt_bind_statement(b, syntax_of(*at), &s))
		return -1;
	return ends_action(s) ? WRONG(b, *at, "exit() is a statement, and no value") :
	       replace(b, at, s, nothing(b, (*at)->at));
}

const struct function bt_call_value = { .name = "()", .infer = call };

/* ---- steps ---- */

static int step(struct binder *b, struct node **at)
{
	struct bt_value v = { .node = (*at)->a };
	struct bt_statement *s = NULL;

	return bt_bind_statement(b, syntax_of(*at), &s) || bt_bind_value(b, &v) ? -1 :
	       replace(b, at, s, v.node);
}

const struct function bt_step_value = { .name = "++", .infer = step };

/* ---- what is bound ---- */

/* Statements before a tuple run before its first part. */
static int before_tuple(struct binder *b, struct node **at)
{
	struct node *n = *at, *tuple = n->a, **first = bt_innermost(tuple);
	struct node *inner = new_node(b, NODE_CALL, n->at);

	if (!inner)
		return -1;
	inner->function = &bt_inner;
	inner->own = n->own;
	inner->a = *first;
	*at = tuple;
	*first = inner;
	return bt_inner.infer(b, first);
}

static int infer(struct binder *b, struct node **at)
{
	struct node *n = *at;

	if (bt_is(n->a, VALUE_TUPLE) && n->own)
		return before_tuple(b, at);
	if (!n->own) {
		*at = n->a;
		return 0;
	}
	n->type = n->a->type;
	n->faults = n->a->faults;
	return 0;
}

const struct function bt_inner = { .name = "{}", .infer = infer, .emit = bt_emit_inner,
				   .text = bt_emit_inner_text, .own = VALUE_INNER };
