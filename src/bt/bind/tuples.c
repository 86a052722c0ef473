// SPDX-License-Identifier: GPL-2.0
/*
 * Tuples and records. A variable that holds one is a variable for each part, $t.0 and $t.1.0, or
 * $r.a; in keys and when printed a tuple is the row of its innermost parts, whose shapes know the
 * brackets and names around them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compat/base/strbuf.h"
#include "src/bt/bind/bind.h"
#include "src/bt/show/brackets.h"
#include "src/language/types/types.h"

void bt_make_tuple(struct node *n, struct node *parts)
{
	static const struct bt_shape shape = { .kind = BT_TUPLE };

	n->kind = NODE_CALL;
	n->function = &bt_tuple;
	n->b = parts;
	bt_type_text(n, &shape);
}

int bt_append_part(struct binder *b, struct node ***end, struct node *part, const char *name)
{
	struct node *key = part ? new_node(b, NODE_KEY, part->at) : NULL;

	if (!key)
		return -1;
	key->a = part;
	key->own = (void *)(uintptr_t)name;
	**end = key;
	*end = &key->b;
	return 0;
}

/* How many brackets are around the innermost part. */
static unsigned int depth_of(const struct node *n)
{
	unsigned int most = 0;

	if (!bt_is_tuple_node(n))
		return 0;
	for (const struct node *part = n->b; part; part = part->b) {
		const unsigned int depth = depth_of(part->a);

		most = depth > most ? depth : most;
	}
	return most + 1;
}

static int bind(struct binder *b, struct node **at)
{
	struct node *n = *at;

	for (struct node *part = n->b; part; part = part->b) {
		struct bt_value v = { .node = part->a };

		if (bt_bind_value(b, &v) || bt_widen(b, &v))
			return -1;
		if (v.shape.kind == BT_STACK)
			return WRONG(b, part->a, "a stack is no part of a tuple");
		part->a = v.node;
		if (v.shape.kind == BT_NUMBER && !v.node->type.pointers)
			v.node->type.width = v.shape.number.width;	/* for sizeof */
	}
	bt_make_tuple(n, n->b);
	if (depth_of(n) > BT_KEYS)
		return WRONG(b, n, "this is nested too deeply");
	return 0;
}

const struct function bt_tuple = { .name = "()", .infer = bind, .own = VALUE_TUPLE };

/* ---- one part ---- */

struct node **bt_innermost(struct node *tuple)
{
	struct node **at = &tuple->b->a;

	while (bt_is_tuple_node(*at))
		at = &(*at)->b->a;
	return at;
}

/* *at becomes the tuple's part. What runs before the first part runs before this one too. */
static int pick(struct binder *b, struct node **at, struct node *tuple, const struct node *key)
{
	const struct node *first = *bt_innermost(tuple);
	struct node *found = key->a;

	if (bt_is(first, VALUE_INNER) && key != tuple->b) {
		found = bt_inner_node(b, (*at)->at,
				      first->own, found);
		if (!found || found->function->infer(b, &found))
			return -1;
	}
	*at = found;
	return 0;
}

static int pick_number(struct binder *b, struct node **at, struct node *tuple, uint64_t number)
{
	const struct node *key = tuple->b;

	for (uint64_t i = number; key && i; key = key->b)
		i--;
	return key ? pick(b, at, tuple, key) :
	       WRONG(b, *at, "this tuple has no part %" PRIu64, number);
}

static int pick_name(struct binder *b, struct node **at, struct node *tuple)
{
	const struct node *n = *at, *key = tuple->b;
	char list[200];
	struct strbuf names = strbuf_over(list, sizeof(list));

	for (; key; key = key->b) {
		const char *name = syntax_part_name(key);

		if (!name)
			return WRONG(b, n, "parts of a tuple have numbers: .0, .1");
		if (strlen(name) == n->length && !memcmp(name, name_of(b, n), n->length))
			return pick(b, at, tuple, key);
		strbuf_between(&names, ", ");
		strbuf_addf(&names, "%s", name);
	}
	return WRONG(b, n, "this record has no %.*s; it has %s", n->length, name_of(b, n), list);
}

