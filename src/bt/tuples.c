// SPDX-License-Identifier: GPL-2.0
/*
 * Tuples. A variable that holds one is a variable for each part, $t.0 and $t.1.0; in keys and when
 * printed a tuple is the row of its innermost parts, whose shapes know the brackets around them.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/bt/parse.h"
#include "src/lang/functions/functions.h"

/* ---- reading ---- */

/* Returns true if the brackets that begin at the token have a comma. */
static bool has_comma(const struct parser *p)
{
	struct token t = p->now;
	int depth = 0;

	do {
		if (t.kind == TOKEN_OPERATOR && (t.op == '(' || t.op == '['))
			depth++;
		else if (t.kind == TOKEN_OPERATOR && (t.op == ')' || t.op == ']'))
			depth--;
		else if (depth == 1 && t.kind == TOKEN_OPERATOR && t.op == ',')
			return true;
	} while (depth && !token_next(&p->t->source, t.at + t.length, &t, NULL) &&
		 t.kind != TOKEN_END);
	return false;
}

struct node *bt_tuple_read(struct parser *p, bool *is)
{
	struct node *n, **to;

	*is = parser_is(p, '(') && has_comma(p);
	n = *is ? parser_node(p, NODE_CALL, p->now.at) : NULL;
	if (!n)
		return NULL;
	n->function = &bt_tuple;
	to = &n->b;
	do {
		if (parser_step(p))
			return NULL;
		if (parser_is(p, ')') && n->b)
			break;
		*to = parser_node(p, NODE_KEY, p->now.at);
		if (!*to)
			return NULL;
		(*to)->a = parser_expression(p);
		if (!(*to)->a)
			return NULL;
		to = &(*to)->b;
	} while (parser_is(p, ','));
	return parser_expect(p, ')') ? NULL : n;
}

static void make_tuple(struct node *n, struct node *parts)
{
	static const struct bt_shape shape = { .kind = BT_TUPLE };

	n->kind = NODE_CALL;
	n->function = &bt_tuple;
	n->b = parts;
	bt_type_text(n, &shape);
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
	}
	make_tuple(n, n->b);
	return 0;
}

const struct function bt_tuple = { .name = "()", .infer = bind };

/* ---- variables ---- */

/* The variable NAME.I, or the first one NAME.I.J. NULL: there is none. */
static const struct bt_variable *part_named(const struct bt_probe *p, const char *name,
					    unsigned int i)
{
	char prefix[BT_NAME + 16];
	const size_t n = (size_t)snprintf(prefix, sizeof(prefix), "%s.%u", name, i);

	for (unsigned int k = 0; k < p->n_variables; k++) {
		const struct bt_variable *v = &p->variables[k];

		if (v->assigned && !strncmp(v->name, prefix, n) &&
		    (!v->name[n] || v->name[n] == '.'))
			return v;
	}
	return NULL;
}

int bt_tuple_variable(struct binder *b, struct node *n, const char *name)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	struct node *parts = NULL, **to = &parts;
	const struct bt_variable *v;

	for (unsigned int i = 0; (v = part_named(now, name, i)); i++) {
		char text[BT_NAME + 16];
		const size_t length = (size_t)snprintf(text, sizeof(text), "%s.%u", name, i);

		*to = new_node(b, NODE_KEY, n->at);
		if (!*to || !((*to)->a = new_node(b, NODE_CALL, n->at)))
			return fail(b->err, "out of memory");
		if (!v->name[length])
			bt_read_variable(b, (*to)->a, v);
		else if (bt_tuple_variable(b, (*to)->a, text) < 0)
			return -1;
		to = &(*to)->b;
	}
	if (!parts)
		return 0;
	make_tuple(n, parts);
	return 1;
}

bool bt_is_tuple(const struct bt_probe *p, const char *name, size_t length)
{
	char text[BT_NAME];

	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	return part_named(p, text, 0);
}

