// SPDX-License-Identifier: GPL-2.0
/* sizeof and offsetof: constants, known before the program is made. */
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

/* sizeof(int[5]) is sizeof(int) * 5. */
static int size_of_array(struct binder *b, struct node *n, const struct node *array)
{
	struct node *one = new_node(b, NODE_CALL, n->at);

	if (!one)
		return -1;
	one->function = n->function;
	one->a = array->a;
	n->kind = NODE_BINARY;
	n->at = array->at;
	n->op = '*';
	n->a = one;
	n->b = array->b;
	return bind_node(b, &n);
}

static int size_of_type(struct binder *b, struct node *n, struct node *type)
{
	struct error why;
	unsigned int bytes;

	if (!type->type.pointers &&
	    types_complete(b->t->types, &type->type, b->s->user_space, &why))
		return CAUSE(b, n, &why);
	bytes = c_size(&type->type, b->s->word);
	if (!bytes)
		return WRONG(b, n, "this size is not known");
	make_number(n, bytes, c_integer(b->s->word, false));
	return 0;
}

/* The operand is not read: its inputs are dropped. */
static int size_of_value(struct binder *b, struct node *n)
{
	const unsigned int before = b->s->needs.n_inputs;
	const bool follows = b->s->needs.follows;
	unsigned int bytes;

	if (bind_node(b, &n->a))
		return -1;
	b->s->needs.n_inputs = before;
	b->s->needs.follows = follows;
	bytes = n->a->kind == NODE_TEXT ? n->a->length + 1U :
		n->a->type.base == C_TEXT && !n->a->type.pointers ? n->a->type.bytes :
		c_size(&n->a->type, b->s->word);
	if (!bytes)
		return WRONG(b, n, "this size is not known");
	make_number(n, bytes, c_integer(b->s->word, false));
	return 0;
}

int infer_sizeof(struct binder *b, struct node **at)
{
	struct node *n = *at;

	b->s->needs.sized = true;
	if (n->a->kind != NODE_TYPE)
		return size_of_value(b, n);
	return n->a->a ? size_of_array(b, n, n->a) : size_of_type(b, n, n->a);
}

/* offsetof(TYPE, MEMBER) is (size_t)&((TYPE *)0)->MEMBER. */
static int offset_of(struct binder *b, struct node **at)
{
	struct node *n = *at, *innermost = n->b,
		    *address = new_node(b, NODE_UNARY, n->at),
		    *cast = new_node(b, NODE_CAST, n->at),
		    *null = number_node(b, n->at, 0, c_integer(4, true));

	if (!address || !cast || !null)
		return -1;
	while (innermost->a)
		innermost = innermost->a;
	innermost->a = cast;
	cast->type = c_pointer(&n->a->type);
	cast->a = null;
	address->op = '&';
	address->a = n->b;
	n->kind = NODE_CAST;
	n->type = c_integer(b->s->word, false);
	n->a = address;
	n->b = NULL;
	return bind_node(b, at);
}

const struct function size_functions[] = {
	{ "sizeof", "sizeof(TYPE)", { ARGUMENT_SIZED }, infer_sizeof, NULL },
	{ "offsetof", "offsetof(TYPE, MEMBER)", { ARGUMENT_TYPE, ARGUMENT_MEMBER }, offset_of,
	  NULL },
	{ }
};
