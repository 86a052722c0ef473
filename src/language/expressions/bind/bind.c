// SPDX-License-Identifier: GPL-2.0
/* Gives each node the type that it has in C. Names become inputs (inputs.c). */
#include <stdio.h>
#include <string.h>

#include "src/language/expressions/functions/functions.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

/* ---- operators ---- */

void make_number(struct node *n, uint64_t value, struct c_type type)
{
	n->kind = NODE_NUMBER;
	n->value = value;
	n->type = type;
	n->faults = false;
	n->a = n->b = n->c = NULL;
}

struct node *number_node(struct binder *b, size_t at, uint64_t value, struct c_type type)
{
	struct node *n = new_node(b, NODE_NUMBER, at);

	if (n)
		make_number(n, value, type);
	return n;
}

void make_binary(struct node *n, uint8_t op, struct node *left, struct node *right,
		 struct c_type type)
{
	n->kind = NODE_BINARY;
	n->op = op;
	n->a = left;
	n->b = right;
	n->type = type;
	n->faults = left->faults || right->faults;
}

struct node *binary_node(struct binder *b, size_t at, uint8_t op, struct node *left,
			 struct node *right, struct c_type type)
{
	struct node *n = left && right ? new_node(b, NODE_BINARY, at) : NULL;

	if (n)
		make_binary(n, op, left, right, type);
	return n;
}

int want_number(struct binder *b, struct node *n)
{
	char text[100];

	if (c_array(&n->type))
		n->type = c_decayed(&n->type);
	if (c_number(&n->type))
		return 0;
	c_type_text(&n->type, b->s->word, text, sizeof(text));
	return n->type.base == C_TEXT ?
		WRONG(b, n, b->t->source.language ? "this is no number" :
		      "this is a string, not a number; STRCMP(\"...\", TEXT) compares") :
		WRONG(b, n, "this is %s, not a number", text);
}

int convert(struct binder *b, struct node **at, struct c_type type)
{
	struct node *n = *at, *cast;
	const unsigned int word = b->s->word, size = c_size(&type, word);

	if (want_number(b, n))
		return -1;
	if (n->kind == NODE_NUMBER) {
		make_number(n, c_convert(n->value, &type, word), type);
		return 0;
	}
	if (size == c_size(&n->type, word) && c_signed(&type) == c_signed(&n->type) &&
	    !type.is_bool && !type.pointers && !n->type.pointers)
		return 0;
	cast = new_node(b, NODE_CAST, n->at);
	if (!cast)
		return -1;
	cast->type = type;
	cast->type.user |= n->type.user;
	cast->type.kernel |= n->type.kernel;
	cast->faults = n->faults;
	cast->a = n;
	*at = cast;
	return 0;
}

static int bind_cast(struct binder *b, struct node *n)
{
	struct c_type type = n->type;

	/* On a 32-bit machine a cast of retval to 64 bits means that two registers return it. */
	if (b->s->called.returns && b->s->word == 4 && !type.pointers && type.size == 8 &&
	    (is_name(b, n->a, "retval") || is_name(b, n->a, "$retval"))) {
		if (wide_return(b, n->a))
			return -1;
	} else if (bind_node(b, &n->a)) {
		return -1;
	}
	if (want_number(b, n->a))
		return -1;
	if (!c_number(&type))
		return WRONG(b, n, "only integers and pointers are types of values");
	n->faults = n->a->faults;
	n->type.user |= n->a->type.user;
	n->type.kernel |= n->a->type.kernel;
	if (n->a->kind == NODE_NUMBER)
		make_number(n, c_convert(n->a->value, &type, b->s->word), type);
	return 0;
}

static bool is_wide(const struct binder *b)
{
	return b->t->source.language && b->t->source.language->wide;
}

/* C's integer promotion; of a wide language 64 bits. */
static struct c_type promoted(const struct binder *b, const struct c_type *t)
{
	return is_wide(b) ? c_integer(8, c_signed(t)) : c_promoted(t);
}

/* The type of a comparison: C's int; of a wide language a bool. */
static struct c_type truth(const struct binder *b)
{
	return is_wide(b) ? c_bool() : c_integer(4, true);
}

