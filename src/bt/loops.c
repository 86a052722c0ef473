// SPDX-License-Identifier: GPL-2.0
/* Loops: unroll, while, for over numbers and over maps. */
#include <stdio.h>
#include <string.h>

#include "src/bt/parse.h"
#include "src/bt/show/brackets.h"
#include "src/bt/text/text.h"
#include "src/language/expressions/functions/functions.h"

#define UNROLL_MOST 100

/* `loop`: break and continue are for it. */
static int body(struct parser *p, struct bt_statement *s, bool loop)
{
	struct bt_probe *now = bt_of(p->t)->now;

	now->loops += loop;
	if (bt_block(p, &s->then))
		return -1;
	now->loops -= loop;
	return 0;
}

int bt_unroll(struct parser *p, struct bt_statement **to)
{
	struct bt_statement *s = bt_statement(p, BT_UNROLL);

	if (!s || parser_step(p) || parser_expect(p, '('))
		return -1;
	*to = s;
	s->value = parser_expression(p);
	if (!s->value || bt_bind_number(p, &s->value))
		return -1;
	if (s->value->kind != NODE_NUMBER)
		return NOT_AT(p, s->value->at, "unroll() takes a number that the script tells, "
			      "from 1 to %d", UNROLL_MOST);
	if (!s->value->value || s->value->value > UNROLL_MOST)
		return NOT_AT(p, s->value->at, "unroll %simum value is %d", s->value->value ?
			      "max" : "min", s->value->value ? UNROLL_MOST : 1);
	return parser_expect(p, ')') || body(p, s, false) ? -1 : 0;
}

int bt_while(struct parser *p, struct bt_statement **to)
{
	struct bt_statement *s = bt_statement(p, BT_WHILE);

	if (!s)
		return -1;
	*to = s;
	if (parser_step(p))
		return -1;
	s->value = parser_expression(p);
	return s->value && !bt_bind_number(p, &s->value) && !body(p, s, true) ? 0 : -1;
}

/* ---- for ---- */

/* FROM..TO, without TO. The bounds are computed once. */
static int range(struct parser *p, struct bt_statement *s)
{
	s->value = parser_operand(p);
	if (!s->value || bt_bind_number(p, &s->value))
		return -1;
	if (!parser_is(p, BT_OP_RANGE))
		return NOT_HERE(p, "a range or a map belongs here: for ($i : 0..10) or for ($kv : "
				"@map)");
	if (parser_step(p))
		return -1;
	s->limit = parser_operand(p);
	return s->limit && !bt_bind_number(p, &s->limit) ? 0 : -1;
}

/* The variable NAME.0 or NAME.1, and the part's path. Returns its number; -1: err is set. */
static int part(struct parser *p, const struct token *name, unsigned int side, const char *path,
		const struct bt_shape *shape)
{
	char text[2 * BT_NAME];
	struct bt_shape alone = *shape;
	const int n = snprintf(text, sizeof(text), "%.*s.%u%s", (int)name->length,
			       p->t->source.text + name->at, side, path);

	alone.before = alone.behind = NULL;
	return bt_declare_here(p, text, n < (int)sizeof(text) ? (size_t)n : sizeof(text), name->at,
			       &alone);
}

/* The variables of all parts. */
static int parts(struct parser *p, struct bt_statement *s, const struct token *name)
{
	const struct bt_map *m = s->map;
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
		variable = part(p, name, !key, path, key ? &m->keys[i] : tuple ? &m->parts[v] :
				&m->value);
		if (variable < 0)
			return -1;
		s->parts[i] = (uint8_t)variable;
	}
	return 0;
}

static int each(struct parser *p, struct bt_statement *s, const struct token *name)
{
	struct bt *b = bt_of(p->t);
	const struct token at = p->now;
	static const struct bt_shape unset = { .size = 8 };
	struct node *keys;
	int open;

	s->kind = BT_EACH;
	if (bt_map(p, &s->map, &keys))
		return -1;
	if (keys)
		return NOT_AT(p, at.at, "for goes through a whole map: for ($kv : @map)");
	if (s->map->kind == BT_STATS || bt_has_slots(s->map) || bt_has_stacks(s->map) ||
	    bt_keeps_stacks(s->map))
		return NOT_AT(p, at.at, "for goes through maps of numbers and texts: print(%s) "
			      "shows this one", s->map->name);
	if (!s->map->used) {		/* what its parts are is told later in the script */
		open = bt_declare_here(p, p->t->source.text + name->at, name->length, name->at,
				       &unset);
		if (open >= 0)
			b->now->variables[open].open = true;
		return open < 0 ? -1 : 0;
	}
	if (!s->map->n_keys)
		return NOT_AT(p, at.at, "%s has no keys to go through", s->map->name);
	return parts(p, s, name);
}

