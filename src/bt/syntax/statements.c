// SPDX-License-Identifier: GPL-2.0
/* Reading statements, and blocks of them. */
#include <stdlib.h>
#include <string.h>

#include "src/bt/builtins.h"
#include "src/bt/syntax/syntax.h"
#include "src/bt/text/text.h"
#include "src/language/types/types.h"
#include "src/lib/options/words.h"

#define NESTED 32			/* blocks in each other */

struct syntax *syntax_new(struct parser *p, enum syntax_kind kind, size_t at)
{
	struct bt *b = p->t->source.front;
	struct syntax *s = calloc(1, sizeof(*s));

	if (!s) {
		fail(p->err, "out of memory");
		return NULL;
	}
	s->kind = kind;
	s->at = at;
	s->all = b->syntax->all;
	return b->syntax->all = s;
}

struct syntax *syntax_begin(struct parser *p, enum syntax_kind kind, struct syntax **to)
{
	*to = syntax_new(p, kind, p->now.at);
	return *to && !parser_step(p) ? *to : NULL;
}

int syntax_expression(struct parser *p, struct node **to)
{
	*to = parser_expression(p);
	return *to ? 0 : -1;
}

struct node *syntax_key(struct parser *p, struct node ***end)
{
	struct node *key = parser_node(p, NODE_KEY, p->now.at);

	if (!key || syntax_expression(p, &key->a))
		return NULL;
	**end = key;
	*end = &key->b;
	return key;
}

int syntax_row(const struct parser *p, const void *rows, size_t size)
{
	const char *const *name = rows;
	int i = 0;

	while (*name && !parser_is_word(p, *name)) {
		name = (const char *const *)((const char *)name + size);
		i++;
	}
	return *name ? i : -1;
}

struct node *syntax_one(struct parser *p, size_t at)
{
	struct node *n = parser_node(p, NODE_NUMBER, at);

	if (n) {
		n->value = 1;
		n->type = c_integer(8, true);
	}
	return n;
}

struct node *syntax_operation(struct parser *p, size_t at, uint8_t op, struct node *left,
			      struct node *right)
{
	struct node *n = left && right ? parser_node(p, NODE_BINARY, at) : NULL;

	if (n) {
		n->op = op;
		n->a = left;
		n->b = right;
	}
	return n;
}

bool syntax_is_step(const struct parser *p)
{
	return parser_is(p, BT_OP_INCREMENT) || parser_is(p, BT_OP_DECREMENT);
}

static uint8_t step_operator(const struct token *t)
{
	return t->op == BT_OP_INCREMENT ? '+' : '-';
}

/* ---- variables ---- */

int syntax_is_whole(struct parser *p, const struct token *name)
{
	return !memchr(syntax_name(&p->t->source, name).text, '.', name->length) ? 0 :
	       NOT_AT(p, name->at, "parts of a tuple get no values of their own: assign the whole "
		      "tuple");
}

static struct syntax *set(struct parser *p, const struct token *name)
{
	struct syntax *s = syntax_is_whole(p, name) ? NULL : syntax_new(p, SYNTAX_SET, name->at);

	if (s)
		s->set.name = syntax_name(&p->t->source, name);
	return s;
}

/* The value of $NAME++: $NAME + 1 */
static int step_variable(struct parser *p, struct syntax *s, const struct token *name,
			 const struct token *op)
{
	s->set.value = syntax_operation(p, op->at, step_operator(op), parser_named(p, name),
					syntax_one(p, op->at));
	return s->set.value ? 0 : -1;
}

/* $NAME = VALUE, $NAME += VALUE, $NAME++ */
static int variable(struct parser *p, struct syntax **to)
{
	const struct token name = p->now;
	struct token op;
	struct syntax *s;
	uint8_t assigns;

	if (parser_step(p))
		return -1;
	op = p->now;
	assigns = bt_assigns(&op);
	if (!parser_is(p, '=') && !assigns && !syntax_is_step(p))
		return NOT_HERE(p, "a statement assigns to a variable: %.*s = VALUE",
				(int)name.length, syntax_name(&p->t->source, &name).text);
	s = set(p, &name);
	if (!s)
		return -1;
	*to = s;
	if (syntax_is_step(p))
		return step_variable(p, s, &name, &op) ? -1 : parser_step(p);
	if (parser_step(p) || syntax_expression(p, &s->set.value))
		return -1;
	if (assigns)
		s->set.value = syntax_operation(p, op.at, assigns, parser_named(p, &name),
						s->set.value);
	return s->set.value ? 0 : -1;
}

