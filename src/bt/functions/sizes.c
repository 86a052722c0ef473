// SPDX-License-Identifier: GPL-2.0
/* sizeof of values, and container_of(). */
#include "src/bt/bind/bind.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

/* ---- sizeof ---- */

/* What is larger than a byte begins at a multiple of this in a tuple. Structs begin anywhere. */
static unsigned int alignment(const struct c_type *t)
{
	return t->pointers ? 8 : t->base == C_STRUCT || t->is_char ? 1 : t->size;
}

/* A struct or an array, which is not read. */
static int whole_size(struct binder *b, const struct node *n, unsigned int *size,
		      unsigned int *align)
{
	struct c_type type = n->type;
	struct error why;

	if (!type.pointers &&
	    types_complete(b->t->types, &type, b->s->user_space && !type.kernel, &why))
		return CAUSE(b, n, &why);
	*size = c_size(&type, b->s->word);
	*align = alignment(&type);
	return *size ? 0 : WRONG(b, n, "this size is not known");
}

static int tuple_size(struct binder *b, const struct node *tuple, unsigned int *size,
		      unsigned int *align);

static int value_size(struct binder *b, struct node *n, unsigned int *size, unsigned int *align)
{
	const struct c_type *kept;
	struct bt_shape shape;

	if (bt_is_aggregate(&n->type))
		return whole_size(b, n, size, align);
	if (bt_is_tuple_node(n))
		return tuple_size(b, n, size, align);
	if (bt_shape_of(b, n, &shape))
		return -1;
	if (shape.kind == BT_NUMBER || shape.kind == BT_UNSET) {
		*size = *align = shape.number.width;
		return 0;
	}
	kept = bt_block_of(&shape) == BT_BYTES ? &bt_of(b->t)->types[shape.text.type] : NULL;
	*size = kept ? c_size(kept, b->s->word) : shape.kind == BT_TEXT ? shape.text.exact : 0;
	*align = kept ? alignment(kept) : 1;
	if (shape.kind != BT_TEXT || (shape.text.block && !kept) || !*size)
		return WRONG(b, n, "this is %s, which has no size: numbers, strings, structs, "
			     "arrays and tuples of them have one", bt_kind_of(&shape));
	return 0;
}

/* A tuple is as large as a struct with these members. Returns -1, with err set. */
static int tuple_size(struct binder *b, const struct node *tuple, unsigned int *size,
		      unsigned int *align)
{
	*size = 0;
	*align = 1;
	for (const struct node *part = tuple->b; part; part = part->b) {
		unsigned int bytes, own;

		if (value_size(b, part->a, &bytes, &own))
			return -1;
		*size = (*size + own - 1) / own * own + bytes;
		*align = own > *align ? own : *align;
	}
	*size = (*size + *align - 1) / *align * *align;
	return 0;
}

static int size(struct binder *b, struct node **at)
{
	const struct bt_inputs before = bt_inputs_of(b);
	const bool outer = bt_of(b->t)->measures;
	struct node *n = *at;
	unsigned int bytes = 0, align;
	int result;

	if (n->a->kind == NODE_TYPE)
		return infer_sizeof(b, at);
	b->s->needs.sized = true;
	bt_of(b->t)->measures = true;
	result = bind_node(b, &n->a) || value_size(b, n->a, &bytes, &align) ? -1 : 0;
	bt_of(b->t)->measures = outer;
	if (result)
		return -1;
	bt_drop_inputs(b, before);
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

	if (!offset || !from || !by || !minus || bind_node(b, &n->a) || want_number(b, n->a))
		return -1;
	type = c_pointer(&n->b->type);
	type.user = n->a->type.user;
	type.kernel = n->a->type.kernel;
	offset->function = function_in(size_functions, "offsetof");
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
