// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of the script's macros and functions. A body is read at each call, where the parameters
 * stand for what was read at the call: for one name, number or text in quotes, whatever that means
 * in the body, else for the tree of a value or a type. Other variables get the call's number behind
 * their names.
 *
 * A function is such a body too, since BPF programs of old kernels can't call functions: its
 * parameters are variables that are declared in front of it, and `return`, its last statement, has
 * the value.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/bt/syntax/syntax.h"
#include "src/bt/text/text.h"

#define NESTED 16			/* macros in macros */
#define LETTERS_MOST UINT16_MAX		/* that calls read: a script has no more itself */

/* A call whose body is read. */
struct syntax_call {
	const struct bt_macro *macro;
	struct token arguments[BT_PARAMETERS];	/* TOKEN_TREE: its `value` are letters */
	const struct node *type;		/* of a function */
	size_t at;
	unsigned int number, depth;
};

/* ---- names ---- */

const struct bt_macro *syntax_macro(const struct parser *p)
{
	const struct bt *b = p->t->source.front;

	for (unsigned int i = 0; i < b->n_macros; i++)
		if (parser_is_word(p, b->macros[i].name))
			return &b->macros[i];
	return NULL;
}

/* What a name of the body, of n letters, stands for; NULL: it is no parameter. */
static const struct token *argument_of(const struct syntax_call *in, const char *name, size_t n)
{
	const struct bt_macro *m = in->macro;

	for (unsigned int i = 0; i < m->n && !m->is_function; i++)
		if (strlen(m->parameters[i]) == n && !memcmp(m->parameters[i], name, n))
			return &in->arguments[i];
	return NULL;
}

/* What is behind $NAME in $NAME.0 is not a part of the name then. */
int syntax_replace(const struct source *s, struct token *t, struct error *err)
{
	struct bt *b = s->front;
	const struct syntax_call *in = b ? b->call : NULL;
	const char *name = s->text + t->at;
	const struct token *argument;
	size_t n = 1, behind;
	char *own;

	if (!in || bt_is_member(s->text, t->at))
		return 0;
	while (bt_is_letter(name[n]))
		n++;
	behind = t->at + n;
	argument = argument_of(in, name, n);
	if (argument) {
		*t = *argument;
		t->behind = behind;
		return 0;
	}
	if (*name == '@' && !in->macro->is_function)
		return source_error(s, t->at, err, "a macro knows the maps of its arguments only: "
				    "%s(..., %.*s)", in->macro->name, (int)n, name);
	if (*name != '$' || n == 1 || isdigit((unsigned char)name[1]))
		return 0;
	if (asprintf(&own, "%.*s__%u", (int)n, name, in->number) < 0 ||
	    !script_keep(&b->script, own))
		return fail(err, "out of memory");
	t->name = own;
	t->length = strlen(own);
	t->behind = behind;
	return 0;
}

/* ---- arguments ---- */

static int wrong_number(struct parser *p, size_t at, const struct bt_macro *m)
{
	return NOT_AT(p, at, "%s has %u argument%s", m->name, m->n, m->n == 1 ? "" : "s");
}

/* Counts what is read again and again, so that macros within macros come to an end. */
static int count(struct parser *p, size_t letters)
{
	struct bt *b = p->t->source.front;

	b->letters += letters;
	return b->letters <= LETTERS_MOST ? 0 :
	       fail(p->err, "ERROR: with its macros the script has more than %d characters",
		    LETTERS_MOST);
}

/* A value, or a type. */
static int tree(struct parser *p, struct token *to)
{
	const struct bt *b = p->t->source.front;
	const size_t from = p->now.behind, before = b->letters;

	*to = (struct token){ .kind = TOKEN_TREE, .at = p->now.at };
	if (parser_begins_type(p)) {
		to->tree = parser_node(p, NODE_TYPE, p->now.at);
		if (!to->tree || parser_type(p, &to->tree->type))
			return -1;
	} else {
		to->tree = parser_expression(p);
	}
	to->value = p->now.behind - from + b->letters - before;
	return to->tree ? 0 : -1;
}

static int argument(struct parser *p, const struct bt_macro *m, unsigned int i, struct token *to)
{
	const char kind = m->is_function ? 0 : *m->parameters[i];
	struct parser next = *p;
	bool one;

	if (parser_is(p, ',') || parser_is(p, ')'))
		return NOT_HERE(p, "an argument of %s is missing here", m->name);
	if (parser_step(&next))
		return -1;
	one = p->now.kind != TOKEN_OPERATOR && (parser_is(&next, ',') || parser_is(&next, ')'));
	if ((kind == '$' || kind == '@') &&
	    (!one || p->now.kind != TOKEN_NAME || *parser_text(p) != kind ||
	     memchr(parser_text(p), '.', p->now.length)))
		return NOT_HERE(p, "%s wants %s here, for its %s", m->name,
				kind == '$' ? "a variable" : "a map without a key",
				m->parameters[i]);
	if (!one || m->is_function)
		return tree(p, to);
	*to = p->now;
	*p = next;
	return 0;
}