struct node *syntax_type(struct parser *p)
{
	struct node *n = parser_node(p, NODE_TYPE, p->now.at);

	if (!n)
		return NULL;
	if (parser_is_word(p, "string")) {
		n->type = (struct c_type){ .base = C_TEXT };
		if (parser_step(p))
			return NULL;
		return parser_is(p, '[') &&
		       (parser_step(p) || parser_step(p) || parser_expect(p, ']')) ? NULL : n;
	}
	if (!parser_names_type(p))
		return parser_wrong(p, "no type is here that is known: let $NAME: uint32 = VALUE");
	return parser_type(p, &n->type) ? NULL : n;
}

int syntax_let(struct parser *p, struct syntax **to)
{
	struct syntax *s;

	if (p->now.kind != TOKEN_NAME || *parser_text(p) != '$')
		return NOT_HERE(p, "the name of a variable belongs here: let $NAME = VALUE");
	s = set(p, &p->now);
	if (!s || parser_step(p))
		return -1;
	s->kind = SYNTAX_LET;
	*to = s;
	if (parser_is(p, ':')) {
		s->set.type = parser_step(p) ? NULL : syntax_type(p);
		if (!s->set.type)
			return -1;
	}
	return !parser_is(p, '=') ? 0 :
	       parser_step(p) || syntax_expression(p, &s->set.value) ? -1 : 0;
}

static int let(struct parser *p, struct syntax **to)
{
	return parser_step(p) ? -1 : syntax_let(p, to);
}

/* ---- calls ---- */

/* bpftrace's statements that are not here, and what does instead. */
static const char *const missing[][2] = {
	{ "override", "sonde changes no results of functions: the kernel's fault injection "
	  "(/sys/kernel/debug/fail_function) does" },
	{ "signal_thread", "signal() sends one to the process" },
	{ "debugf", "printf() prints the text" },
	{ "fail", "errorf() and exit() say and end it" },
	{ "assert", "if, errorf() and exit() do the same" },
	{ "skboutput", "tcpdump writes packets into files" },
	{ "unwatch", "a watchpoint stays to the end" },
	{ "write_user", "sonde changes no memory" },
};

static int unknown(struct parser *p)
{
	struct nearest near = { .word = parser_text(p), .length = p->now.length };
	const int length = (int)p->now.length;

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (parser_is_word(p, missing[i][0]))
			return NOT_HERE(p, "%s() is not in sonde's language: %s", missing[i][0],
					missing[i][1]);
	for (const struct bt_call_row *row = syntax_builtins(p->t)->calls; row->name; row++)
		nearest_of(&near, row->name);
	if (near.name)
		return NOT_HERE(p, "there is no statement `%.*s`; did you mean %s?", length,
				near.word, near.name);
	return NOT_HERE(p, "there is no statement `%.*s`; there are printf, print, clear, zero, "
			"delete, time, exit, if, let and return", length, near.word);
}

/* (VALUE, VALUE ...) */
static int arguments(struct parser *p, struct syntax_arguments *to)
{
	struct node **end = &to->list;

	if (parser_expect(p, '('))
		return -1;
	for (bool more = !parser_is(p, ')'); more;) {
		struct node *key = syntax_key(p, &end);

		if (!key)
			return -1;
		key->value = p->now.at;
		more = parser_is(p, ',');
		if (more && parser_step(p))
			return -1;
	}
	to->end = p->now.at;
	return parser_expect(p, ')');
}

int syntax_call(struct parser *p, struct syntax **to)
{
	const int row = syntax_call_row(p);
	struct syntax *s;

	if (row < 0)
		return unknown(p);
	s = syntax_new(p, SYNTAX_CALL, p->now.at);
	if (!s || parser_step(p) || arguments(p, &s->call.arguments))
		return -1;
	s->call.row = (unsigned int)row;
	*to = s;
	return 0;
}

/* ---- maps ---- */

static int aggregate(struct parser *p, struct syntax *s, unsigned int row)
{
	s->kind = SYNTAX_AGGREGATE;
	s->store.row = row;
	s->store.function = p->now.at;
	return parser_step(p) || arguments(p, &s->store.arguments) ? -1 : 0;
}

