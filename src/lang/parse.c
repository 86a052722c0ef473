// SPDX-License-Identifier: GPL-2.0
/* C's expressions, by the strength of their operators. */
#include <stdlib.h>
#include <string.h>

#include "src/lang/token.h"
#include "src/lang/types/members.h"
#include "src/lang/types/types.h"

#define DEPTH 64			/* of brackets and operators in each other */

struct parser {
	struct tree *t;
	struct token now;
	unsigned int word, depth, members;
	struct error *err;
};

struct node *tree_node(struct tree *t, enum node_kind kind, size_t at)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->kind = (uint8_t)kind;
	n->at = (uint16_t)at;
	n->next = t->nodes;
	t->nodes = n;
	return n;
}

void tree_free(struct tree *t)
{
	while (t->nodes) {
		struct node *n = t->nodes;

		t->nodes = n->next;
		free(n->text);
		free(n);
	}
}

static struct node *wrong(struct parser *p, const char *what)
{
	source_error(&p->t->source, p->now.at, p->err, "%s", what);
	return NULL;
}

static struct node *new_node(struct parser *p, enum node_kind kind, size_t at)
{
	struct node *n = tree_node(p->t, kind, at);

	if (!n)
		fail(p->err, "out of memory");
	return n;
}

static int step(struct parser *p)
{
	return token_next(&p->t->source, p->now.at + p->now.length, &p->now, p->err);
}

static bool is_op(const struct parser *p, int op)
{
	return p->now.kind == TOKEN_OPERATOR && p->now.op == op;
}

static int expect(struct parser *p, int op)
{
	if (!is_op(p, op))
		return source_error(&p->t->source, p->now.at, p->err, "'%c' is missing here", op);
	return step(p);
}

static const char *word_at(const struct parser *p)
{
	return p->t->source.text + p->now.at;
}

static bool is_word(const struct parser *p, const char *word)
{
	return p->now.kind == TOKEN_NAME && p->now.length == strlen(word) &&
	       !memcmp(word_at(p), word, p->now.length);
}

/* ---- types ---- */

#define TYPE_WORDS 6

static bool begins_type(const struct parser *p)
{
	struct c_type type;

	return p->now.kind == TOKEN_NAME &&
	       (c_type_word(word_at(p), p->now.length) ||
		types_declared(p->t->types, word_at(p), p->now.length, &type));
}

/* A name that only the kernel's type information knows: where nothing but a type may be. */
static bool names_type(const struct parser *p)
{
	struct c_type type;

	return begins_type(p) || (p->now.kind == TOKEN_NAME &&
				  types_typedef(p->t->types, word_at(p), p->now.length, &type));
}

/* "(name *": no product begins so. */
static bool begins_cast(const struct parser *p)
{
	struct token star, behind;

	if (begins_type(p))
		return true;
	if (p->now.kind != TOKEN_NAME ||
	    token_next(&p->t->source, p->now.at + p->now.length, &star, NULL) ||
	    star.kind != TOKEN_OPERATOR || star.op != '*' ||
	    token_next(&p->t->source, star.at + 1, &behind, NULL) ||
	    behind.kind != TOKEN_OPERATOR || (behind.op != ')' && behind.op != '*'))
		return false;
	return names_type(p);
}

/* The stars of a type, and what may be among them. */
static int pointers(struct parser *p, struct c_type *type)
{
	for (;;) {
		if (is_op(p, '*')) {
			if (type->pointers > 3)
				return source_error(&p->t->source, p->now.at, p->err,
						    "that are too many pointers");
			*type = c_pointer(type);
		} else if (is_word(p, "__user")) {
			type->user = true;
		} else if (!is_word(p, "const") && !is_word(p, "volatile") &&
			   !is_word(p, "restrict")) {
			return 0;
		}
		if (step(p))
			return -1;
	}
}