/* A literal that has the sign of the other side. */
static bool has_no_sign(const struct node *n)
{
	return n->kind == NODE_NUMBER && (int64_t)n->value >= 0;
}

/* The type in which both sides are computed. */
static struct c_type common(const struct binder *b, const struct node *n)
{
	const struct c_type *left = &n->a->type, *right = &n->b->type;

	if (!is_wide(b))
		return c_common(left, right, b->s->word);
	if (has_no_sign(n->a) != has_no_sign(n->b))
		return c_integer(8, n->op == '-' || c_signed(has_no_sign(n->a) ? right : left));
	return c_integer(8, n->op == '-' || c_signed(left) || c_signed(right));
}

static bool is_pointer(const struct c_type *t)
{
	return t->pointers || t->row;
}

static int bind_unary(struct binder *b, struct node *n)
{
	struct node *zero;
	uint64_t value;

	if (bind_node(b, &n->a))
		return -1;
	if (want_number(b, n->a))
		return -1;
	n->type = is_pointer(&n->a->type) ? c_integer(b->s->word, false) :
		  promoted(b, &n->a->type);
	if (is_wide(b) && n->op == '-')
		n->type.is_signed = true;
	if (convert(b, &n->a, n->type))
		return -1;
	/* -a is 0 - a, ~a is a ^ -1, +a is a + 0, !a is a == 0 */
	zero = new_node(b, NODE_NUMBER, n->at);
	if (!zero)
		return -1;
	make_number(zero, n->op == '~' ? c_convert(UINT64_MAX, &n->type, b->s->word) : 0, n->type);
	n->kind = NODE_BINARY;
	n->b = zero;
	n->faults = n->a->faults;
	if (n->op == '-') {
		n->b = n->a;
		n->a = zero;
	}
	n->op = n->op == '~' ? '^' : n->op == '!' ? OP_EQ : n->op;
	if (n->op == OP_EQ)
		n->type = truth(b);
	if (n->a->kind == NODE_NUMBER && n->b->kind == NODE_NUMBER &&
	    fold(n->op, n->a->value, n->b->value, &n->a->type, b->s->word, &value))
		make_number(n, value, n->type);
	return 0;
}

static bool compares(uint8_t op)
{
	return op == '<' || op == '>' || op == OP_LE || op == OP_GE || op == OP_EQ || op == OP_NE;
}

/* Returns true for an argument or a result without a type: it is taken for an unsigned long. */
static bool has_no_type(const struct binder *b, const struct node *n)
{
	const char *name = name_of(b, n);

	if (n->kind != NODE_INPUT && n->kind != NODE_READ)
		return false;
	for (unsigned int i = 0; i < b->s->called.n_parameters; i++)
		if (strlen(b->s->called.parameters[i].name) == n->length &&
		    !memcmp(b->s->called.parameters[i].name, name, n->length))
			return false;
	return !strncmp(name, "arg", 3) || !strncmp(name + (*name == '$'), "retval", 6);
}

/* The type that the kernel tells of a result. Returns false if it tells none. */
static bool type_by_kernel(struct binder *b, const struct node *n, struct c_type *type)
{
	const struct scope *s = b->s;
	struct parameter list[PARAMETERS_MOST];

	if (!s->called.returns || s->user_space || s->event.tracepoint || s->event.usdt ||
	    !s->called.name)
		return false;
	if (s->called.syscall) {
		*type = c_integer(s->word, true);
		return true;
	}
	return strncmp(name_of(b, n), "arg", 3) && !strchr(s->called.name, '.') &&
	       types_function(b->t->types, s->called.name, list, type) >= 0 && c_number(type) &&
	       !type->pointers;
}

/*
 * Refuses VALUE < 0 and VALUE >= 0 for a value without a type. C lets this pass, but the result is
 * always the same. Where the kernel tells the type of a result, that is meant.
 */
static int never_below(struct binder *b, struct node *n, struct c_type *both)
{
	struct c_type type;
	const bool zero = n->b->kind == NODE_NUMBER && !n->b->value && n->b->length == 1;

	if (c_signed(both) || !zero || (n->op != '<' && n->op != OP_GE))
		return 0;
	if (!has_no_type(b, n->a))
		return 0;
	if (type_by_kernel(b, n->a, &type)) {
		if (convert(b, &n->a, type))
			return -1;
		*both = common(b, n);
		return 0;
	}
	return WRONG(b, n, "the left side has no type and is taken to be unsigned, never below 0: "
		     "write (int)VALUE or (long)VALUE, as it is meant");
}