/* @map[key] = VALUE, @map[key] = count(), @map[key]++ ... */
static int map(struct parser *p, struct syntax **to)
{
	const struct bt_result_row *results = syntax_builtins(p->t)->results;
	struct syntax *s = syntax_new(p, SYNTAX_STORE, p->now.at);
	struct token op;
	int row;

	if (!s || syntax_map(p, &s->store.map, &s->store.keys))
		return -1;
	*to = s;
	op = p->now;
	if (syntax_is_step(p)) {
		s->store.op = step_operator(&op);
		s->store.value = syntax_one(p, op.at);
		return s->store.value ? parser_step(p) : -1;
	}
	s->store.op = bt_assigns(&op);
	if (!parser_is(p, '=') && !s->store.op)
		return NOT_HERE(p, "a statement changes a map: %s = VALUE, %s++, %s = count()",
				s->store.map->name, s->store.map->name, s->store.map->name);
	if (parser_step(p))
		return -1;
	row = s->store.op || syntax_macro(p) ? -1 : syntax_row(p, results, sizeof(*results));
	return row >= 0 ? aggregate(p, s, (unsigned int)row) :
	       syntax_expression(p, &s->store.value);
}

/* ++@x, --$x: as behind the name. */
static int step_before(struct parser *p, struct syntax **to)
{
	const struct token op = p->now;
	struct token name;
	struct syntax *s;

	if (parser_step(p))
		return -1;
	name = p->now;
	if (name.kind != TOKEN_NAME || !strchr("@$", *parser_text(p)))
		return NOT_HERE(p, "a variable or a map belongs here");
	if (*parser_text(p) == '@') {
		*to = s = syntax_new(p, SYNTAX_STORE, name.at);
		if (!s)
			return -1;
		s->store.op = step_operator(&op);
		s->store.value = syntax_one(p, op.at);
		return s->store.value ? syntax_map(p, &s->store.map, &s->store.keys) : -1;
	}
	*to = s = set(p, &name);
	if (!s || parser_step(p))
		return -1;
	return step_variable(p, s, &name, &op);
}

/* ---- blocks ---- */

int syntax_if(struct parser *p, struct syntax **to)
{
	struct syntax *s = syntax_begin(p, SYNTAX_IF, to);

	if (!s || syntax_expression(p, &s->branch.value) || syntax_block(p, &s->branch.then))
		return -1;
	if (!parser_is_word(p, "else"))
		return 0;
	if (parser_step(p))
		return -1;
	s->branch.chain = parser_is_word(p, "if");
	return s->branch.chain ? syntax_if(p, &s->branch.otherwise) :
	       syntax_block(p, &s->branch.otherwise);
}

/* A value whose statements or calls do something, or the value of a block; `_ = VALUE`. */
static int value(struct parser *p, struct syntax **to)
{
	struct syntax *s = *to = syntax_new(p, SYNTAX_VALUE, p->now.at);

	if (!s || (parser_is_word(p, "_") && (parser_step(p) || parser_expect(p, '='))) ||
	    syntax_expression(p, &s->value))
		return -1;
	return parser_is(p, '=') || bt_assigns(&p->now) ?
	       NOT_HERE(p, "only whole variables and entries of maps get values") : 0;
}

/* return; a value behind it is computed, and means nothing to anyone. */
static int leave(struct parser *p, struct syntax **to)
{
	struct syntax *s = syntax_begin(p, SYNTAX_RETURN, to);

	if (!s)
		return -1;
	if (!parser_is(p, ';') && !parser_is(p, '}') && syntax_expression(p, &s->value))
		return -1;
	return syntax_returned(p, s);
}

static int jump(struct parser *p, struct syntax **to)
{
	return syntax_begin(p, parser_is_word(p, "break") ? SYNTAX_BREAK : SYNTAX_CONTINUE, to) ?
	       0 : -1;
}

/* `ends`: a block ends it, so no semicolon follows. */
static const struct {
	const char *word;
	int (*read)(struct parser *p, struct syntax **to);
	bool ends;
} words[] = {
	{ "if", syntax_if, true }, { "let", let, false }, { "return", leave, false },
	{ "unroll", syntax_unroll, true }, { "while", syntax_while, true },
	{ "for", syntax_for, true }, { "break", jump, false }, { "continue", jump, false },
};

static bool is_either(const struct parser *p, char a, char b)
{
	return parser_is(p, a) || parser_is(p, b);
}

bool syntax_behind_name(const struct parser *p, struct parser *to)
{
	unsigned int depth = 0;

	*to = *p;
	to->err = NULL;
	do {
		if (parser_step(to))
			return false;
		if (is_either(to, ']', ')') && !depth--)
			return true;
		depth += is_either(to, '[', '(');
	} while (to->now.kind != TOKEN_END && (depth || is_either(to, ']', ')')));
	return true;
}

/* The token is the name of a variable or map: does a statement change it? */
static bool is_changed(const struct parser *p)
{
	struct parser q;

	/* If it can't be read, the message comes later. */
	return !syntax_behind_name(p, &q) || parser_is(&q, '=') || bt_assigns(&q.now) ||
	       syntax_is_step(&q) || q.now.kind == TOKEN_END;
}