/* Returns true if the value is made of parts of the variable. */
static bool reads(const struct bt_probe *p, const struct node *n, const char *name, size_t length)
{
	const char *slot = n && n->kind == NODE_SLOT ? p->variables[n->op].name : "";

	if (!n)
		return false;
	if (!strncmp(slot, name, length) && slot[length] == '.')
		return true;
	return reads(p, n->a, name, length) || reads(p, n->b, name, length) ||
	       reads(p, n->c, name, length);
}

static int set_parts(struct parser *p, struct bt_statement **to, size_t at, const char *name,
		     const struct node *tuple)
{
	char text[2 * BT_NAME];
	const struct bt_probe *now = bt_of(p->t)->now;
	const bool known = part_named(now, name, 0);
	struct binder b = bt_binder(p);
	unsigned int i = 0;

	for (const struct node *part = tuple->b; part; part = part->b, i++) {
		const int n = snprintf(text, sizeof(text), "%s.%u", name, i);
		const struct bt_variable *before = part_named(now, name, i);
		struct bt_shape shape;
		int variable;

		if (bt_shape_of(&b, part->a, &shape))
			return -1;
		if (known && (!before || !before->name[n] != (shape.kind != BT_TUPLE)))
			return NOT_AT(p, at, "%s has other parts elsewhere", name);
		if (shape.kind == BT_TUPLE) {
			if (n >= BT_NAME)
				return NOT_AT(p, at, "this is nested too deeply");
			if (set_parts(p, to, at, text, part->a))
				return -1;
		} else {
			*to = bt_statement(p, BT_SET);
			variable = bt_declare(p, text, (size_t)n, at, &shape);
			if (!*to || variable < 0)
				return -1;
			(*to)->at = at;
			(*to)->value = part->a;
			(*to)->variable = (unsigned int)variable;
			if (bt_takes(p, &bt_of(p->t)->now->variables[variable].pointer, part->a,
				     text))
				return -1;
		}
		while (*to)
			to = &(*to)->next;
	}
	return part_named(now, name, i) ? NOT_AT(p, at, "%s has other parts elsewhere", name) : 0;
}

int bt_is_whole(struct parser *p, const char *name, size_t length, size_t at)
{
	return !memchr(name, '.', length) ? 0 :
	       NOT_AT(p, at, "parts of a tuple get no values of their own: assign the whole tuple");
}

int bt_set_tuple(struct parser *p, struct bt_statement **to, size_t at, const char *name,
		 size_t length, const struct node *tuple)
{
	const struct bt_probe *now = bt_of(p->t)->now;
	const int whole = bt_variable(now, name, length);
	char text[BT_NAME];

	if (length >= BT_NAME - 4)
		return NOT_AT(p, at, "names of tuples have %d letters at most", BT_NAME - 6);
	if (whole >= 0 && now->variables[whole].shape.kind != BT_UNSET)
		return NOT_AT(p, at, "%.*s is a tuple here, and %s elsewhere", (int)length, name,
			      bt_kind_of(&now->variables[whole].shape));
	if (reads(now, tuple, name, length))
		return NOT_AT(p, at, "a tuple is not made of its own parts: keep them in variables "
			      "before");
	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	return set_parts(p, to, at, text, tuple);
}

/* ---- parts ---- */

int bt_flat(struct binder *b, const struct node *tuple, struct bt_value *list, unsigned int *n,
	    unsigned int most)
{
	const unsigned int first = *n;

	for (const struct node *part = tuple->b; part; part = part->b) {
		struct bt_value v = { .node = part->a };

		if (bt_shape_of(b, v.node, &v.shape))
			return -1;
		if (v.shape.kind == BT_TUPLE) {
			if (bt_flat(b, v.node, list, n, most))
				return -1;
			continue;
		}
		if (*n == most)
			return WRONG(b, tuple, "a tuple has %u parts at most here", most);
		list[(*n)++] = v;
	}
	list[first].shape.opens++;
	list[*n - 1].shape.closes++;
	return 0;
}