/* ---- loops of probes through a map ---- */

/*
 * No program can go through a map, so such a loop is an order to sonde, which goes through what the
 * map has then, as print() does. The loop knows nothing of the event, and what it changed would
 * come late: it only shows.
 */
struct aside {
	struct parser *p;
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
	return NOT_AT(l->p, at, BT_ASIDE);
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
		if (n->function == &bt_inner || n->function == &bt_deleted ||
		    n->function == &bt_text)
			return unknown(l, n->at);
	}
	return check_value(l, n->a) || check_value(l, n->b) || check_value(l, n->c) ? -1 : 0;
}

static int check_one(const struct aside *l, const struct bt_statement *s)
{
	const struct bt_order *o = s->order;

	switch (s->kind) {
	case BT_ORDER:
		for (unsigned int i = 0; i < o->n; i++)
			if (check_value(l, o->values[i].node))
				return -1;
		return 0;
	case BT_SET:
		if (!is_own(l, s->variable))
			break;
		return check_value(l, s->value);
	case BT_IF:
	case BT_FOR:
	case BT_EACH:
	case BT_UNROLL:
	case BT_WHILE:
	case BT_BREAK:
	case BT_CONTINUE:
		return check_value(l, s->value) || check_value(l, s->limit) ||
		       check(l, s->then) || check(l, s->otherwise) ? -1 : 0;
	default:
		break;
	}
	return NOT_AT(l->p, s->at, "sonde runs this loop, behind the event: it can print, and "
		      "change only what is declared in it");
}

static int check(const struct aside *l, const struct bt_statement *s)
{
	for (; s; s = s->next)
		if (check_one(l, s))
			return -1;
	return 0;
}

static int body_of_each(struct parser *p, struct bt_statement *s)
{
	struct bt_probe *now = bt_of(p->t)->now;
	struct aside l = { p, now, 0, now->last_scope };
	const bool before = now->aside;
	int result;

	if (now->when != BT_KERNEL)
		return body(p, s, true);
	if (!bt_order_new(p, s, BT_LOOP))
		return -1;
	s->order->loop = s;
	bt_order_lay_out(s->order);
	for (unsigned int i = 0; i < now->n_variables; i++)
		l.before |= (uint32_t)now->variables[i].assigned << i;
	now->when = BT_BEGIN;
	now->aside = true;
	result = body(p, s, true) || check(&l, s->then) ? -1 : 0;
	now->when = BT_KERNEL;
	now->aside = before;
	/* What the program has of the others is no value of the loop's. */
	for (unsigned int i = 0; i < now->n_variables; i++)
		now->variables[i].assigned &= l.before >> i & 1;
	return result;
}

int bt_for(struct parser *p, struct bt_statement **to)
{
	static const struct bt_shape number = { .kind = BT_NUMBER, .is_signed = true, .size = 8 };
	struct bt_probe *now = bt_of(p->t)->now;
	struct bt_statement *s = bt_statement(p, BT_FOR);
	struct token name;
	bool bracket;
	int variable;

	if (!s || parser_step(p))
		return -1;
	*to = s;
	bracket = parser_is(p, '(');
	if (bracket && parser_step(p))
		return -1;
	name = p->now;
	if (name.kind != TOKEN_NAME || *parser_text(p) != '$')
		return NOT_HERE(p, "a variable belongs here: for ($i : 0..10)");
	if (bt_is_whole(p, parser_text(p), name.length, name.at) || parser_step(p) ||
	    parser_expect(p, ':'))
		return -1;
	/* The parts of an entry are of the loop's own: another loop goes through other ones. */
	if (now->n_scopes == BT_NESTED)
		return NOT_HERE(p, "this is nested too deeply");
	now->scopes[now->n_scopes++] = ++now->last_scope;
	if (p->now.kind == TOKEN_NAME && *parser_text(p) == '@') {
		if (each(p, s, &name))
			return -1;
	} else {
		if (range(p, s))
			return -1;
		variable = bt_declare(p, p->t->source.text + name.at, name.length, name.at,
				      &number);
		if (variable < 0)
			return -1;
		s->variable = (unsigned int)variable;
	}
	if (bracket && parser_expect(p, ')'))
		return -1;
	if (s->kind == BT_EACH ? body_of_each(p, s) : body(p, s, true))
		return -1;
	now->n_scopes--;
	return 0;
}

int bt_jump(struct parser *p, struct bt_statement **to)
{
	*to = bt_statement(p, parser_is_word(p, "break") ? BT_BREAK : BT_CONTINUE);
	if (!*to)
		return -1;
	if (!bt_of(p->t)->now->loops)
		return NOT_HERE(p, "only for and while have break and continue");
	return parser_step(p);
}
