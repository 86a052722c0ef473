// SPDX-License-Identifier: GPL-2.0
/*
 * join(ARRAY, SEPARATOR): the texts that an array of addresses points to, up to the first address
 * that is 0. A program has no room for all of them at once, so each is an order:
 *
 *	if (ARRAY[0]) { part 0; if (ARRAY[1]) { part 1; ... } }
 *	end
 */
#include <stdlib.h>
#include <string.h>

#include "src/bt/parse.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

#define PARTS 16

/* *(ARRAY + i); the array is read again each time, because binding changes nodes. */
static struct node *element(struct parser *p, const struct token *begin, unsigned int i)
{
	struct node *n, *sum = parser_node(p, NODE_BINARY, begin->at),
		    *read = parser_node(p, NODE_UNARY, begin->at),
		    *by = parser_node(p, NODE_NUMBER, begin->at);

	p->now = *begin;
	n = parser_expression(p);
	if (!n || !sum || !read || !by)
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
static int part(struct parser *p, const struct token *begin, unsigned int i, const char *between,
		struct bt_statement *s)
{
	struct bt_order *o = bt_order_new(p, s, BT_JOIN_PART);
	struct node *call = parser_node(p, NODE_CALL, begin->at);
	struct binder b = bt_binder(p);

	if (!o || !call)
		return -1;
	call->function = function_in(bt_str_functions, "str");
	call->length = 3;
	call->a = element(p, begin, i);
	o->values[0].node = call;
	if (!call->a || bt_bind_value(&b, &o->values[0]))
		return -1;
	o->n = 1;
	o->top = i;
	o->format.text = strdup(between);
	bt_order_lay_out(o);
	return o->format.text ? 0 : fail(p->err, "out of memory");
}

/* Reads the separator behind the array, which has been skipped. */
static int separator(struct parser *p, const char **between)
{
	const struct node *n;

	*between = " ";
	if (!parser_is(p, ','))
		return 0;
	if (parser_step(p))
		return -1;
	if (p->now.kind != TOKEN_TEXT)
		return NOT_HERE(p, "the text between the parts belongs here: join(args.argv, "
				"\" \")");
	n = parser_literal(p);
	if (!n)
		return -1;
	*between = n->text;
	return 0;
}

int bt_join(struct parser *p, struct bt_statement *s)
{
	const struct token begin = p->now;
	struct bt_statement *end = bt_statement(p, BT_ORDER), *in = s;
	const char *between;
	struct token behind;

	if (!end || !parser_expression(p) || separator(p, &between))
		return -1;
	behind = p->now;
	for (unsigned int i = 0; i < PARTS; i++) {
		in->kind = BT_IF;
		in->value = element(p, &begin, i);
		in->then = bt_statement(p, BT_ORDER);
		if (!in->value || bt_bind_number(p, &in->value) || !in->then ||
		    part(p, &begin, i, between, in->then))
			return -1;
		if (i == PARTS - 1)
			break;
		in->then->next = bt_statement(p, BT_IF);
		in = in->then->next;
		if (!in)
			return -1;
	}
	s->next = end;
	p->now = behind;
	if (!bt_order_new(p, end, BT_JOIN))
		return -1;
	bt_order_lay_out(end->order);
	return 0;
}
