// SPDX-License-Identifier: GPL-2.0
/* Binding kstack and ustack, their lengths, and usym(). */
#include "src/bt/bind/bind.h"

/* len() of a variable or an entry that keeps a stack: `a`. */
static int kept_length(struct binder *b, struct node **at)
{
	struct node *n = (*at)->a;
	struct bt_shape shape;

	if (bind_node(b, &n) || bt_shape_of(b, n, &shape))
		return -1;
	*at = n;
	if (shape.kind == BT_UNSET)
		return 0;
	if (shape.kind != BT_STACK || shape.stack.way == BT_STACK_SYMBOL)
		return WRONG(b, n, "this is %s, and len() takes a map or a stack",
			     bt_kind_of(&shape));
	shape.stack.way = BT_STACK_LENGTH;
	bt_type_text(n, &shape);
	return 0;
}

const struct function bt_kept_length = { .name = "len", .infer = kept_length };

static int within(struct binder *b, struct node **at)
{
	return WRONG(b, *at, "usym() can be printed, and be the key of an aggregation");
}

const struct function bt_symbol_functions[] = {
	{ "usym", "usym(ADDRESS)", { ARGUMENT_VALUE }, within, NULL },
	{ }
};

static int of_symbol(struct binder *b, struct bt_value *v)
{
	v->node = v->node->a;
	v->shape = (struct bt_shape){
		.kind = BT_STACK, .size = sizeof(struct bt_user_stack),
		.stack = { .user = true, .way = BT_STACK_SYMBOL, .most = 1 },
	};
	return bind_node(b, &v->node) || want_number(b, v->node) ? -1 : 0;
}

int bt_of_stack(struct binder *b, struct bt_value *v)
{
	const struct node *n = v->node;
	struct bt *bt = bt_of(b->t);
	const bool user = is_name(b, n, "ustack");

	if (bt->now->aside)
		return WRONG(b, n, BT_ASIDE);
	if (bt->now->when != BT_KERNEL)
		return WRONG(b, n, "BEGIN, END, interval and iter have no %.*s: they are "
			     "sonde's own", n->length, name_of(b, n));
	bt->has_stacks = true;
	if (n->kind == NODE_CALL)
		return of_symbol(b, v);
	v->shape = (struct bt_shape){
		.kind = BT_STACK, .size = user ? sizeof(struct bt_user_stack) : 8,
		.stack = { .user = user, .way = n->op, .most = (uint8_t)n->value },
	};
	return 0;
}
