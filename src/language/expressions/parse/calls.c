// SPDX-License-Identifier: GPL-2.0
/* Calls of functions, with the arguments that the function's row demands. */
#include <ctype.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/expressions/parse/parser.h"
#include "src/lib/options/words.h"

static struct node *type(struct parser *p)
{
	struct node *n = parser_node(p, NODE_TYPE, p->now.at);

	return n && !parser_type(p, &n->type) ? n : NULL;
}

/* int[5] is a node with the element type and the number. */
static struct node *array(struct parser *p, struct node *n)
{
	while (n && parser_is(p, '[')) {
		struct node *outer = parser_node(p, NODE_TYPE, p->now.at);

		if (++p->members > 4 * DEPTH)
			return parser_wrong(p, "this is too long");
		if (!outer || parser_step(p))
			return NULL;
		outer->a = n;
		outer->b = parser_expression(p);
		n = outer->b && !parser_expect(p, ']') ? outer : NULL;
	}
	return n;
}

static struct node *member(struct parser *p)
{
	struct node *n;

	if (p->now.kind != TOKEN_NAME)
		return parser_wrong(p, "the name of a member belongs here");
	n = parser_node(p, NODE_MEMBER, p->now.at);
	if (!n)
		return NULL;
	n->op = OP_ARROW;
	n->length = (uint16_t)p->now.length;
	return parser_step(p) ? NULL : parser_members(p, n, false);
}

static struct node *argument(struct parser *p, const struct function *f, enum argument_kind kind)
{
	const char *wanted = kind == ARGUMENT_TYPE ? "no type is here that is known" :
			     "a string in quotes belongs here";
	struct node *n;

	if (kind == ARGUMENT_VALUE)
		return parser_expression(p);
	if (kind == ARGUMENT_MEMBER)
		return member(p);
	if (kind == ARGUMENT_TYPE && parser_names_type(p))
		return type(p);
	if (kind == ARGUMENT_LITERAL && p->now.kind == TOKEN_TEXT)
		return parser_literal(p);
	if (kind == ARGUMENT_LITERAL && p->t->source.language && p->now.kind == TOKEN_NAME) {
		n = parser_expression(p);	/* str($1), and what is such a text itself */
		if (n && n->kind == NODE_TEXT)
			return n;
		if (!n || (n->kind == NODE_CALL && n->a && n->a->kind == NODE_TEXT && !n->b))
			return n ? n->a : NULL;
	}
	source_error(&p->t->source, p->now.at, p->err, "%s: %s", f->form, wanted);
	return NULL;
}

/* sizeof x, sizeof(x), sizeof(int[5]) */
static struct node *sized(struct parser *p, struct node *call)
{
	const struct token bracket = p->now;

	if (parser_is(p, '(')) {
		if (parser_step(p))
			return NULL;
		if (parser_begins_type(p)) {
			call->a = array(p, type(p));
			return call->a && !parser_expect(p, ')') ? call : NULL;
		}
		p->now = bracket;
	}
	call->a = parser_operand(p);
	return call->a ? call : NULL;
}

static struct node *call(struct parser *p, const struct function *f)
{
	struct node *n = parser_node(p, NODE_CALL, p->now.at), **to[FUNCTION_ARGUMENTS];

	if (!n || parser_step(p))
		return NULL;
	n->function = f;
	n->length = (uint16_t)strlen(f->name);
	if (f->arguments[0] == ARGUMENT_SIZED)
		return sized(p, n);
	if (parser_expect(p, '('))
		return NULL;
	to[0] = &n->a;
	to[1] = &n->b;
	to[2] = &n->c;
	for (int i = 0; i < FUNCTION_ARGUMENTS && f->arguments[i]; i++) {
		if (f->least && i >= f->least && parser_is(p, ')'))
			break;
		if (i && parser_expect(p, ','))
			return NULL;
		*to[i] = argument(p, f, f->arguments[i]);
		if (!*to[i])
			return NULL;
	}
	return parser_expect(p, ')') ? NULL : n;
}

static bool same_letters(const char *a, const char *b, size_t n)
{
	while (n && toupper((unsigned char)*a) == toupper((unsigned char)*b)) {
		a++;
		b++;
		n--;
	}
	return !n;
}

/* The function with the nearest name, in upper or lower case; NULL: none is near. */
static const char *nearest(const struct parser *p)
{
	struct nearest near = { .word = parser_text(p), .length = p->now.length };

	for (const struct function *const *family = p->t->functions; family && *family; family++)
		for (const struct function *f = *family; f->name; f++) {
			if (strlen(f->name) == near.length &&
			    same_letters(f->name, near.word, near.length))
				return f->name;
			nearest_of(&near, f->name);
		}
	return near.name;
}

/* Sets err: the nearest function, or the list of all functions. */
static struct node *unknown(struct parser *p)
{
	const char *near = nearest(p);
	const int length = (int)p->now.length;
	char list[200];
	struct strbuf names = strbuf_over(list, sizeof(list));

	if (near) {
		source_error(&p->t->source, p->now.at, p->err, "there is no function `%.*s`; did "
			     "you mean %s?", length, parser_text(p), near);
		return NULL;
	}
	for (const struct function *const *family = p->t->functions; family && *family; family++)
		for (const struct function *f = *family; f->name; f++)
			strbuf_addf(&names, "%s%s", names.n ? ", " : "", f->name);
	source_error(&p->t->source, p->now.at, p->err, "there is no function `%.*s`; there are %s",
		     length, parser_text(p), list);
	return NULL;
}

struct node *parser_call(struct parser *p, bool *is_call)
{
	*is_call = true;
	for (const struct function *const *family = p->t->functions; family && *family; family++)
		for (const struct function *f = *family; f->name; f++)
			if (parser_is_word(p, f->name))
				return call(p, f);
	if (p->t->source.text[p->now.behind] == '(')
		return unknown(p);
	*is_call = false;
	return NULL;
}
