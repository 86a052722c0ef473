// SPDX-License-Identifier: GPL-2.0
/* Constant expressions in files of declarations. */
#include <string.h>

#include "src/language/expressions/inputs.h"
#include "src/language/types/header_internal.h"
#include "src/language/types/types.h"

#define DEPTH 40			/* of brackets and operators in each other */

struct number {
	uint64_t value;
	struct c_type type;
};

static int choice(struct header_reader *r, struct number *to);
static int unary(struct header_reader *r, struct number *to);

static void convert(const struct header_reader *r, struct number *n, const struct c_type *type)
{
	n->value = c_convert(n->value, type, r->h->machine.word);
	n->type = *type;
}

static struct number plain(uint64_t value)
{
	return (struct number){ value, c_integer(4, true) };
}

static int defined(struct header_reader *r, struct number *to)
{
	bool bracket, known;

	r->as_written = true;
	if (header_step(r))
		return -1;
	bracket = header_is(r, '(');
	if (bracket && header_step(r))
		return -1;
	if (r->now.kind != TOKEN_NAME)
		return header_wrong(r, "a macro's name belongs here");
	if (r->now.length > 7 && !memcmp(header_text(r), "CONFIG_", 7) &&
	    !header_symbol(r->h, SPACE_MACRO, header_text(r), r->now.length))
		return header_wrong(r, "whether this kernel has it is not known here: put a "
				    "#define or #undef of it before");
	known = header_symbol(r->h, SPACE_MACRO, header_text(r), r->now.length) &&
		header_symbol(r->h, SPACE_MACRO, header_text(r), r->now.length)->file;
	*to = plain(known);
	r->as_written = bracket;
	if (header_step(r))
		return -1;
	r->as_written = false;
	return bracket ? header_expect(r, ')') : 0;
}

static int size_of(struct header_reader *r, struct number *to)
{
	struct c_type type;
	int64_t size;

	if (header_step(r) || header_expect(r, '('))
		return -1;
	if (!header_begins_type(r))
		return header_wrong(r, "sizeof is of types here");
	if (header_abstract(r, &type))
		return -1;
	size = type_size(&type, &r->h->machine);
	if (size < 0)
		return header_wrong(r, "the size of this type is not known");
	*to = (struct number){ (uint64_t)size, c_integer(r->h->machine.word, false) };
	return header_expect(r, ')');
}

static int name(struct header_reader *r, struct number *to)
{
	const struct symbol *s;

	if (header_word(r, "sizeof"))
		return size_of(r, to);
	if (r->of_condition && header_word(r, "defined"))
		return defined(r, to);
	s = header_symbol(r->h, SPACE_NUMBER, header_text(r), r->now.length);
	*to = plain(0);
	if (s && !r->of_condition)
		*to = (struct number){ s->value, s->type };
	else if (!r->of_condition)
		return header_wrong(r, "`%.*s` is no number that is known here",
				    (int)(r->now.length > 60 ? 60 : r->now.length),
				    header_text(r));
	else if (r->now.length > 7 && !memcmp(header_text(r), "CONFIG_", 7))
		return header_wrong(r, "whether this kernel has it is not known here: put a "
				    "#define or #undef of it before");
	return header_step(r);
}

static int literal(struct header_reader *r, struct number *to)
{
	const struct token *t = &r->now;

	to->value = t->value;
	to->type = *header_text(r) == '\'' ? c_integer(4, true) :
		   c_literal(t->value, t->is_decimal, t->is_unsigned, t->longs,
			     r->h->machine.word);
	return header_step(r);
}

static int bracket(struct header_reader *r, struct number *to)
{
	struct c_type type;

	if (header_step(r))
		return -1;
	if (!header_begins_type(r))
		return choice(r, to) || header_expect(r, ')') ? -1 : 0;
	if (header_abstract(r, &type) || header_expect(r, ')') || unary(r, to))
		return -1;
	if (!c_number(&type))
		return header_wrong(r, "this is no type of a number");
	convert(r, to, &type);
	return 0;
}

static int inner_unary(struct header_reader *r, struct number *to)
{
	const uint8_t op = r->now.op;

	if (r->now.kind == TOKEN_NUMBER)
		return literal(r, to);
	if (r->now.kind == TOKEN_NAME)
		return name(r, to);
	if (header_is(r, '('))
		return bracket(r, to);
	if (r->now.kind != TOKEN_OPERATOR || op > 127 || !strchr("-+~!", op))
		return header_wrong(r, "a number belongs here");
	if (header_step(r) || unary(r, to))
		return -1;
	if (op == '!') {
		*to = plain(!to->value);
		return 0;
	}
	to->type = c_promoted(&to->type);
	to->value = op == '-' ? 0 - to->value : op == '~' ? ~to->value : to->value;
	to->value = c_convert(to->value, &to->type, r->h->machine.word);
	return 0;
}

static int unary(struct header_reader *r, struct number *to)
{
	int result;

	if (++r->depth > DEPTH)
		return header_wrong(r, "this is nested too deeply");
	result = inner_unary(r, to);
	r->depth--;
	return result;
}

static int combine(struct header_reader *r, uint8_t op, struct number *a, struct number *b)
{
	const unsigned int word = r->h->machine.word;
	const bool shift = op == OP_SHL || op == OP_SHR, logic = op == OP_AND || op == OP_OR;
	struct c_type type = shift ? c_promoted(&a->type) : c_common(&a->type, &b->type, word);

	if (!logic) {
		convert(r, a, &type);
		if (!shift)
			convert(r, b, &type);
	}
	if (shift && b->value >= 8 * c_size(&type, word))
		return header_wrong(r, "C does not define a shift by so many bits");
	if (!fold(op, a->value, b->value, &type, word, &a->value))
		return header_wrong(r, "this divides by 0");
	a->type = logic || c_strength(op) == 6 || c_strength(op) == 7 ? c_integer(4, true) : type;
	return 0;
}

static int binary(struct header_reader *r, int least, struct number *to)
{
	if (unary(r, to))
		return -1;
	while (r->now.kind == TOKEN_OPERATOR && c_strength(r->now.op) >= least) {
		const uint8_t op = r->now.op;
		struct number b;

		if (header_step(r) || binary(r, c_strength(op) + 1, &b) || combine(r, op, to, &b))
			return -1;
	}
	return 0;
}

static int choice(struct header_reader *r, struct number *to)
{
	struct number yes, no;
	struct c_type type;

	if (++r->depth > DEPTH)
		return header_wrong(r, "this is nested too deeply");
	if (binary(r, 1, to))
		return -1;
	if (header_is(r, '?')) {
		if (header_step(r) || choice(r, &yes) || header_expect(r, ':') || choice(r, &no))
			return -1;
		type = c_common(&yes.type, &no.type, r->h->machine.word);
		*to = to->value ? yes : no;
		convert(r, to, &type);
	}
	r->depth--;
	return 0;
}

int header_constant(struct header_reader *r, uint64_t *value, struct c_type *type)
{
	struct number n = { };

	if (choice(r, &n))
		return -1;
	*value = n.value;
	*type = n.type;
	return 0;
}
