// SPDX-License-Identifier: GPL-2.0
/* C's expressions, by the strength of their operators. */
#include <stdlib.h>
#include <string.h>

#include "src/language/expressions/parse/parser.h"
#include "src/language/types/types.h"

static struct node *number(struct parser *p)
{
	struct node *n = parser_node(p, NODE_NUMBER, p->now.at);
	const struct token *t = &p->now;

	if (!n)
		return NULL;
	n->value = t->value;
	n->length = (uint16_t)t->length;
	n->type = c_literal(t->value, t->is_decimal, t->is_unsigned, t->longs, p->word);
	if (*parser_text(p) == '\'')
		n->type = c_integer(4, true);
	return parser_step(p) ? NULL : n;
}

struct node *parser_literal(struct parser *p)
{
	struct node *n = parser_node(p, NODE_TEXT, p->now.at);
	size_t at = p->now.at + 1, end = p->now.at + p->now.length - 1, length = 0;

	if (!n)
		return NULL;
	n->text = calloc(1, p->now.length);
	if (!n->text) {
		fail(p->err, "out of memory");
		return NULL;
	}
	while (at < end)
		n->text[length++] = (char)token_letter(&p->t->source, &at, p->err);
	n->length = (uint16_t)length;
	n->type.base = C_TEXT;
	return parser_step(p) ? NULL : n;
}

struct node *parser_named(struct parser *p, const struct token *name)
{
	struct node *n = parser_node(p, NODE_NAME, name->at);

	if (!n)
		return NULL;
	n->length = (uint16_t)name->length;
	n->text = name->name ? strdup(name->name) : NULL;
	if (name->name && !n->text) {
		fail(p->err, "out of memory");
		return NULL;
	}
	return n;
}

struct node *parser_name(struct parser *p)
{
	struct node *n = parser_named(p, &p->now);

	return n && !parser_step(p) ? n : NULL;
}

static struct node *name(struct parser *p)
{
	bool is_call;
	struct node *n = parser_call(p, &is_call);

	return is_call ? n : parser_name(p);
}

static struct node *primary(struct parser *p)
{
	const struct language *language = p->t->source.language;
	struct node *n;
	bool own = false;

	n = language && language->primary ? language->primary(p, &own) : NULL;
	if (own)
		return n;
	switch (p->now.kind) {
	case TOKEN_NUMBER:
		return number(p);
	case TOKEN_TEXT:
		return parser_literal(p);
	case TOKEN_NAME:
		return name(p);
	case TOKEN_END:
		return parser_wrong(p, "the expression ends where a value belongs");
	}
	if (!parser_is(p, '('))
		return parser_wrong(p, "a value belongs here");
	if (parser_step(p))
		return NULL;
	n = parser_expression(p);
	return n && !parser_expect(p, ')') ? n : NULL;
}

static struct node *own_parts(struct parser *p, struct node *n)
{
	const struct language *language = p->t->source.language;

	return n && language && language->parts ? language->parts(p, n) : n;
}

/* a->b, a.b, a[b] which is *(a + b), a@user */
struct node *parser_members(struct parser *p, struct node *n, bool pointers)
{
	n = own_parts(p, n);
	while (n && (parser_is(p, '.') || parser_is(p, '[') ||
		     (pointers && (parser_is(p, OP_ARROW) || parser_is(p, '@'))))) {
		const struct token op = p->now;
		struct node *outer = parser_node(p, op.op == '@' ? NODE_USER : op.op == '[' ?
						 NODE_UNARY : NODE_MEMBER, op.at);

		if (!outer || parser_step(p))
			return NULL;
		/* A long chain a->b->c makes a deep tree, also within brackets. */
		if (++p->members > 4 * DEPTH)
			return parser_wrong(p, "this is too long");
		outer->a = n;
		outer->op = op.op;
		if (op.op == '[') {
			struct node *sum = parser_node(p, NODE_BINARY, op.at);

			if (!sum)
				return NULL;
			outer->op = '*';
			outer->a = sum;
			sum->op = '+';
			sum->a = n;
			sum->b = parser_expression(p);
			if (!sum->b || parser_expect(p, ']'))
				return NULL;
		} else if (op.op == '@') {
			if (!parser_is_word(p, "user"))
				return parser_wrong(p, "only `user` may be behind a @: memory of "
						    "user space");
			if (parser_step(p))
				return NULL;
		} else {
			if (p->now.kind != TOKEN_NAME)
				return parser_wrong(p, "the name of a member belongs here");
			outer->at = (uint32_t)p->now.at;
			outer->length = (uint16_t)p->now.length;
			if (parser_step(p))
				return NULL;
		}
		n = own_parts(p, outer);
	}
	return n;
}