/* (ARGUMENT, ARGUMENT ...) */
static int arguments(struct parser *p, struct syntax_call *c)
{
	const struct bt_macro *m = c->macro;
	unsigned int n = 0;

	if (parser_step(p))
		return -1;
	if (!parser_is(p, '('))
		return m->n ? wrong_number(p, c->at, m) : 0;
	do {
		if (parser_step(p))
			return -1;
		if (!n && parser_is(p, ')'))
			break;
		if (n == m->n)
			return wrong_number(p, p->now.at, m);
		if (argument(p, m, n, &c->arguments[n]))
			return -1;
		n++;
	} while (parser_is(p, ','));
	return n < m->n ? wrong_number(p, p->now.at, m) : parser_expect(p, ')');
}

struct node *syntax_argument(struct parser *p)
{
	struct node *n = p->now.tree;

	if (n->kind == NODE_TYPE)
		return parser_wrong(p, "a type is no value");
	return count(p, p->now.value) || parser_step(p) ? NULL : n;
}

/* ---- bodies ---- */

/* ($PARAMETER : TYPE, ...) : TYPE of a function, up to its body: variables, and its own type. */
static int declare(struct parser *p, struct syntax_call *c, struct syntax ***to)
{
	if (parser_step(p))
		return -1;
	for (unsigned int i = 0; i < c->macro->n; i++) {
		struct syntax **s = *to;

		if ((i && parser_step(p)) || syntax_let(p, s))
			return -1;
		(*s)->at = c->at;
		(*s)->set.value = c->arguments[i].tree;
		*to = &(*s)->next;
	}
	if (parser_expect(p, ')') || parser_expect(p, ':'))
		return -1;
	c->type = syntax_type(p);
	return c->type ? 0 : -1;
}

int syntax_returned(struct parser *p, struct syntax *s)
{
	const struct syntax_call *in = ((const struct bt *)p->t->source.front)->call;
	struct node *n;

	if (!in || !in->macro->is_function)
		return 0;
	s->kind = s->value ? SYNTAX_VALUE : SYNTAX_BLOCK;
	if (!s->value || in->type->type.base != C_INTEGER)
		return 0;
	n = parser_node(p, NODE_CAST, in->at);
	if (!n)
		return -1;
	n->type = in->type->type;
	n->a = s->value;
	s->value = n;
	return 0;
}

/* The body is one value: it has no statements. */
static bool is_value(const struct parser *p, const struct bt_macro *m)
{
	const char *text = p->t->source.text + m->at + 1;
	const size_t n = m->end - m->at - 1;

	return !m->is_function && !memchr(text, ';', n) && !memchr(text, '{', n);
}

static int body(struct parser *p, struct syntax_call *c, struct syntax **list, struct node **value)
{
	if (parser_begin(p, c->macro->at) || (c->macro->is_function && declare(p, c, &list)))
		return -1;
	if (!value || !is_value(p, c->macro))
		return syntax_block(p, list);
	*value = parser_step(p) ? NULL : parser_expression(p);
	return *value ? parser_expect(p, '}') : -1;
}

/* Reads a call: what it does becomes the list, or, where a value belongs, maybe one. */
static int call(struct parser *p, struct syntax **list, struct node **value)
{
	struct bt *b = p->t->source.front;
	const struct syntax_call *const outer = b->call;
	struct syntax_call c = { .macro = syntax_macro(p), .at = p->now.at, .number = ++b->calls,
				 .depth = outer ? outer->depth + 1 : 1 };
	struct parser inner;
	int result;

	if (c.depth > NESTED)
		return NOT_HERE(p, "%s is nested too deeply: does it contain itself?",
				c.macro->name);
	if (arguments(p, &c) || count(p, c.macro->end - c.macro->at))
		return -1;
	inner = *p;
	inner.depth = 0;
	b->call = &c;
	result = body(&inner, &c, list, value);
	b->call = outer;
	return result;
}

struct node *syntax_macro_value(struct parser *p)
{
	const size_t at = p->now.at;
	struct syntax *list = NULL;
	struct node *n = NULL;

	if (call(p, &list, &n))
		return NULL;
	return n ? n : syntax_with_statements(p, at, VALUE_BLOCK, list);
}

int syntax_macro_statement(struct parser *p, struct syntax **to)
{
	*to = syntax_new(p, SYNTAX_BLOCK, p->now.at);
	return *to ? call(p, &(*to)->branch.then, NULL) : -1;
}