/* a - b, in elements of the type that both point to. */
static int pointer_difference(struct binder *b, struct node *n, unsigned int size)
{
	const struct c_type type = c_integer(n->a->type.kernel ? n->a->type.kernel : b->s->word,
					     true);
	struct node *bytes, *by = number_node(b, n->at, size, type);
	struct c_type other = c_pointed(&n->b->type);

	if (!by || convert(b, &n->a, type) || convert(b, &n->b, type))
		return -1;
	if (c_size(&other, b->s->word) != size && size != 1)
		return WRONG(b, n, "these pointers point to different types");
	bytes = binary_node(b, n->at, '-', n->a, n->b, type);
	if (!bytes)
		return -1;
	make_binary(n, '/', bytes, by, type);
	return 0;
}

/* A pointer and a number: C counts in elements of the type that the pointer points to. */
static int pointer_step(struct binder *b, struct node *n)
{
	struct node **by = is_pointer(&n->a->type) ? &n->b : &n->a;
	const struct node *pointer = by == &n->b ? n->a : n->b;
	const bool difference = n->op == '-' && is_pointer(&n->b->type);
	struct c_type to = pointer->type, element;
	unsigned int size;
	uint64_t value;

	if ((is_pointer(&(*by)->type) && !difference) || (n->op == '-' && by == &n->a))
		return WRONG(b, n, "pointers can be added to, compared, and subtracted from each "
			     "other, no more");
	if (pointed_type(b, pointer, &element))
		return -1;
	size = element.base == C_VOID && !element.pointers ? 1 : c_size(&element, b->s->word);
	if (!size)
		return WRONG(b, n, "the size of its target is not known");
	if (difference)
		return pointer_difference(b, n, size);
	if (convert(b, by, c_integer(b->s->word, true)))
		return -1;
	if (size > 1) {
		const struct c_type word = c_integer(b->s->word, true);
		struct node *times = number_node(b, n->at, size, word),
			    *product = binary_node(b, n->at, '*', *by, times, word);

		if (!product)
			return -1;
		if ((*by)->kind == NODE_NUMBER)
			make_number(product, (*by)->value * size, word);
		*by = product;
	}
	n->type = to;
	n->faults = n->a->faults || n->b->faults;
	if (n->a->kind == NODE_NUMBER && n->b->kind == NODE_NUMBER) {
		value = n->op == '+' ? n->a->value + n->b->value : n->a->value - n->b->value;
		make_number(n, c_convert(value, &to, b->s->word), to);
	}
	return 0;
}

/* An array with one element, or none, may be the beginning of a longer one. */
static int check_index(struct binder *b, const struct node *n)
{
	const struct c_type *t = &n->a->type;

	return n->op == '+' && is_wide(b) && c_array(t) && t->dims[0] > 1 &&
	       n->b->kind == NODE_NUMBER && n->b->value >= t->dims[0] ?
	       WRONG(b, n, "the index %lld is out of bounds for array of size %u",
		     (long long)n->b->value, t->dims[0]) : 0;
}

