// SPDX-License-Identifier: GPL-2.0
/* Binding loops: unroll, while, for over numbers and over maps. */
#include <stdio.h>

#include "src/bt/bind/bind.h"
#include "src/bt/show/brackets.h"

#define UNROLL_MOST 100

/* `loop`: break and continue are for it. */
static int body(struct binder *b, const struct syntax *list, struct bt_statement **to, bool loop)
{
	struct bt_probe *now = bt_of(b->t)->now;

	now->loops += loop;
	if (bt_block(b, list, to))
		return -1;
	now->loops -= loop;
	return 0;
}

int bt_unroll(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	struct bt_statement *s = *to = bt_statement(b, BT_UNROLL, from->at);
	const struct node *n;

	if (!s || bt_copy_number(b, from->branch.value, &s->branch.value))
		return -1;
	n = s->branch.value;
	if (n->kind != NODE_NUMBER)
		return WRONG(b, n, "unroll() takes a number that the script tells, from 1 to %d",
			     UNROLL_MOST);
	if (!n->value || n->value > UNROLL_MOST)
		return WRONG(b, n, "unroll %simum value is %d", n->value ? "max" : "min",
			     n->value ? UNROLL_MOST : 1);
	return body(b, from->branch.then, &s->branch.then, false);
}

int bt_while(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	struct bt_statement *s = *to = bt_statement(b, BT_WHILE, from->at);

	return s && !bt_copy_number(b, from->branch.value, &s->branch.value) &&
	       !body(b, from->branch.then, &s->branch.then, true) ? 0 : -1;
}

/* ---- for ---- */

/* The variable NAME.0 or NAME.1, and the part's path. Returns its number; -1: err is set. */
static int part(struct binder *b, const struct syntax_name *name, unsigned int side,
		const char *path, const struct bt_shape *shape)
{
	char text[2 * BT_NAME];
	struct bt_shape alone = *shape;
	const int n = snprintf(text, sizeof(text), "%.*s.%u%s", (int)name->length,
			       name->text, side, path);

	alone.before = alone.behind = NULL;
	return bt_declare_here(b, text, n < (int)sizeof(text) ? (size_t)n : sizeof(text), name->at,
			       &alone);
}

/* The variables of all parts. */
static int parts(struct binder *b, struct bt_statement *s, const struct syntax_name *name)
{
	const struct bt_map *m = s->each.map;
	const bool tuple = m->value.kind == BT_TUPLE;
	const unsigned int n_values = tuple ? m->n_parts : 1;
	const bool record = bt_is_one_record(m->keys, m->n_keys);
	char path[BT_NAME];

	for (unsigned int i = 0; i < m->n_keys + n_values; i++) {
		const unsigned int v = i - m->n_keys;
		const bool key = i < m->n_keys;
		int variable;

		*path = '\0';
		if (key && (record || m->n_keys > 1))
			bt_path_of(m->keys, i, !record, path, sizeof(path));
		else if (!key && tuple)
			bt_path_of(m->parts, v, false, path, sizeof(path));
		variable = part(b, name, !key, path, key ? &m->keys[i] : tuple ? &m->parts[v] :
				&m->value);
		if (variable < 0)
			return -1;
		s->each.parts[i] = (uint8_t)variable;
	}
	return 0;
}

static int entries(struct binder *b, struct bt_statement *s, const struct syntax *from)
{
	static const struct bt_shape unset = { .size = 8 };
	const struct syntax_name *name = &from->loop.name;
	struct bt_map *m = s->each.map;
	int open;

	m->named = m->read = true;
	if (from->loop.has_keys)
		return WRONG_AT(b, from->loop.over, "for goes through a whole map: for ($kv : "
				"@map)");
	if (m->kind == BT_STATS || bt_has_slots(m) || bt_has_stacks(m) || bt_keeps_stacks(m))
		return WRONG_AT(b, from->loop.over, "for goes through maps of numbers and strings: "
				"print(%s) shows this one", m->name);
	if (!m->used) {		/* what its parts are is told later in the script */
		open = bt_declare_here(b, name->text, name->length, name->at,
				       &unset);
		if (open >= 0)
			bt_of(b->t)->now->variables[open].open = true;
		return open < 0 ? -1 : 0;
	}
	if (!m->n_keys)
		return WRONG_AT(b, from->loop.over, "%s has no keys to go through", m->name);
	return parts(b, s, name);
}

/* ---- loops of probes through a map ---- */

/*
 * No program can go through a map, so such a loop is an order to sonde, which goes through what the
 * map has then, as print() does. The loop knows nothing of the event, and what it changed would
 * come late: it only shows.
 */
struct aside {
	struct binder *b;
	const struct bt_probe *probe;
	uint32_t before;	/* a bit for each variable that has a value before the loop */
	uint16_t scope;		/* those of this block and later ones are the loop's own */
};