/* The words of a type: the one behind struct, union or enum is anybody's. */
static int take_type(struct parser *p, struct c_type *type)
{
	const char *names[TYPE_WORDS];
	size_t lengths[TYPE_WORDS], at = p->now.at;
	unsigned int n = 0;
	bool tag = false;

	while (is_word(p, "const") || is_word(p, "volatile"))
		if (step(p))
			return -1;
	at = p->now.at;
	/* What files declare comes before what is known anyway. */
	if (p->now.kind == TOKEN_NAME &&
	    (types_declared(p->t->types, word_at(p), p->now.length, type) ||
	     (!begins_type(p) && types_typedef(p->t->types, word_at(p), p->now.length, type)))) {
		if (step(p))
			return -1;
		return pointers(p, type);
	}
	while (n < TYPE_WORDS && p->now.kind == TOKEN_NAME && (tag || begins_type(p))) {
		tag = !tag && (is_word(p, "struct") || is_word(p, "union") || is_word(p, "enum"));
		names[n] = word_at(p);
		lengths[n++] = p->now.length;
		if (step(p))
			return -1;
	}
	if (!c_type_named(names, lengths, n, p->word, type))
		return source_error(&p->t->source, at, p->err, "these words are no type of C that "
				    "is known here");
	return pointers(p, type);
}

/* ---- expressions ---- */

static struct node *choice(struct parser *p);
static struct node *unary(struct parser *p);
static struct node *behind(struct parser *p, struct node *n, bool pointers);

static struct node *number(struct parser *p)
{
	struct node *n = new_node(p, NODE_NUMBER, p->now.at);
	const struct token *t = &p->now;

	if (!n)
		return NULL;
	n->value = t->value;
	n->length = (uint16_t)t->length;
	n->type = c_literal(t->value, t->is_decimal, t->is_unsigned, t->longs, p->word);
	if (*word_at(p) == '\'')
		n->type = c_integer(4, true);
	return step(p) ? NULL : n;
}

static struct node *text(struct parser *p)
{
	struct node *n = new_node(p, NODE_TEXT, p->now.at);
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
	return step(p) ? NULL : n;
}

/* sizeof(int[5]) is sizeof(int) * 5. The ')' belongs to it. */
static struct node *size_of_array(struct parser *p, struct node *n)
{
	while (n && is_op(p, '[')) {
		struct node *product = new_node(p, NODE_BINARY, p->now.at);

		if (++p->members > 4 * DEPTH)
			return wrong(p, "this is too long");
		if (!product || step(p))
			return NULL;
		product->op = '*';
		product->a = n;
		product->b = choice(p);
		n = product->b && !expect(p, ']') ? product : NULL;
	}
	return n && !expect(p, ')') ? n : NULL;
}

static struct node *size_of(struct parser *p)
{
	struct node *n = new_node(p, NODE_SIZEOF, p->now.at);

	if (!n || step(p))
		return NULL;
	if (is_op(p, '(')) {
		const struct token bracket = p->now;

		if (step(p))
			return NULL;
		if (begins_type(p))
			return take_type(p, &n->type) ? NULL : size_of_array(p, n);
		p->now = bracket;
	}
	n->a = unary(p);
	return n->a ? n : NULL;
}

/* STRCMP("literal", expression) */
static struct node *compare(struct parser *p)
{
	struct node *n = new_node(p, NODE_COMPARE, p->now.at);

	if (!n || step(p) || expect(p, '('))
		return NULL;
	if (p->now.kind != TOKEN_TEXT)
		return wrong(p, "the first argument of STRCMP is a text in quotes");
	n->a = text(p);
	if (!n->a || expect(p, ','))
		return NULL;
	n->b = choice(p);
	return n->b && !expect(p, ')') ? n : NULL;
}

/* $entry(expression) */
static struct node *entry(struct parser *p)
{
	struct node *n = new_node(p, NODE_ENTRY, p->now.at);

	if (!n || step(p) || expect(p, '('))
		return NULL;
	n->a = choice(p);
	return n->a && !expect(p, ')') ? n : NULL;
}

/* offsetof(TYPE, MEMBER) is (size_t)&((TYPE *)0)->MEMBER. */
static struct node *offset_of(struct parser *p)
{
	const size_t at = p->now.at;
	struct node *result = new_node(p, NODE_CAST, at), *address = new_node(p, NODE_UNARY, at),
		    *member = new_node(p, NODE_MEMBER, at), *cast = new_node(p, NODE_CAST, at),
		    *null = new_node(p, NODE_NUMBER, at);

