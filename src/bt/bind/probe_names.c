// SPDX-License-Identifier: GPL-2.0
/* Questions about the names that probe and func are: they are questions of their numbers. */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/language/types/types.h"

static enum bt_shape_kind kind_of(const struct node *n)
{
	return n->type.base == C_TEXT && !n->type.pointers ? bt_shape_in(&n->type).kind : BT_NUMBER;
}

bool bt_is_name_of_probe(const struct binder *b, const struct node *n)
{
	if (n->kind == NODE_NAME && !n->op)
		return is_name(b, n, "probe") || is_name(b, n, "func");
	return kind_of(n) == BT_PROBE || kind_of(n) == BT_FUNCTION;
}

int bt_ask_names(struct binder *b, struct node *n, struct node *name,
		 bool (*fits)(const char *name, const char *other), const char *other)
{
	const struct c_type type = c_integer(8, false);
	const struct bt *bt = bt_of(b->t);
	const struct bt_probe *p = bt->now;
	struct node *any = number_node(b, n->at, 0, c_bool()), *one;
	bool function;

	if (bind_node(b, &name))
		return -1;
	function = kind_of(name) == BT_FUNCTION;
	for (unsigned int i = p->first_name; i < p->first_name + p->n_names && any; i++) {
		if (!fits(function ? bt->names[i].function : bt->names[i].probe, other))
			continue;
		one = number_node(b, n->at, i + (function ? BT_FUNCTIONS : 0), type);
		one = binary_node(b, n->at, OP_EQ, name, one, c_bool());
		any = any->kind == NODE_NUMBER ? one :
		      binary_node(b, n->at, OP_OR, any, one, c_bool());
	}
	if (!any)
		return -1;
	name->type = type;
	if (any->kind == NODE_NUMBER || name->kind == NODE_NUMBER) {
		make_number(n, any->kind != NODE_NUMBER, c_bool());
		return 0;
	}
	one = number_node(b, n->at, 0, c_bool());
	if (!one)
		return -1;
	make_binary(n, OP_NE, any, one, c_bool());
	return 0;
}

static bool is_same(const char *name, const char *other)
{
	return !strcmp(name, other);
}

int bt_compare_names(struct binder *b, struct node *n)
{
	const bool differs = n->op == OP_NE;
	struct node *sides[] = { n->a, n->b };
	const int literal = n->a->kind == NODE_TEXT ? 0 : n->b->kind == NODE_TEXT ? 1 : -1;
	struct node *inner, *zero;

	if (literal < 0 && kind_of(n->a) != kind_of(n->b))
		return WRONG(b, n, "probe and func are compared with strings in quotes, or with "
			     "themselves");
	if (literal < 0) {
		n->a->type = n->b->type = c_integer(8, false);
		n->type = c_bool();
		return 0;
	}
	inner = new_node(b, NODE_BINARY, n->at);
	zero = number_node(b, n->at, 0, c_bool());
	if (!inner || !zero)
		return -1;
	if (bt_ask_names(b, inner, sides[!literal], is_same, sides[literal]->text))
		return -1;
	make_binary(n, differs ? OP_EQ : OP_NE, inner, zero, c_bool());
	return 0;
}
