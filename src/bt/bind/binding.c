// SPDX-License-Identifier: GPL-2.0
/* What binding is made of: copies of what was read, statements, blocks, arguments, orders. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/array.h"
#include "src/bt/bind/bind.h"

struct bt_statement *bt_statement(struct binder *b, enum bt_kind kind, size_t at)
{
	struct bt *bt = bt_of(b->t);
	struct bt_statement *s = calloc(1, sizeof(*s));

	if (!s) {
		fail(b->err, "out of memory");
		return NULL;
	}
	s->kind = kind;
	s->at = at;
	s->probe = bt->now;
	s->all = bt->statements;
	return bt->statements = s;
}

static void give_functions(const struct bt *b, struct node *n)
{
	if (!n)
		return;
	if (n->kind == NODE_OWN) {
		n->kind = NODE_CALL;
		n->function = b->builtins->values[n->op];
	}
	give_functions(b, n->a);
	give_functions(b, n->b);
	give_functions(b, n->c);
}

int bt_copy(struct binder *b, const struct node *n, struct node **to)
{
	*to = n ? tree_copy(b->t, n) : NULL;
	give_functions(bt_of(b->t), *to);
	return n && !*to ? fail(b->err, "out of memory") : 0;
}

void bt_make_call(struct node *n, const struct function *f, uint64_t value)
{
	n->kind = NODE_CALL;
	n->function = f;
	n->value = value;
	n->a = n->b = n->c = NULL;
	n->faults = false;
}

int bt_append_bytes(struct binder *b, struct node ***end, struct node *number, unsigned int bytes)
{
	struct node *part = number ? new_node(b, NODE_KEY, number->at) : NULL;

	if (!part)
		return -1;
	part->a = number;
	part->value = bytes;
	**end = part;
	*end = &part->b;
	return 0;
}

int bt_make_literal(struct binder *b, struct node *n, const char *text)
{
	n->kind = NODE_TEXT;
	n->text = strdup(text);		/* the tree owns it */
	n->length = (uint16_t)strlen(text);
	n->type = (struct c_type){ .base = C_TEXT };
	return n->text ? 0 : fail(b->err, "out of memory");
}

struct bt_inputs bt_inputs_of(const struct binder *b)
{
	return (struct bt_inputs){ b->s->needs.n_inputs, b->s->needs.follows };
}

void bt_drop_inputs(struct binder *b, struct bt_inputs before)
{
	b->s->needs.n_inputs = before.n;
	b->s->needs.follows = before.follows;
}

struct node *bt_inner_node(struct binder *b, size_t at, struct bt_statement *statements,
			   struct node *value)
{
	struct node *n = value ? new_node(b, NODE_CALL, at) : NULL;

	if (!n)
		return NULL;
	n->function = bt_of(b->t)->builtins->values[VALUE_INNER];
	n->own = statements;
	n->a = value;
	return n;
}

struct node *bt_map_read_node(struct binder *b, size_t at, struct bt_map *m, struct node *keys)
{
	struct node *n = new_node(b, NODE_CALL, at);

	if (!n)
		return NULL;
	n->function = bt_of(b->t)->builtins->values[VALUE_MAP];
	n->own = m;
	n->length = (uint16_t)strlen(m->name);
	n->b = keys;
	return n;
}

/* ---- statements ---- */

int bt_bind_statement(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	return bt_of(b->t)->builtins->statements[from->kind](b, from, to);
}

int bt_begin_block(struct binder *b, size_t at)
{
	struct bt_probe *now = bt_of(b->t)->now;

	if (now->n_scopes == BT_NESTED)
		return WRONG_AT(b, at, "this is nested too deeply");
	now->scopes[now->n_scopes++] = ++now->last_scope;
	return 0;
}

int bt_block(struct binder *b, const struct syntax *list, struct bt_statement **to)
{
	if (bt_begin_block(b, list ? list->at : 0))
		return -1;
	for (; list; list = list->next) {
		if (bt_bind_statement(b, list, to))
			return -1;
		while (*to)
			to = &(*to)->next;
	}
	bt_of(b->t)->now->n_scopes--;
	return 0;
}

/* ---- arguments ---- */

void bt_arguments(struct bt_arguments *a, const struct syntax_arguments *from)
{
	*a = (struct bt_arguments){ from->list, from->list ? from->list->at : from->end };
}

const struct node *bt_argument(struct bt_arguments *a)
{
	const struct node *key = a->next;

	if (!key)
		return NULL;
	a->next = key->b;
	a->at = (size_t)key->value;
	return key->a;
}

/* ---- orders ---- */

struct bt_order *bt_order_new(struct binder *b, enum bt_order_kind kind)
{
	struct bt *bt = bt_of(b->t);
	struct bt_order *o = calloc(1, sizeof(*o));

	if (!o || array_room(&bt->orders, bt->n_orders, sizeof(struct bt_order *))) {
		free(o);
		fail(b->err, "out of memory");
		return NULL;
	}
	o->kind = kind;
	o->number = bt->n_orders;
	o->sampled = bt->now->frequency;
	return bt->orders[bt->n_orders++] = o;
}

void bt_order_lay_out(struct bt_order *o)
{
	o->size = sizeof(struct bt_record);
	for (unsigned int i = 0; i < o->n; i++) {
		const struct bt_value *v = &o->values[i];

		o->offsets[i] = (uint16_t)o->size;
		if (!bt_is_literal(v))
			o->size += v->shape.size + (v->shape.kind == BT_TEXT ? 8U : 0);
	}
}

void bt_order_free(struct bt_order *o)
{
	if (o->kind == BT_PRINTF || o->kind == BT_CAT || o->kind == BT_SYSTEM ||
	    o->kind == BT_ERRORF)
		format_text_free(&o->text.format);
	if (o->kind == BT_JOIN_PART)
		free(o->part.between);
	if (o->kind == BT_TIME)
		free(o->time);
	free(o);
}
