// SPDX-License-Identifier: GPL-2.0
/* Loops: unroll, while, for over numbers and over maps. */
#include <stdio.h>
#include <string.h>

#include "src/bt/parse.h"
#include "src/bt/text.h"

#define UNROLL_MOST 100
#define TURNS 1000			/* of a probe's loop */

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
	if (s->value->kind != NODE_NUMBER || !s->value->value || s->value->value > UNROLL_MOST)
		return NOT_AT(p, s->value->at, "unroll() takes a number that the script tells, "
			      "from 1 to %d", UNROLL_MOST);
	return parser_expect(p, ')') || body(p, s, false) ? -1 : 0;
}

int bt_while(struct parser *p, struct bt_statement **to)
{
	struct bt_statement *s = bt_statement(p, BT_WHILE);

	if (!s)
		return -1;
	*to = s;
	if (bt_of(p->t)->now->when == BT_KERNEL)
		return NOT_HERE(p, "programs of probes never jump back, so the number of turns "
				"must be known: for ($i : 0..10) { ... break; }, or unroll (10)");
	if (parser_step(p))
		return -1;
	s->value = parser_expression(p);
	return s->value && !bt_bind_number(p, &s->value) && !body(p, s, true) ? 0 : -1;
}

/* ---- for ---- */

/* FROM..TO, without TO. The bounds are computed once. */
static int range(struct parser *p, struct bt_statement *s)
{
	const bool kernel = bt_of(p->t)->now->when == BT_KERNEL;

	s->value = parser_operand(p);
	if (!s->value || bt_bind_number(p, &s->value))
		return -1;
	if (!parser_is(p, BT_OP_RANGE))
		return NOT_HERE(p, "a range or a map belongs here: for ($i : 0..10) or for ($kv : "
				"@map)");
	if (parser_step(p))
		return -1;
	s->limit = parser_operand(p);
	if (!s->limit || bt_bind_number(p, &s->limit))
		return -1;
	if (!kernel)
		return 0;
	if (s->value->kind != NODE_NUMBER || s->limit->kind != NODE_NUMBER)
		return NOT_AT(p, s->value->at, "programs of probes never jump back, so the script "
			      "tells the bounds as numbers: for ($i : 0..10) { ... break; }");
	if ((int64_t)s->limit->value > (int64_t)s->value->value &&
	    s->limit->value - s->value->value > TURNS)
		return NOT_AT(p, s->value->at, "a loop of a probe has %d turns at most", TURNS);
	return 0;
}

/* NAME.0 of a part of the key, or NAME.0.0 of one of several; NAME.1 of the value. */
static int part(struct parser *p, struct bt_statement *s, const struct token *name,
		unsigned int i)
{
	const struct bt_map *m = s->map;
	char text[2 * BT_NAME], of_several[12];
	int n, variable;

	snprintf(of_several, sizeof(of_several), "0.%u", i);
	n = snprintf(text, sizeof(text), "%.*s.%s", (int)name->length,
		     p->t->source.text + name->at,
		     i == m->n_keys ? "1" : m->n_keys == 1 ? "0" : of_several);
	variable = bt_declare(p, text, n < (int)sizeof(text) ? (size_t)n : sizeof(text), name->at,
			      i == m->n_keys ? &m->value : &m->keys[i]);
	s->parts[i] = (uint8_t)variable;
	return variable < 0 ? -1 : 0;
}

static int each(struct parser *p, struct bt_statement *s, const struct token *name)
{
	struct bt *b = bt_of(p->t);
	const struct token at = p->now;
	static const struct bt_shape unset = { .size = 8 };
	struct node *keys;
	int open;

	s->kind = BT_EACH;
	if (b->now->when == BT_KERNEL)
		return NOT_HERE(p, "only BEGIN, END and interval go through maps");
	if (bt_map(p, &s->map, &keys))
		return -1;
	if (keys)
		return NOT_AT(p, at.at, "for goes through a whole map: for ($kv : @map)");
	if (s->map->kind == BT_STATS || s->map->kind == BT_HIST || s->map->kind == BT_LHIST ||
	    bt_has_stacks(s->map))
		return NOT_AT(p, at.at, "for goes through maps of numbers and texts: print(%s) "
			      "shows this one", s->map->name);
	if (!s->map->used) {		/* what its parts are is told later in the script */
		open = bt_declare(p, p->t->source.text + name->at, name->length, name->at, &unset);
		if (open >= 0)
			b->now->variables[open].open = true;
		return open < 0 ? -1 : 0;
	}
	for (unsigned int i = 0; i < s->map->n_keys; i++)
		if (s->map->keys[i].opens)
			return NOT_AT(p, at.at, "for goes through maps whose keys have no tuples "
				      "in them");
	if (!s->map->n_keys)
		return NOT_AT(p, at.at, "%s has no keys to go through", s->map->name);
	for (unsigned int i = 0; i <= s->map->n_keys; i++)
		if (part(p, s, name, i))
			return -1;
	return 0;
}

int bt_for(struct parser *p, struct bt_statement **to)
{
	static const struct bt_shape number = { .kind = BT_NUMBER, .is_signed = true, .size = 8 };
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
	return (bracket && parser_expect(p, ')')) || body(p, s, true) ? -1 : 0;
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