static int bind_binary(struct binder *b, struct node *n)
{
	const bool typed = n->a->type.width || n->b->type.width;
	struct c_type type;
	uint64_t value;
	bool user;

	if (check_index(b, n) || want_number(b, n->a) || want_number(b, n->b))
		return -1;
	if ((n->op == '+' || n->op == '-') && (is_pointer(&n->a->type) || is_pointer(&n->b->type)))
		return pointer_step(b, n);
	user = n->a->type.user || n->b->type.user;
	n->faults = n->a->faults || n->b->faults;
	if (n->op == OP_AND || n->op == OP_OR) {
		n->type = truth(b);
		type = c_integer(4, true);
	} else if (n->op == OP_SHL || n->op == OP_SHR) {
		struct c_type count = promoted(b, &n->b->type);

		type = promoted(b, &n->a->type);
		if (convert(b, &n->a, type) || convert(b, &n->b, count))
			return -1;
		if (n->b->kind == NODE_NUMBER && n->b->value >= 8 * c_size(&type, b->s->word))
			return WRONG(b, n, "C does not define a shift by %lld bits",
				     (long long)n->b->value);
		n->type = type;
	} else {
		type = common(b, n);
		if (never_below(b, n, &type) || convert(b, &n->a, type) ||
		    convert(b, &n->b, type))
			return -1;
		n->type = compares(n->op) ? truth(b) : type;
		n->type.user = !compares(n->op) && user;
	}
	if (n->op == '/' || n->op == '%') {
		if (n->b->kind == NODE_NUMBER && !n->b->value)
			return WRONG(b, n, "this divides by 0");
		n->faults |= n->b->kind != NODE_NUMBER;
	}
	if (n->a->kind == NODE_NUMBER && n->b->kind == NODE_NUMBER &&
	    fold(n->op, n->a->value, n->b->value, &type, b->s->word, &value)) {
		make_number(n, value, n->type);
		/* Of literals alone comes a literal, which is as wide as it needs. */
		if (typed && is_wide(b))
			n->type.width = n->type.size;
	}
	return 0;
}

static int bind_choice(struct binder *b, struct node *n)
{
	struct node **first = n->b ? &n->b : &n->a;
	struct c_type type;

	if (want_number(b, n->a) || want_number(b, *first) || want_number(b, n->c))
		return -1;
	type = (*first)->type.is_bool && n->c->type.is_bool && is_wide(b) ? c_bool() : is_wide(b) ?
	       c_integer(8, c_signed(&(*first)->type) || c_signed(&n->c->type)) :
	       c_common(&(*first)->type, &n->c->type, b->s->word);
	if (convert(b, first, type) || convert(b, &n->c, type))
		return -1;
	n->type = type;
	n->faults = n->a->faults || (*first)->faults || n->c->faults;
	return 0;
}

/* A letter of a literal: "abc"[1], which is *("abc" + 1). Returns 1 for any other node. */
static int bind_letter(struct binder *b, struct node *n)
{
	const struct language *language = b->t->source.language;
	struct node *sum = n->a, *text;

	if (n->op != '*' || sum->kind != NODE_BINARY || sum->op != '+')
		return 1;
	text = sum->a->kind == NODE_TEXT ? sum->a : sum->b;
	if (text->kind != NODE_TEXT)
		return language && language->letter ? language->letter(b, n) : 1;
	if (bind_node(b, text == sum->a ? &sum->b : &sum->a))
		return -1;
	sum = text == sum->a ? sum->b : sum->a;
	if (sum->kind != NODE_NUMBER || sum->value > text->length)
		return WRONG(b, n, "a character of a string is at a number that is known, from 0 "
				   "to %u",
			     text->length);
	make_number(n, (uint64_t)(int64_t)(signed char)text->text[sum->value],
		    c_integer(1, true));
	return 0;
}

static int name(struct binder *b, struct node **at)
{
	const struct language *language = b->t->source.language;
	const int own = language && language->name ? language->name(b, *at) : 0;

	return own ? own < 0 ? -1 : 0 : bind_name(b, *at);
}

/* Returns 1 if the place is the language's own; -1: err is set. */
static int own_place(struct binder *b, struct node **at)
{
	const struct language *language = b->t->source.language;

	return language && language->place ? language->place(b, at) : 0;
}

static int member(struct binder *b, struct node **at)
{
	const int own = own_place(b, at);
	const bool field = (*at)->op == OP_ARROW || b->t->source.language;

	if (own)
		return own < 0 ? -1 : 0;
	return is_name(b, (*at)->a, "args") && field ? bind_field(b, *at) : bind_place(b, at);
}

/* VALUE@user: an address of user space. */
static int user(struct binder *b, struct node **at)
{
	struct node *n = *at;

	if (bind_node(b, &n->a) || want_number(b, n->a))
		return -1;
	n->a->type.user = true;
	*at = n->a;
	return 0;
}