/* The token is the name of a macro: is its call a statement? */
static bool is_whole_call(const struct parser *p)
{
	struct parser q;

	return syntax_behind_name(p, &q) && is_either(&q, ';', '}');
}

static bool begins_value(const struct parser *p)
{
	return p->now.kind == TOKEN_NUMBER || p->now.kind == TOKEN_TEXT ||
	       p->now.kind == TOKEN_TREE ||
	       (p->now.kind == TOKEN_OPERATOR && p->now.op < 128 && strchr("(!-~*&", p->now.op));
}

int syntax_simple(struct parser *p, struct syntax **to)
{
	const char letter = p->now.kind == TOKEN_NAME ? *parser_text(p) : 0;

	if (syntax_is_step(p))
		return step_before(p, to);
	if (strchr("@$", letter) && letter && is_changed(p))
		return letter == '@' ? map(p, to) : variable(p, to);
	if (letter && syntax_has_bracket(p) && !syntax_is_function(p))
		return syntax_call(p, to);
	if (letter || begins_value(p))
		return value(p, to);
	return NOT_HERE(p, p->now.kind == TOKEN_END ?
			    "the script ends where a statement or '}' belongs" :
			    "a statement belongs here");
}

/* *ends: a block ends it. */
static int any(struct parser *p, struct syntax **to, bool *ends)
{
	*ends = parser_is(p, '{');
	if (*ends) {
		*to = syntax_new(p, SYNTAX_BLOCK, p->now.at);
		return *to ? syntax_block(p, &(*to)->branch.then) : -1;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (parser_is_word(p, words[i].word)) {
			*ends = words[i].ends;
			return words[i].read(p, to);
		}
	return syntax_macro(p) && is_whole_call(p) ? syntax_macro_statement(p, to) :
						     syntax_simple(p, to);
}

int syntax_to_closing(struct parser *p, const char *within)
{
	unsigned int depth = 0;

	do {
		if (p->now.kind == TOKEN_END)
			return NOT_HERE(p, "'}' is missing: the script ends within a %s", within);
		depth += parser_is(p, '{');
		depth -= parser_is(p, '}') && depth;
		if (parser_is(p, '}') && !depth)
			return 0;
	} while (!parser_step(p));
	return -1;
}

int syntax_block(struct parser *p, struct syntax **to)
{
	bool ends;

	if (!parser_is(p, '{'))
		return NOT_HERE(p, "'{' is missing here: statements are between { and }");
	if (++p->depth > NESTED)
		return NOT_HERE(p, "this is nested too deeply");
	if (parser_step(p))
		return -1;
	while (!parser_is(p, '}')) {
		if (parser_is(p, ';')) {
			if (parser_step(p))
				return -1;
			continue;
		}
		if (any(p, to, &ends))
			return -1;
		if (!ends && !parser_is(p, ';') && !parser_is(p, '}'))
			return NOT_HERE(p, p->now.kind ==
					    TOKEN_END ? "'}' is missing: the script ends within a "
					    "block" : "';' is missing before this");
		to = &(*to)->next;
	}
	p->depth--;
	return parser_step(p);
}

/* ---- actions ---- */

static int predicate(struct parser *p, struct syntax_action *a)
{
	if (parser_step(p) || syntax_expression(p, &a->predicate))
		return -1;
	if (!parser_is(p, BT_OP_CLOSE))
		return NOT_HERE(p, "the predicate's '/' is missing before the block");
	return parser_step(p);
}

struct syntax_action *syntax_action(struct bt *b, size_t *at, struct error *err)
{
	struct syntax_action *a = calloc(1, sizeof(*a));
	struct parser p = { .word = BT_WORD, .err = err };

	if (!a) {
		fail(err, "out of memory");
		return NULL;
	}
	a->next = b->syntax;
	b->syntax = a;
	a->tree = (struct tree){ .source = b->source, .types = b->script.types,
				 .functions = b->script.functions };
	p.t = &a->tree;
	if (parser_begin(&p, *at) || (parser_is(&p, '/') && predicate(&p, a)) ||
	    syntax_block(&p, &a->statements))
		return NULL;
	*at = p.now.at;
	return a;
}

void syntax_free(struct bt *b)
{
	while (b->syntax) {
		struct syntax_action *a = b->syntax;

		b->syntax = a->next;
		while (a->all) {
			struct syntax *s = a->all;

			a->all = s->all;
			free(s);
		}
		tree_free(&a->tree);
		free(a);
	}
}