	if (!result || !address || !member || !cast || !null || step(p) || expect(p, '('))
		return NULL;
	if (!names_type(p))
		return wrong(p, "offsetof(TYPE, MEMBER): no type is here that is known");
	if (take_type(p, &cast->type) || expect(p, ','))
		return NULL;
	if (p->now.kind != TOKEN_NAME)
		return wrong(p, "the name of a member belongs here");
	cast->type = c_pointer(&cast->type);
	null->type = c_integer(4, true);
	cast->a = null;
	member->a = cast;
	member->op = OP_ARROW;
	member->at = (uint16_t)p->now.at;
	member->length = (uint16_t)p->now.length;
	address->op = '&';
	address->a = step(p) ? NULL : behind(p, member, false);
	result->type = c_integer(p->word, false);
	result->a = address;
	return address->a && !expect(p, ')') ? result : NULL;
}

/* Words that have arguments of their own grammar. */
static const struct {
	const char *name;
	struct node *(*parse)(struct parser *p);
} functions[] = {
	{ "$entry", entry }, { "sizeof", size_of }, { "offsetof", offset_of },
	{ "STRCMP", compare },
};

static struct node *name(struct parser *p)
{
	struct node *n;

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (is_word(p, functions[i].name))
			return functions[i].parse(p);
	n = new_node(p, NODE_NAME, p->now.at);
	if (!n)
		return NULL;
	n->length = (uint16_t)p->now.length;
	return step(p) ? NULL : n;
}

static struct node *primary(struct parser *p)
{
	struct node *n;

	switch (p->now.kind) {
	case TOKEN_NUMBER:
		return number(p);
	case TOKEN_TEXT:
		return text(p);
	case TOKEN_NAME:
		return name(p);
	case TOKEN_END:
		return wrong(p, "the expression ends where a value belongs");
	}
	if (!is_op(p, '('))
		return wrong(p, "a value belongs here");
	if (step(p))
		return NULL;
	n = choice(p);
	return n && !expect(p, ')') ? n : NULL;
}

/* a->b, a.b, a[b] which is *(a + b), a@user; without pointers what is in one struct. */
static struct node *behind(struct parser *p, struct node *n, bool pointers)
{
	while (n && (is_op(p, '.') || is_op(p, '[') ||
		     (pointers && (is_op(p, OP_ARROW) || is_op(p, '@'))))) {
		const struct token op = p->now;
		struct node *outer = new_node(p, op.op == '@' ? NODE_USER : op.op == '[' ?
					      NODE_UNARY : NODE_MEMBER, op.at);

		if (!outer || step(p))
			return NULL;
		/* The tree of a->b->c is as deep as that is long, also within brackets. */
		if (++p->members > 4 * DEPTH)
			return wrong(p, "this is too long");
		outer->a = n;
		outer->op = op.op;
		if (op.op == '[') {
			struct node *sum = new_node(p, NODE_BINARY, op.at);

			if (!sum)
				return NULL;
			outer->op = '*';
			outer->a = sum;
			sum->op = '+';
			sum->a = n;
			sum->b = choice(p);
			if (!sum->b || expect(p, ']'))
				return NULL;
		} else if (op.op == '@') {
			if (!is_word(p, "user"))
				return wrong(p, "only `user` may be behind a @: memory of user "
					     "space");
			if (step(p))
				return NULL;
		} else {
			if (p->now.kind != TOKEN_NAME)
				return wrong(p, "the name of a member belongs here");
			outer->at = (uint16_t)p->now.at;
			outer->length = (uint16_t)p->now.length;
			if (step(p))
				return NULL;
		}
		n = outer;
	}
	return n;
}

static struct node *postfix(struct parser *p)
{
	struct node *n = primary(p);

	return n ? behind(p, n, true) : NULL;
}

static struct node *inner_unary(struct parser *p)
{
	const struct token op = p->now;
	struct node *n;

	if (is_op(p, '(')) {
		if (step(p))
			return NULL;
		if (begins_cast(p)) {
			n = new_node(p, NODE_CAST, op.at);
			if (!n || take_type(p, &n->type) || expect(p, ')'))
				return NULL;
			n->a = unary(p);
			return n->a ? n : NULL;
		}
		p->now = op;
	} else if (op.kind == TOKEN_OPERATOR && op.op < 128 && strchr("-+~!*&", op.op)) {
		n = new_node(p, NODE_UNARY, op.at);
		if (!n || step(p))
			return NULL;
		n->op = op.op;
		n->a = unary(p);
		return n->a ? n : NULL;
	}
	return postfix(p);
}

