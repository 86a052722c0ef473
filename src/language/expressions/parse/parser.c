// SPDX-License-Identifier: GPL-2.0
#include "src/language/expressions/parse/parser.h"

#include <string.h>

int parser_begin(struct parser *p, size_t at)
{
	if (strlen(p->t->source.text) > UINT16_MAX)
		return fail(p->err, "an expression is longer than 65535 characters");
	return token_next(&p->t->source, at, &p->now, p->err);
}

int parser_step(struct parser *p)
{
	return token_next(&p->t->source, p->now.behind, &p->now, p->err);
}

const char *parser_text(const struct parser *p)
{
	return p->now.name ? p->now.name : p->t->source.text + p->now.at;
}

bool parser_is(const struct parser *p, int op)
{
	return p->now.kind == TOKEN_OPERATOR && p->now.op == op;
}

bool parser_is_word(const struct parser *p, const char *word)
{
	return p->now.kind == TOKEN_NAME && p->now.length == strlen(word) &&
	       !memcmp(parser_text(p), word, p->now.length);
}

int parser_expect(struct parser *p, int op)
{
	if (!parser_is(p, op))
		return source_error(&p->t->source, p->now.at, p->err, "'%c' is missing here", op);
	return parser_step(p);
}

struct node *parser_wrong(struct parser *p, const char *what)
{
	source_error(&p->t->source, p->now.at, p->err, "%s", what);
	return NULL;
}

struct node *parser_node(struct parser *p, enum node_kind kind, size_t at)
{
	struct node *n = tree_node(p->t, kind, at);

	if (!n)
		fail(p->err, "out of memory");
	return n;
}
