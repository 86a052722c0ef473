// SPDX-License-Identifier: GPL-2.0
/* Reading loops: unroll, while, for over numbers and over maps. */
#include "src/bt/syntax/syntax.h"
#include "src/bt/text/text.h"

int syntax_unroll(struct parser *p, struct syntax **to)
{
	struct syntax *s = syntax_begin(p, SYNTAX_UNROLL, to);

	return s && !parser_expect(p, '(') && !syntax_expression(p, &s->branch.value) &&
	       !parser_expect(p, ')') ? syntax_block(p, &s->branch.then) : -1;
}

int syntax_while(struct parser *p, struct syntax **to)
{
	struct syntax *s = syntax_begin(p, SYNTAX_WHILE, to);

	return s && !syntax_expression(p, &s->branch.value) ? syntax_block(p, &s->branch.then) : -1;
}

/* FROM..TO, without TO. */
static int range(struct parser *p, struct syntax *s)
{
	s->loop.from = parser_operand(p);
	if (!s->loop.from)
		return -1;
	if (!parser_is(p, BT_OP_RANGE))
		return NOT_HERE(p, "a range or a map belongs here: for ($i : 0..10) or for ($kv : "
				"@map)");
	s->loop.to = parser_step(p) ? NULL : parser_operand(p);
	return s->loop.to ? 0 : -1;
}

static int each(struct parser *p, struct syntax *s)
{
	struct node *keys;

	s->kind = SYNTAX_EACH;
	s->loop.over = p->now.at;
	if (syntax_map(p, &s->loop.map, &keys))
		return -1;
	s->loop.has_keys = keys;
	return 0;
}

int syntax_for(struct parser *p, struct syntax **to)
{
	struct syntax *s = syntax_begin(p, SYNTAX_FOR, to);
	bool bracket;

	if (!s)
		return -1;
	bracket = parser_is(p, '(');
	if (bracket && parser_step(p))
		return -1;
	if (p->now.kind != TOKEN_NAME || *parser_text(p) != '$')
		return NOT_HERE(p, "a variable belongs here: for ($i : 0..10)");
	s->loop.name = syntax_name(&p->t->source, &p->now);
	if (syntax_is_whole(p, &p->now) || parser_step(p) || parser_expect(p, ':'))
		return -1;
	if (p->now.kind == TOKEN_NAME && *parser_text(p) == '@' ? each(p, s) : range(p, s))
		return -1;
	return bracket && parser_expect(p, ')') ? -1 : syntax_block(p, &s->loop.body);
}