static bool is_own(const struct aside *l, unsigned int variable)
{
	return l->probe->variables[variable].scope >= l->scope ||
	       !(l->before & 1U << variable);
}

static int check(const struct aside *l, const struct bt_statement *s);

static int unknown(const struct aside *l, size_t at)
{
	return WRONG_AT(l->b, at, BT_ASIDE);
}

static int check_value(const struct aside *l, const struct node *n)
{
	if (!n)
		return 0;
	switch (n->kind) {
	case NODE_INPUT:
	case NODE_READ:
	case NODE_FOLLOW:
		return unknown(l, n->at);
	case NODE_SLOT:
		return is_own(l, n->op) ? 0 : unknown(l, n->at);
	case NODE_CALL:
		if (bt_is(n, VALUE_INNER) || bt_is(n, VALUE_DELETED) ||
		    bt_is(n, VALUE_MEMORY_TEXT))
			return unknown(l, n->at);
	}
	return check_value(l, n->a) || check_value(l, n->b) || check_value(l, n->c) ? -1 : 0;
}

static int check_one(const struct aside *l, const struct bt_statement *s)
{
	switch (s->kind) {
	case BT_ORDER:
		for (unsigned int i = 0; i < s->order->n; i++)
			if (check_value(l, s->order->values[i].node))
				return -1;
		return 0;
	case BT_SET:
		if (!is_own(l, s->set.variable))
			break;
		return check_value(l, s->set.value);
	case BT_IF:
	case BT_UNROLL:
	case BT_WHILE:
		return check_value(l, s->branch.value) || check(l, s->branch.then) ||
		       check(l, s->branch.otherwise) ? -1 : 0;
	case BT_FOR:
		return check_value(l, s->range.from) || check_value(l, s->range.to) ||
		       check(l, s->range.body) ? -1 : 0;
	case BT_EACH:
		return check(l, s->each.body);
	case BT_BREAK:
	case BT_CONTINUE:
		return 0;
	default:
		break;
	}
	return WRONG_AT(l->b, s->at, "sonde runs this loop, behind the event: it can print, and "
		      "change only variables declared in it");
}

static int check(const struct aside *l, const struct bt_statement *s)
{
	for (; s; s = s->next)
		if (check_one(l, s))
			return -1;
	return 0;
}

static int body_of_each(struct binder *b, const struct syntax *list, struct bt_statement *s)
{
	struct bt_probe *now = bt_of(b->t)->now;
	struct aside l = { b, now, 0, now->last_scope };
	const bool before = now->aside;
	int result;

	if (now->when != BT_KERNEL)
		return body(b, list, &s->each.body, true);
	s->each.order = bt_order_new(b, BT_LOOP);
	if (!s->each.order)
		return -1;
	s->each.order->loop = s;
	bt_order_lay_out(s->each.order);
	for (unsigned int i = 0; i < now->n_variables; i++)
		l.before |= (uint32_t)now->variables[i].assigned << i;
	now->when = BT_BEGIN;
	now->aside = true;
	result = body(b, list, &s->each.body, true) || check(&l, s->each.body) ? -1 : 0;
	now->when = BT_KERNEL;
	now->aside = before;
	/* What the program has of the others is no value of the loop's. */
	for (unsigned int i = 0; i < now->n_variables; i++)
		now->variables[i].assigned &= l.before >> i & 1;
	return result;
}

/* The parts of an entry are of the loop's own block: another loop goes through other ones. */
int bt_each(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	struct bt_statement *s = *to = bt_statement(b, BT_EACH, from->at);

	if (!s || bt_begin_block(b, from->at))
		return -1;
	s->each.map = from->loop.map;
	if (entries(b, s, from) || body_of_each(b, from->loop.body, s))
		return -1;
	bt_of(b->t)->now->n_scopes--;
	return 0;
}

/* The bounds are computed once. */
int bt_for(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	const struct bt_shape number = bt_number_shape(true);
	const struct syntax_name *name = &from->loop.name;
	struct bt_statement *s = *to = bt_statement(b, BT_FOR, from->at);
	int variable;

	if (!s || bt_begin_block(b, from->at) ||
	    bt_copy_number(b, from->loop.from, &s->range.from) ||
	    bt_copy_number(b, from->loop.to, &s->range.to))
		return -1;
	variable = bt_declare(b, name->text, name->length, name->at, &number);
	if (variable < 0)
		return -1;
	s->range.variable = (unsigned int)variable;
	if (body(b, from->loop.body, &s->range.body, true))
		return -1;
	bt_of(b->t)->now->n_scopes--;
	return 0;
}

int bt_jump(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	*to = bt_statement(b, from->kind == SYNTAX_BREAK ? BT_BREAK : BT_CONTINUE, from->at);
	if (!*to)
		return -1;
	return bt_of(b->t)->now->loops ? 0 :
	       WRONG_AT(b, from->at, "only for and while have break and continue");
}