static struct node *unary(struct parser *p)
{
	struct node *n;

	if (++p->depth > DEPTH)
		return wrong(p, "this is nested too deeply");
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
	struct node *n = unary(p);
	unsigned int links = 0;

	while (n && strength(p) >= least) {
		const int s = strength(p);
		struct node *outer = new_node(p, NODE_BINARY, p->now.at);

		/* The tree of a + b + c is as deep as that is long. */
		if (++links > 4 * DEPTH)
			return wrong(p, "this is too long");
		if (!outer)
			return NULL;
		outer->op = p->now.op;
		outer->a = n;
		if (step(p))
			return NULL;
		outer->b = binary(p, s + 1);
		n = outer->b ? outer : NULL;
	}
	return n;
}

static struct node *choice(struct parser *p)
{
	struct node *n, *outer;

	if (++p->depth > DEPTH)
		return wrong(p, "this is nested too deeply");
	n = binary(p, 1);
	if (n && is_op(p, '?')) {
		outer = new_node(p, NODE_CHOICE, p->now.at);
		if (!outer || step(p))
			return NULL;
		outer->a = n;
		outer->b = choice(p);
		if (!outer->b || expect(p, ':'))
			return NULL;
		outer->c = choice(p);
		n = outer->c ? outer : NULL;
	}
	p->depth--;
	return n;
}

static int begin(struct parser *p, size_t at)
{
	if (strlen(p->t->source.text) > UINT16_MAX)
		return fail(p->err, "an expression is longer than 65535 letters");
	return token_next(&p->t->source, at, &p->now, p->err);
}

struct node *parse_expression(struct tree *t, size_t *at, unsigned int word, struct error *err)
{
	struct parser p = { .t = t, .word = word, .err = err };
	struct node *n;

	if (begin(&p, *at))
		return NULL;
	n = choice(&p);
	*at = p.now.at;
	return n;
}

int parse_type(struct tree *t, size_t *at, unsigned int word, struct c_type *type,
	       struct error *err)
{
	struct parser p = { .t = t, .word = word, .err = err };

	if (begin(&p, *at) || take_type(&p, type))
		return -1;
	*at = p.now.at;
	return 0;
}

static int parameter(struct parser *p, struct parameter *to)
{
	struct c_type *t = &to->type;
	int result;

	if (!names_type(p))
		return source_error(&p->t->source, p->now.at, p->err, "this is no type that is "
				    "known here; a parameter is written as TYPE NAME");
	if (take_type(p, t))
		return -1;
	if (p->now.kind != TOKEN_NAME)
		return source_error(&p->t->source, p->now.at, p->err,
				    "the parameter's name belongs here");
	if (p->now.length >= sizeof(to->name))
		return source_error(&p->t->source, p->now.at, p->err, "this name is too long");
	if (!c_number(t))
		return source_error(&p->t->source, p->now.at, p->err,
				    "only integers and pointers can be parameters here");
	memcpy(to->name, word_at(p), p->now.length);
	to->name[p->now.length] = '\0';
	result = step(p);
	if (!result && is_op(p, '[')) {
		t->pointers++;
		result = step(p) || expect(p, ']') ? -1 : 0;
	}
	return result;
}

int parse_parameters(struct tree *t, size_t *at, unsigned int word, struct parameter *list,
		     struct error *err)
{
	struct parser p = { .t = t, .word = word, .err = err };
	int n = 0;

	if (begin(&p, *at) || expect(&p, '('))
		return -1;
	while (!is_op(&p, ')')) {
		if (n && expect(&p, ','))
			return -1;
		if (is_word(&p, "void") && !n && t->source.text[p.now.at + 4] == ')') {
			if (step(&p))
				return -1;
			break;
		}
		/* Those behind have no names. */
		if (!strncmp(t->source.text + p.now.at, "...", 3)) {
			if (step(&p) || step(&p) || step(&p))
				return -1;
			if (!is_op(&p, ')'))
				return source_error(&t->source, p.now.at, err,
						    "the signature's ')' is missing here");
			break;
		}
		if (n == PARAMETERS_MOST)
			return source_error(&t->source, p.now.at, err,
					    "a signature has %d parameters at most",
					    PARAMETERS_MOST);
		if (parameter(&p, &list[n++]))
			return -1;
	}
	*at = p.now.at + 1;
	return n;
}
