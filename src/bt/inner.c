// SPDX-License-Identifier: GPL-2.0
/* Statements within values: { STATEMENT; VALUE }, if (a) { b } else { c }, $x++, calls. */
#include <string.h>

#include "src/bt/emit.h"
#include "src/bt/parse.h"
#include "src/bt/text/text.h"
#include "src/language/types/types.h"

/* ---- reading ---- */

struct node *bt_inner_node(struct parser *p, size_t at, struct bt_statement *statements,
			   struct node *value)
{
	struct node *n = value ? parser_node(p, NODE_CALL, at) : NULL;

	if (!n)
		return NULL;
	n->function = &bt_inner;
	n->value = (uint64_t)(uintptr_t)statements;
	n->a = value;
	return n;
}

/* What a statement gives that is in the place of a value: nothing. */
static struct node *nothing(struct parser *p, size_t at)
{
	struct node *n = parser_node(p, NODE_NUMBER, at);

	if (n)
		n->type = (struct c_type){ .base = C_VOID };
	return n;
}

static bool ends_action(const struct bt_statement *s)
{
	for (; s; s = s->next)
		if (s->kind == BT_RETURN || s->kind == BT_BREAK || s->kind == BT_CONTINUE ||
		    (s->kind == BT_ORDER && s->order->kind == BT_EXIT))
			return true;
	return false;
}

static struct node *value_of(struct parser *p, size_t at, struct bt_statement *list);

/* An if whose both blocks have values. */
static struct node *choice(struct parser *p, const struct bt_statement *s)
{
	struct node *n = parser_node(p, NODE_CHOICE, s->at);
	struct binder b = bt_binder(p);

	if (!n)
		return NULL;
	n->a = bt_inner_node(p, s->at, NULL, s->value);
	if (!n->a)
		return NULL;
	n->b = value_of(p, s->at, s->then);
	n->c = n->b ? value_of(p, s->at, s->otherwise) : NULL;
	return n->c && !bind_node(&b, &n) ? n : NULL;
}

/* The value of a block: its last statement's, which is taken from the list. */
static struct node *value_of(struct parser *p, size_t at, struct bt_statement *list)
{
	struct bt_statement **last = &list, *s;
	struct node *value;

	while (*last && (*last)->next)
		last = &(*last)->next;
	s = *last;
	if (!s || (s->kind != BT_VALUE && (s->kind != BT_IF || !s->otherwise))) {
		NOT_AT(p, at, "this block has no value: it ends with one, as { $x = pid; $x + 1 }");
		return NULL;
	}
	value = s->kind == BT_VALUE ? s->value : choice(p, s);
	*last = NULL;
	if (ends_action(list)) {
		NOT_AT(p, at, "a block that has a value does not leave the action: exit() and "
		       "return belong to statements");
		return NULL;
	}
	return bt_inner_node(p, at, list, value);
}

struct node *bt_inner_block(struct parser *p)
{
	struct bt_statement *list = NULL;
	struct bt_probe *now = bt_of(p->t)->now;
	const unsigned int loops = now->loops;
	const size_t at = p->now.at;

	now->loops = 0;
	if (bt_block(p, &list))
		return NULL;
	now->loops = loops;
	return value_of(p, at, list);
}

struct node *bt_inner_if(struct parser *p)
{
	struct bt_statement *s = NULL;
	const size_t at = p->now.at;

	return bt_if(p, &s) ? NULL : value_of(p, at, s);
}

struct node *bt_inner_call(struct parser *p)
{
	struct bt_statement *s = NULL;
	const size_t at = p->now.at;

	if (bt_call(p, &s))
		return NULL;
	if (ends_action(s)) {
		NOT_AT(p, at, "exit() is a statement, and no value");
		return NULL;
	}
	return bt_inner_node(p, at, s, nothing(p, at));
}

/* ---- steps ---- */

static bool is_step(const struct parser *p)
{
	return parser_is(p, BT_OP_INCREMENT) || parser_is(p, BT_OP_DECREMENT);
}

bool bt_is_stepped(const struct parser *p)
{
	struct parser q;

	return bt_behind_name(p, &q) && is_step(&q);
}

/* Reads the variable or map alone. */
static struct node *operand(struct parser *p)
{
	return *parser_text(p) == '@' ? bt_map_node(p) : parser_name(p);
}

/* OPERAND - 1 of OPERAND++, which has stepped already. */
static struct node *before_step(struct parser *p, struct node *read, bool up)
{
	struct node *one = parser_node(p, NODE_NUMBER, read->at),
		    *n = one ? parser_node(p, NODE_BINARY, read->at) : NULL;

	if (!n)
		return NULL;
	one->value = 1;
	one->type = c_integer(8, true);
	n->op = up ? '-' : '+';
	n->a = read;
	n->b = one;
	return n;
}

/* $x++ steps as a statement does, and then the value is that of $x, or of what it was before. */
struct node *bt_inner_step(struct parser *p)
{
	const bool behind = !is_step(p);
	bool up = parser_is(p, BT_OP_INCREMENT);
	struct bt_statement *s = NULL;
	struct binder b = bt_binder(p);
	struct token begin = p->now, end;
	struct bt_value v;

	if (!behind && token_next(&p->t->source, begin.at + begin.length, &begin, p->err))
		return NULL;
	if (bt_simple(p, &s))
		return NULL;
	end = p->now;
	p->now = begin;
	v.node = operand(p);
	up |= behind && parser_is(p, BT_OP_INCREMENT);
	if (v.node && behind)
		v.node = before_step(p, v.node, up);
	p->now = end;
	if (!v.node || bt_bind_value(&b, &v))
		return NULL;
	return bt_inner_node(p, begin.at, s, v.node);
}

/* ---- binding and instructions ---- */

/* Statements before a tuple run before its first part. */
static int before_tuple(struct binder *b, struct node **at)
{
	struct node *n = *at, *tuple = n->a, **first = bt_innermost(tuple);
	struct node *inner = new_node(b, NODE_CALL, n->at);

	if (!inner)
		return fail(b->err, "out of memory");
	inner->function = &bt_inner;
	inner->value = n->value;
	inner->a = *first;
	*at = tuple;
	*first = inner;
	return bt_inner.infer(b, first);
}

static int infer(struct binder *b, struct node **at)
{
	struct node *n = *at;

	if (n->a->kind == NODE_CALL && n->a->function == &bt_tuple && n->value)
		return before_tuple(b, at);
	if (!n->value) {
		*at = n->a;
		return 0;
	}
	n->type = n->a->type;
	n->faults = n->a->faults;
	return 0;
}

const struct function bt_inner = { .name = "{}", .infer = infer, .emit = bt_emit_inner };
