// SPDX-License-Identifier: GPL-2.0
/* sizeof of tuples, and container_of(). */
#include "src/bt/parse.h"
#include "src/lang/types/types.h"

/* ---- sizeof ---- */

static bool is_tuple(const struct node *n)
{
	return n->kind == NODE_CALL && n->function == &bt_tuple;
}

/* A tuple of numbers is as large as a struct with these members. Returns -1, with err set. */
static int tuple_size(struct binder *b, const struct node *tuple, unsigned int *size,
		      unsigned int *align)
{
	*size = 0;
	*align = 1;
	for (const struct node *part = tuple->b; part; part = part->b) {
		struct bt_shape shape;
		unsigned int bytes, own;

		if (bt_shape_of(b, part->a, &shape))
			return -1;
		if (shape.kind == BT_TUPLE) {
			if (tuple_size(b, part->a, &bytes, &own))
				return -1;
		} else if (shape.kind == BT_NUMBER) {
			bytes = own = shape.width;
		} else {
			return WRONG(b, part->a, "this is %s: of tuples only those of numbers have "
				     "a size that is known", bt_kind_of(&shape));
		}
		*size = (*size + own - 1) / own * own + bytes;
		*align = own > *align ? own : *align;
	}
	*size = (*size + *align - 1) / *align * *align;
	return 0;
}

static int size(struct binder *b, struct node **at)
{
	const unsigned int before = b->s->n_inputs;
	const bool follows = b->s->follows;
	struct node *n = *at;
	unsigned int bytes, align;

	if (n->a->kind == NODE_TYPE)
		return infer_sizeof(b, at);
	if (bind_node(b, &n->a))
		return -1;
	if (!is_tuple(n->a))
		return infer_sizeof(b, at);
	if (tuple_size(b, n->a, &bytes, &align))
		return -1;
	b->s->n_inputs = before;
	b->s->follows = follows;
	make_number(n, bytes, c_integer(b->s->word, false));
	return 0;
}

/* ---- container_of ---- */

/* container_of(POINTER, TYPE, MEMBER) is (TYPE *)((char *)POINTER - offsetof(TYPE, MEMBER)). */
static int container(struct binder *b, struct node **at)
{
	const struct c_type number = c_integer(8, false);
	struct node *n = *at, *offset = new_node(b, NODE_CALL, n->at),
		    *from = new_node(b, NODE_CAST, n->at), *by = new_node(b, NODE_CAST, n->at),
		    *minus = new_node(b, NODE_BINARY, n->at);
	struct c_type type;

	if (!offset || !from || !by || !minus)
		return fail(b->err, "out of memory");
	if (bind_node(b, &n->a) || want_number(b, n->a))
		return -1;
	type = c_pointer(&n->b->type);
	type.user = n->a->type.user;
	type.kernel = n->a->type.kernel;
	offset->function = &size_functions[1];
	offset->a = n->b;
	offset->b = n->c;
	from->type = by->type = number;
	from->a = n->a;
	from->faults = n->a->faults;
	by->a = offset;
	if (bind_node(b, &by->a))
		return -1;
	make_binary(minus, '-', from, by, number);
	n->kind = NODE_CAST;
	n->type = type;
	n->a = minus;
	n->b = n->c = NULL;
	n->faults = minus->faults;
	return 0;
}

const struct function bt_size_functions[] = {
	{ "sizeof", "sizeof(TYPE)", { ARGUMENT_SIZED }, size, NULL },
	{ "container_of", "container_of(POINTER, TYPE, MEMBER)",
	  { ARGUMENT_VALUE, ARGUMENT_TYPE, ARGUMENT_MEMBER }, container, NULL },
	{ }
};