static struct node *postfix(struct parser *p)
{
	struct node *n = primary(p);

	return n ? parser_members(p, n, true) : NULL;
}

/* [8] or [] of a cast to an array, which only some languages have. */
static int dimensions(struct parser *p, struct c_type *type)
{
	if (!p->t->source.language || !p->t->source.language->place || !parser_is(p, '['))
		return 0;
	if (parser_step(p))
		return -1;
	type->n_dims = 1;
	if (p->now.kind == TOKEN_NUMBER) {
		type->dims[0] = (uint32_t)p->now.value;
		if (parser_step(p))
			return -1;
	}
	return parser_expect(p, ']');
}

static struct node *inner_unary(struct parser *p)
{
	const struct token op = p->now;
	struct node *n;

	if (parser_is(p, '(')) {
		if (parser_step(p))
			return NULL;
		if (parser_begins_cast(p)) {
			n = parser_node(p, NODE_CAST, op.at);
			if (!n || parser_type(p, &n->type) || dimensions(p, &n->type) ||
			    parser_expect(p, ')'))
				return NULL;
			n->a = parser_operand(p);
			return n->a ? n : NULL;
		}
		p->now = op;
	} else if (op.kind == TOKEN_OPERATOR && op.op < 128 && strchr("-+~!*&", op.op)) {
		n = parser_node(p, NODE_UNARY, op.at);
		if (!n || parser_step(p))
			return NULL;
		n->op = op.op;
		n->a = parser_operand(p);
		return n->a ? n : NULL;
	}
	return postfix(p);
}

struct node *parser_operand(struct parser *p)
{
	struct node *n;

	if (++p->depth > DEPTH)
		return parser_wrong(p, "this is nested too deeply");
	n = inner_unary(p);
	p->depth--;
	return n;
}

static int strength(const struct parser *p)
{
	return p->now.kind == TOKEN_OPERATOR ? c_strength(p->now.op) : 0;
}

static struct node *binary(struct parser *p, int least)
{
	struct node *n = parser_operand(p);
	unsigned int links = 0;

	while (n && strength(p) >= least) {
		const int s = strength(p);
		struct node *outer = parser_node(p, NODE_BINARY, p->now.at);

		/* A long chain a + b + c makes a deep tree. */
		if (++links > 4 * DEPTH)
			return parser_wrong(p, "this is too long");
		if (!outer)
			return NULL;
		outer->op = p->now.op;
		outer->a = n;
		if (parser_step(p))
			return NULL;
		outer->b = binary(p, s + 1);
		n = outer->b ? outer : NULL;
	}
	return n;
}

struct node *parser_expression(struct parser *p)
{
	struct node *n, *outer;
	bool short_form;

	if (++p->depth > DEPTH)
		return parser_wrong(p, "this is nested too deeply");
	n = binary(p, 1);
	if (n && parser_is(p, '?')) {
		outer = parser_node(p, NODE_CHOICE, p->now.at);
		if (!outer || parser_step(p))
			return NULL;
		outer->a = n;
		short_form = p->t->source.language && parser_is(p, ':');
		outer->b = short_form ? NULL : parser_expression(p);
		if ((!outer->b && !short_form) || parser_expect(p, ':'))
			return NULL;
		outer->c = parser_expression(p);
		n = outer->c ? outer : NULL;
	}
	p->depth--;
	return n;
}

struct node *parse_expression(struct tree *t, size_t *at, unsigned int word, struct error *err)
{
	struct parser p = { .t = t, .word = word, .err = err };
	struct node *n;

	if (parser_begin(&p, *at))
		return NULL;
	n = parser_expression(&p);
	*at = p.now.at;
	return n;
}