/* TUPLE.N */
static int part(struct binder *b, struct node **at)
{
	const struct node *n = *at;
	struct bt_shape shape;

	if (bind_node(b, &(*at)->a) || bt_shape_of(b, n->a, &shape))
		return -1;
	if (shape.kind == BT_UNSET) {
		*at = n->a;
		return 0;
	}
	if (!bt_is_tuple_node(n->a))
		return WRONG(b, n, "this is %s, and has no parts", bt_kind_of(&shape));
	return pick_number(b, at, n->a, n->value);
}

const struct function bt_tuple_part = { .name = ".", .infer = part, .own = VALUE_PART };

/* Returns true for what is a tuple, or may become one, and is not bound yet. */
static bool will_be_tuple(struct binder *b, const struct node *n)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const struct bt_map *m;
	int i;

	if (n->kind == NODE_NAME && *name_of(b, n) == '$') {
		i = bt_read(now, name_of(b, n), n->length);
		return bt_is_tuple(now, name_of(b, n), n->length) ||
		       (i >= 0 && now->variables[i].assigned &&
			now->variables[i].shape.kind == BT_UNSET);
	}
	if (!bt_is(n, VALUE_MAP))
		return bt_is(n, VALUE_PART) || bt_is(n, VALUE_TUPLE);
	m = bt_map_of(n);
	return m->value.kind == BT_TUPLE ||
	       (m->value.kind == BT_UNSET && (m->kind == BT_UNKNOWN || m->kind == BT_VALUES));
}

int bt_part_of_record(struct binder *b, struct node **at)
{
	struct node *n = *at, **of = &n->a;
	const bool element = n->kind == NODE_UNARY && n->op == '*' && n->a->kind == NODE_BINARY &&
			     n->a->op == '+';
	struct bt_shape shape;
	int found;

	if (will_be_tuple(b, n))
		return bind_node(b, at) ? -1 : 1;
	if (n->kind != NODE_MEMBER && !element)
		return 0;
	of = element ? &n->a->a : of;
	found = bt_part_of_record(b, of);
	if (found <= 0)
		return found;
	if (bt_shape_of(b, *of, &shape))
		return -1;
	if (shape.kind == BT_UNSET) {	/* the next reading knows what it is */
		*at = *of;
		return 1;
	}
	if (!bt_is_tuple_node(*of))
		return 0;
	if (!element)
		return pick_name(b, at, *of) ? -1 : 1;
	if (bind_node(b, &n->a->b))
		return -1;
	if (n->a->b->kind != NODE_NUMBER)
		return WRONG(b, n, "a part of a tuple has a number that the script tells");
	return pick_number(b, at, *of, n->a->b->value) ? -1 : 1;
}

/* ---- two tuples ---- */

/* Whether two innermost parts are the same; NULL: err is set. */
static struct node *same_part(struct binder *b, const struct bt_value *x, const struct bt_value *y)
{
	struct node *n = new_node(b, NODE_BINARY, x->node->at);
	const bool numbers = x->shape.kind != BT_TEXT;

	if (!n)
		return NULL;
	if (x->shape.kind != y->shape.kind || bt_block_of(&x->shape) || bt_block_of(&y->shape) ||
	    (numbers && x->shape.kind != BT_NUMBER)) {
		WRONG(b, x->node, "%s and %s can't be compared", bt_kind_of(&x->shape),
		      bt_kind_of(&y->shape));
		return NULL;
	}
	n->a = x->node;
	n->b = y->node;
	if (numbers)
		make_binary(n, OP_EQ, n->a, n->b, c_bool());
	return numbers || !bt_make_comparison(b, n, OP_EQ, true, 0) ? n : NULL;
}

