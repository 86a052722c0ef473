// SPDX-License-Identifier: GPL-2.0
/* Arguments of functions, and values of 64 bits, which take two registers of a 32-bit machine. */
#include <stdio.h>

#include "src/language/expressions/bind/binder.h"
#include "src/language/types/types.h"

/*
 * The number of the word, from 1, at which argument `number` begins. Words in registers come first,
 * then words on the stack. The signature tells which arguments take two words; the lower half is
 * first.
 */
static unsigned int word_of_argument(const struct scope *s, int number)
{
	unsigned int word = 1;

	for (int i = 0; i < number; i++) {
		const bool known = i < (int)s->called.n_parameters,
			   wide = known && c_size(&s->called.parameters[i].type, s->word) > s->word;

		if (wide && (s->called.even_pairs ? word % 2 == 0 : word == s->called.in_registers))
			word++;
		if (i < number - 1)
			word += wide ? 2 : 1;
	}
	return word;
}

/* Makes n the word of an argument, without a conversion. */
static int argument_word(struct binder *b, struct node *n, unsigned int word)
{
	char fetch[16];

	snprintf(fetch, sizeof(fetch), b->s->called.syscall ? "$sys%u" : "$arg%u", word);
	if (to_input(b, n, c_integer(b->s->word, false), fetch, ":uW"))
		return -1;
	if (!b->s->called.syscall && b->s->user_space && word > b->s->called.in_registers) {
		/* The stack's page may be missing. BPF programs are told that. */
		n->kind = NODE_READ;
		n->faults = true;
	}
	return 0;
}

/* Makes n a number of 64 bits from its halves `low` and `high`. */
static int join(struct binder *b, struct node *n, struct node *low, struct node *high)
{
	const struct c_type wide = c_integer(8, false);
	struct node *by = number_node(b, n->at, 32, c_integer(4, true)), *shifted;

	if (convert(b, &low, wide) || convert(b, &high, wide))
		return -1;
	shifted = binary_node(b, n->at, OP_SHL, high, by, wide);
	if (!shifted)
		return -1;
	make_binary(n, '|', low, shifted, wide);
	return 0;
}

static struct node *twin(struct binder *b, const struct node *n)
{
	struct node *to = new_node(b, NODE_NAME, n->at);

	if (to)
		to->length = n->length;
	return to;
}

/* Makes n an argument of 64 bits, which is in two words. */
static int wide_argument(struct binder *b, struct node *n, unsigned int word)
{
	struct node *low = twin(b, n), *high = twin(b, n);

	return !low || !high || argument_word(b, low, word) || argument_word(b, high, word + 1) ?
	       -1 : join(b, n, low, high);
}

int wide_return(struct binder *b, struct node *n)
{
	struct node *low = twin(b, n), *high = twin(b, n);

	return !low || !high || to_input(b, low, c_integer(4, false), "$retval", ":u32") ||
	       to_input(b, high, c_integer(4, false), "$rethigh", ":u32") ?
	       -1 : join(b, n, low, high);
}

int bind_argument(struct binder *b, struct node *n, int number, const struct c_type *type)
{
	const unsigned int word = word_of_argument(b->s, number);
	const bool wide = number <= (int)b->s->called.n_parameters &&
			  c_size(&b->s->called.parameters[number - 1].type, b->s->word) >
				  b->s->word;
	struct node *inner = NULL;

	if (b->s->event.tracepoint)
		return WRONG(b, n, "a tracepoint has fields, not arguments: args->NAME");
	if (b->s->called.returns && !b->s->called.keeps_arguments)
		return WRONG(b, n, "arguments are gone when the function returns: it has retval; "
			     "probe its call for them");
	if (b->s->called.inside)
		return WRONG(b, n, "behind a function's beginning registers have other values "
			     "than its arguments");
	if (b->s->called.same_arguments && number > b->s->called.same_arguments)
		return WRONG(b, n, "%s() has other arguments behind arg%u: write its own name",
			     binder_function(b), b->s->called.same_arguments);
	if (b->s->called.unknown_arguments)
		return WRONG(b, n, "functions of system calls have their arguments elsewhere on "
			     "this kernel");
	if (b->s->called.syscall && number > 6)
		return WRONG(b, n, "a system call has six arguments at most");
	if (b->s->called.syscall && word + wide != (unsigned int)number)
		return WRONG(b, n, "an argument of 64 bits takes two places of a system call, and "
			     "their order is not known");
	if (type && (c_size(type, b->s->word) < b->s->word ||
		     (c_signed(type) && b->s->word < 8 && !wide))) {
		/* In a register only the type's bits mean anything: a cast extends them. */
		inner = twin(b, n);
		if (!inner)
			return -1;
	}
	if (wide ? wide_argument(b, n, word) : argument_word(b, inner ? inner : n, word))
		return -1;
	if (inner)
		n->faults = inner->faults;
	if (inner) {
		n->kind = NODE_CAST;
		n->a = inner;
	}
	if (type)
		n->type = *type;
	/* A bool is in one byte of the register. The bytes above could make a 1 of a 0. */
	if (n->type.is_bool && !n->type.pointers)
		n->type = c_integer(1, false);
	n->type.user |= b->s->called.syscall || (b->s->called.user_arguments >> (number - 1) & 1);
	return 0;
}

/* A USDT probe itself tells the types of its arguments. */
int bind_usdt_argument(struct binder *b, struct node *n, unsigned int number)
{
	const unsigned int first = b->t->source.language == NULL;
	const struct c_type *type;
	char fetch[16];

	if (number > USDT_ARGUMENTS)
		return WRONG(b, n, "arguments of probes (USDT) are arg%u to arg%u", first,
			     USDT_ARGUMENTS - 1 + first);
	type = &b->s->event.arguments[number - 1];
	if (!type->size)
		return WRONG(b, n, "the probe has no arg%u; `sonde tplist -v -l FILE` shows its "
			     "arguments", number - 1 + first);
	snprintf(fetch, sizeof(fetch), "$arg%u", number);
	if (to_input(b, n, *type, fetch, ":uW"))
		return -1;
	/* At some places of the probe the argument may be in memory whose page is missing. */
	n->kind = NODE_READ;
	n->faults = true;
	return 0;
}