static int unary(struct binder *b, struct node **at)
{
	struct node *n = *at;
	const int own = n->op == '*' || n->op == '&' ? own_place(b, at) : 0,
		  letter = own ? 0 : bind_letter(b, n);

	if (own)
		return own < 0 ? -1 : 0;
	if (letter <= 0)
		return letter;
	return n->op == '*' ? bind_place(b, at) : n->op == '&' ? bind_address(b, at) :
	       bind_unary(b, n);
}

static int side(struct binder *b, struct node **at)
{
	const struct language *language = b->t->source.language;
	const unsigned int before = b->s->needs.n_inputs;

	if (bind_node(b, at))
		return -1;
	return language && language->side ? language->side(b, *at, before) : 0;
}

static int binary(struct binder *b, struct node **at)
{
	const struct language *language = b->t->source.language;
	struct node *n = *at;
	int (*bind)(struct binder *, struct node **) = n->op == OP_EQ || n->op == OP_NE ? side :
						       bind_node;
	int own;

	if (bind(b, &n->a) || bind(b, &n->b))
		return -1;
	own = language && language->binary ? language->binary(b, n) : 0;
	return own ? own < 0 ? -1 : 0 : bind_binary(b, n);
}

static int choice(struct binder *b, struct node **at)
{
	const struct language *language = b->t->source.language;
	struct node *n = *at;
	int own;

	if (bind_node(b, &n->a) || (n->b && side(b, &n->b)) || side(b, &n->c))
		return -1;
	own = language && language->choice ? language->choice(b, n) : 0;
	return own ? own < 0 ? -1 : 0 : bind_choice(b, n);
}

/* The pointers of a type are behind it: (typeof($x) *) */
int bind_type(struct binder *b, struct c_type *type)
{
	const struct c_type asked = *type;

	if (type->base != C_TYPEOF)
		return 0;
	if (b->t->source.language->type_of(b, asked.of, type))
		return -1;
	for (unsigned int i = 0; i < asked.pointers; i++)
		*type = c_pointer(type);
	type->user |= asked.user;
	if (asked.n_dims) {
		type->n_dims = asked.n_dims;
		memcpy(type->dims, asked.dims, sizeof(type->dims));
	}
	return 0;
}

static int cast(struct binder *b, struct node **at)
{
	int own;

	if (bind_type(b, &(*at)->type))
		return -1;
	own = (*at)->type.n_dims ? own_place(b, at) : 0;
	if (own || bind_cast(b, *at))
		return own > 0 ? 0 : -1;
	/* A literal is as wide as it needs; one with a cast is not. */
	if ((*at)->kind == NODE_NUMBER && b->t->source.language && b->t->source.language->wide &&
	    !(*at)->type.pointers && !(*at)->type.width)
		(*at)->type.width = (*at)->type.size;
	return 0;
}

/* Types of arguments: of an array the type of its elements is below. */
static int bind_types(struct binder *b, struct node *n)
{
	for (; n && n->kind == NODE_TYPE; n = n->a)
		if (bind_type(b, &n->type))
			return -1;
	return 0;
}

static int call(struct binder *b, struct node **at)
{
	struct node *n = *at;

	if (bind_types(b, n->a) || bind_types(b, n->b) || bind_types(b, n->c))
		return -1;
	return n->function->infer(b, at);
}

/* Nodes of other kinds are bound already. */
static int (*const kinds[NODE_KINDS])(struct binder *b, struct node **at) = {
	[NODE_NAME] = name,
	[NODE_MEMBER] = member,
	[NODE_USER] = user,
	[NODE_UNARY] = unary,
	[NODE_BINARY] = binary,
	[NODE_CHOICE] = choice,
	[NODE_CAST] = cast,
	[NODE_CALL] = call,
};

int bind_node(struct binder *b, struct node **at)
{
	return kinds[(*at)->kind] ? kinds[(*at)->kind](b, at) : 0;
}

int bind_number(struct tree *t, struct scope *s, struct node **n, struct error *err)
{
	struct binder b = { .t = t, .s = s, .err = err };

	return bind_node(&b, n) || want_number(&b, *n) ? -1 : 0;
}

int bind_as(struct tree *t, struct scope *s, struct node **n, const struct c_type *type,
	    struct error *err)
{
	struct binder b = { .t = t, .s = s, .err = err };

	return bind_node(&b, n) || convert(&b, n, *type) ? -1 : 0;
}