int bt_compare_tuples(struct binder *b, struct node *n)
{
	struct bt_value x[BT_KEYS], y[BT_KEYS];
	struct node *all = NULL, *one;
	unsigned int n_x = 0, n_y = 0;

	if (bt_flat(b, n->a, x, &n_x, BT_KEYS) || bt_flat(b, n->b, y, &n_y, BT_KEYS))
		return -1;
	if (n->op != OP_EQ && n->op != OP_NE)
		return WRONG(b, n, "tuples can be compared with == and != only");
	for (unsigned int i = 0; i < n_x; i++) {
		if (n_x != n_y || x[i].shape.before != y[i].shape.before ||
		    x[i].shape.behind != y[i].shape.behind)
			return WRONG(b, n, "these tuples have other parts");
		one = same_part(b, &x[i], &y[i]);
		if (!one)
			return -1;
		all = all ? binary_node(b, n->at, OP_AND, all, one, c_bool()) : one;
	}
	one = number_node(b, n->at, 0, c_bool());
	if (!all || !one)
		return -1;
	/* a == b is (all are the same) != 0 */
	make_binary(n, n->op == OP_EQ ? OP_NE : OP_EQ, all, one, c_bool());
	return 0;
}

/* cond ? x : y for one part or for each of them; NULL: err is set. */
static struct node *chosen(struct binder *b, struct node *cond, struct node *x, struct node *y)
{
	const bool tuple = bt_is_tuple_node(x);
	struct node *n = new_node(b, tuple ? NODE_CALL : NODE_CHOICE, x->at), **end, *one;
	struct node *key, *other;

	if (!n)
		return NULL;
	if (!tuple) {
		n->a = cond;
		n->b = x;
		n->c = y;
		return bt_choose(b, n) ? NULL : n;
	}
	end = &n->b;
	for (key = x->b, other = bt_is_tuple_node(y) ? y->b : NULL;
	     key && other && key->own == other->own; key = key->b, other = other->b) {
		one = chosen(b, cond, key->a, other->a);
		if (!one || bt_append_part(b, &end, one, syntax_part_name(key)))
			return NULL;
	}
	if (key || other || !bt_is_tuple_node(y)) {
		WRONG(b, x, "these tuples have other parts");
		return NULL;
	}
	bt_make_tuple(n, n->b);
	return n;
}

int bt_choose_tuple(struct binder *b, struct node *n)
{
	struct node *tuple = chosen(b, n->a, n->b, n->c);

	if (tuple)
		bt_make_tuple(n, tuple->b);
	return tuple ? 0 : -1;
}

/* ---- parts ---- */

/* Writes what is before and behind a part in brackets. */
static int surround(struct binder *b, struct bt_shape *shape, const char *before,
		    const char *between, const char *behind)
{
	char text[2 * BT_KEYS * BT_NAME];
	int n = snprintf(text, sizeof(text), "%s%s%s", before, between,
			 shape->before ? shape->before : "");

	if (bt_keep_name(bt_of(b->t), &shape->before, text, (size_t)n, b->err))
		return -1;
	n = snprintf(text, sizeof(text), "%s%s", shape->behind ? shape->behind : "", behind);
	return bt_keep_name(bt_of(b->t), &shape->behind, text, (size_t)n, b->err);
}

int bt_flat(struct binder *b, const struct node *tuple, struct bt_value *list, unsigned int *n,
	    unsigned int most)
{
	const unsigned int first = *n;
	const bool record = syntax_part_name(tuple->b);

	for (const struct node *part = tuple->b; part; part = part->b) {
		const char *name = syntax_part_name(part);
		struct bt_value v = { .node = part->a };
		const unsigned int at = *n;

		if (bt_shape_of(b, v.node, &v.shape))
			return -1;
		if (v.shape.kind != BT_TUPLE && *n == most)
			return WRONG(b, tuple, "a tuple has %u parts at most here", most);
		if (v.shape.kind != BT_TUPLE)
			list[(*n)++] = v;
		else if (bt_flat(b, v.node, list, n, most))
			return -1;
		if (name && surround(b, &list[at].shape, name, "=", ""))
			return -1;
	}
	return surround(b, &list[first].shape, record ? "{" : "(", "", "") ||
	       surround(b, &list[*n - 1].shape, "", "", record ? "}" : ")") ? -1 : 0;
}
