// SPDX-License-Identifier: GPL-2.0
/*
 * join(ARRAY, SEPARATOR): the texts that an array of addresses points to, up to the first address
 * that is 0. A program has no room for all of them at once, so each is an order:
 *
 *	if (ARRAY[0]) { part 0; if (ARRAY[1]) { part 1; ... } }
 *	end
 */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

#define PARTS 16

/* *(ARRAY + i); binding changes the nodes, so each has a copy of the array. */
static struct node *element(struct binder *b, const struct node *array, unsigned int i)
{
	struct node *n, *sum = new_node(b, NODE_BINARY, array->at),
		    *read = new_node(b, NODE_UNARY, array->at),
		    *by = new_node(b, NODE_NUMBER, array->at);

	if (!sum || !read || !by || bt_copy(b, array, &n))
		return NULL;
	by->value = i;
	by->type = c_integer(8, true);
	sum->op = '+';
	sum->a = n;
	sum->b = by;
	read->op = '*';
	read->a = sum;
	return read;
}

/* The part's order shows str(*(ARRAY + i)). */
static int part(struct binder *b, const struct node *array, unsigned int i, const char *between,
		struct bt_statement *s)
{
	struct bt_order *o = s->order = bt_order_new(b, BT_JOIN_PART);
	struct node *call = new_node(b, NODE_CALL, array->at);

	if (!o || !call)
		return -1;
	call->function = function_in(bt_str_functions, "str");
	call->length = 3;
	call->a = element(b, array, i);
	o->values[0].node = call;
	if (!call->a || bt_bind_value(b, &o->values[0]))
		return -1;
	o->n = 1;
	o->part.number = i;
	o->part.between = strdup(between);
	bt_order_lay_out(o);
	return o->part.between ? 0 : fail(b->err, "out of memory");
}

int bt_join(struct binder *b, struct bt_statement *s, struct bt_arguments *a)
{
	const size_t begin = a->at;
	const struct node *array = bt_argument(a), *separator;
	struct bt_statement *end = bt_statement(b, BT_ORDER, begin), *in = s;
	size_t at;

	if (!end)
		return -1;
	if (!array)
		return WRONG_AT(b, begin, "a value belongs here");
	at = a->next ? a->next->at : 0;
	separator = bt_argument(a);
	if (separator && separator->kind != NODE_TEXT)
		return WRONG_AT(b, at, "the string between the parts belongs here: join(args.argv, "
				"\" \")");
	for (unsigned int i = 0; i < PARTS; i++) {
		in->kind = BT_IF;
		in->branch.value = element(b, array, i);
		in->branch.then = bt_statement(b, BT_ORDER, begin);
		if (!in->branch.value || bt_bind_number(b, &in->branch.value) ||
		    !in->branch.then ||
		    part(b, array, i, separator ? separator->text : " ", in->branch.then))
			return -1;
		if (i == PARTS - 1)
			break;
		in = in->branch.then->next = bt_statement(b, BT_IF, begin);
		if (!in)
			return -1;
	}
	s->next = end;
	end->order = bt_order_new(b, BT_JOIN);
	if (!end->order)
		return -1;
	bt_order_lay_out(end->order);
	return 0;
}
