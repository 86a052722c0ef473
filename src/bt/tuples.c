// SPDX-License-Identifier: GPL-2.0
/*
 * Tuples. A variable that holds one is a variable for each part, $t.0 and $t.1.0; in keys and when
 * printed a tuple is the row of its innermost parts, whose shapes know the brackets around them.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/bt/parse.h"
#include "src/lang/functions/functions.h"
#include "src/lang/types/types.h"

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

/* Returns true if (NAME=VALUE is at the token. */
static bool is_record(const struct parser *p)
{
	const struct source *s = &p->t->source;
	struct token name, equals;

	return parser_is(p, '(') && !token_next(s, p->now.at + 1, &name, NULL) &&
	       name.kind == TOKEN_NAME && !strchr("$@", s->text[name.at]) &&
	       !token_next(s, name.at + name.length, &equals, NULL) &&
	       equals.kind == TOKEN_OPERATOR && equals.op == '=';
}

struct node *bt_tuple_read(struct parser *p, bool *is)
{
	struct node *n, **to;

	*is = true;
	if (is_record(p))
		return parser_wrong(p, "records are not in sonde's language yet: take a tuple, "
				    "(VALUE, VALUE), whose parts are $t.0 and $t.1");
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

/* How many brackets are around the innermost part. */
static unsigned int depth_of(const struct node *n)
{
	unsigned int most = 0;

	if (n->kind != NODE_CALL || n->function != &bt_tuple)
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
			v.node->type.align = v.shape.width;	/* for sizeof */
	}
	make_tuple(n, n->b);
	if (depth_of(n) > BT_KEYS)
		return WRONG(b, n, "this is nested too deeply");
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
	const struct bt_variable *found = NULL;

	for (unsigned int k = 0; k < p->n_variables; k++) {
		const struct bt_variable *v = &p->variables[k];

		if (v->assigned && !strncmp(v->name, prefix, n) &&
		    (!v->name[n] || v->name[n] == '.') &&
		    bt_nearness(p, v) > (found ? bt_nearness(p, found) : -1))
			found = v;
	}
	return found;
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

/* ---- values of maps ---- */

int bt_store_tuple(struct parser *p, struct bt_statement *s, const struct node *tuple)
{
	struct binder b = bt_binder(p);
	struct bt_shape whole = { .kind = BT_TUPLE };
	struct bt_value list[BT_KEYS];
	struct bt_map *m = s->map;
	struct node **to = &s->row;
	unsigned int n = 0;

	if (bt_flat(&b, tuple, list, &n, BT_KEYS))
		return -1;
	for (unsigned int i = 0; i < n; i++) {
		const struct bt_shape *shape = &list[i].shape;

		if (m->n_parts && (n != m->n_parts || shape->opens != m->parts[i].opens ||
				   shape->closes != m->parts[i].closes))
			return NOT_AT(p, s->at, "a value of %s has other parts elsewhere", m->name);
		if (!bt_shape_join(bt_of(p->t), &m->parts[i], shape))
			return NOT_AT(p, s->at, "part %u of a value of %s is %s here, and %s "
				      "elsewhere", i + 1, m->name, bt_kind_of(shape),
				      bt_kind_of(&m->parts[i]));
		*to = new_node(&b, NODE_KEY, s->at);
		if (!*to)
			return fail(p->err, "out of memory");
		(*to)->a = list[i].node;
		to = &(*to)->b;
		whole.size = (uint16_t)(whole.size + m->parts[i].size);
	}
	m->n_parts = n;
	if (whole.size > BT_TEXT_MOST)
		return NOT_AT(p, s->at, "the parts of this tuple come to %u bytes, and a value has "
			      "%d at most", whole.size, BT_TEXT_MOST);
	return bt_map_gets(p, s, &whole, false);
}

/* The variable that keeps a copy of what the map's entry at this place of the script has. */
static const struct bt_variable *copy_of(struct parser *p, const struct node *read)
{
	struct bt_probe *now = bt_of(p->t)->now;
	const struct bt_map *m = bt_map_of(read);
	const struct bt_shape bytes = { .kind = BT_TEXT, .size = m->value.size };
	char name[BT_NAME];
	const int n = snprintf(name, sizeof(name), "@%u", read->at),
		  i = bt_declare(p, name, (size_t)n, read->at, &bytes);

	return i < 0 ? NULL : &now->variables[i];
}

/* Appends a part to the list that ends at *end. */
static int append(struct binder *b, struct node ***end, struct node *part)
{
	struct node *key = part ? new_node(b, NODE_KEY, part->at) : NULL;

	if (!key)
		return fail(b->err, "out of memory");
	key->a = part;
	**end = key;
	*end = &key->b;
	return 0;
}

/* Part number i of the copy. */
static struct node *part_of_copy(struct binder *b, const struct bt_statement *copy,
				 const struct bt_map *m, unsigned int i)
{
	static const struct c_type no_pointer;
	const int at = bt_variable_at(bt_of(b->t)->now, copy->variable);
	struct node *n = new_node(b, NODE_SLOT, copy->at);

	if (!n)
		return NULL;
	n->op = (uint8_t)copy->variable;
	n->value = (uint64_t)(int64_t)(at + (int)bt_part_offset(m, i));
	bt_type_read(n, &m->parts[i], &no_pointer);
	return n;
}

/* The tuple of the parts, with its brackets. Returns NULL and sets err on failure. */
static struct node *parts_of_copy(struct binder *b, struct parser *p, struct bt_statement *copy,
				  const struct bt_map *m)
{
	struct node *tuples[BT_KEYS], **ends[BT_KEYS], *part;
	unsigned int depth = 0;

	for (unsigned int i = 0; i < m->n_parts; i++) {
		for (unsigned int k = 0; k < m->parts[i].opens; k++, depth++) {
			tuples[depth] = new_node(b, NODE_CALL, copy->at);
			if (!tuples[depth]) {
				fail(b->err, "out of memory");
				return NULL;
			}
			ends[depth] = &tuples[depth]->b;
			if (depth && append(b, &ends[depth - 1], tuples[depth]))
				return NULL;
		}
		part = part_of_copy(b, copy, m, i);
		part = part && !i ? bt_inner_node(p, copy->at, copy, part) : part;
		if (part && !i)
			part->type = part->a->type;
		if (append(b, &ends[depth - 1], part))
			return NULL;
		for (unsigned int k = 0; k < m->parts[i].closes; k++, depth--)
			make_tuple(tuples[depth - 1], tuples[depth - 1]->b);
	}
	return tuples[0];
}

int bt_read_tuple(struct binder *b, struct node **at)
{
	struct parser p = { .t = b->t, .word = 8, .now = { .at = (*at)->at }, .err = b->err };
	struct bt_statement *copy = bt_statement(&p, BT_SET);
	const struct bt_variable *v = copy ? copy_of(&p, *at) : NULL;
	struct node *tuple;

	if (!v)
		return -1;
	copy->value = *at;
	copy->variable = (unsigned int)(v - bt_of(b->t)->now->variables);
	tuple = parts_of_copy(b, &p, copy, bt_map_of(*at));
	if (tuple)
		*at = tuple;
	return tuple ? 0 : -1;
}

/* ---- one part ---- */

static bool is_tuple(const struct node *n)
{
	return n->kind == NODE_CALL && n->function == &bt_tuple;
}

struct node **bt_innermost(struct node *tuple)
{
	struct node **at = &tuple->b->a;

	while (is_tuple(*at))
		at = &(*at)->b->a;
	return at;
}

/* TUPLE.N. What runs before the tuple's first part runs before this part too. */
static int part(struct binder *b, struct node **at)
{
	struct parser p = { .t = b->t, .word = 8, .now = { .at = (*at)->at }, .err = b->err };
	const struct node *n = *at, *first;
	struct node *key, *found;
	struct bt_shape shape;
	uint64_t i = n->value;

	if (bind_node(b, &(*at)->a) || bt_shape_of(b, n->a, &shape))
		return -1;
	if (shape.kind == BT_UNSET) {
		*at = n->a;
		return 0;
	}
	if (!is_tuple(n->a))
		return WRONG(b, n, "this is %s, and has no parts", bt_kind_of(&shape));
	for (key = n->a->b; key && i; key = key->b)
		i--;
	if (!key)
		return WRONG(b, n, "this tuple has no part %" PRIu64, n->value);
	first = *bt_innermost(n->a);
	found = key->a;
	if (first->kind == NODE_CALL && first->function == &bt_inner && key != n->a->b) {
		found = bt_inner_node(&p, n->at, (struct bt_statement *)(uintptr_t)first->value,
				      found);
		if (!found || bt_inner.infer(b, &found))
			return -1;
	}
	*at = found;
	return 0;
}

static const struct function tuple_part = { .name = ".", .infer = part };

struct node *bt_parts(struct parser *p, struct node *n)
{
	while (n && parser_is(p, '.') && isdigit((unsigned char)parser_text(p)[1])) {
		struct node *outer = parser_node(p, NODE_CALL, p->now.at);
		char *end;

		if (!outer)
			return NULL;
		outer->function = &tuple_part;
		outer->a = n;
		outer->value = strtoul(parser_text(p) + 1, &end, 10);
		if (parser_begin(p, (size_t)(end - p->t->source.text)))
			return NULL;
		n = outer;
	}
	return n;
}

/* ---- two tuples ---- */

/* Whether two innermost parts are the same; NULL: err is set. */
static struct node *same_part(struct binder *b, const struct bt_value *x, const struct bt_value *y)
{
	struct node *n = new_node(b, NODE_BINARY, x->node->at);
	const bool numbers = x->shape.kind != BT_TEXT;

	if (!n) {
		fail(b->err, "out of memory");
		return NULL;
	}
	if (x->shape.kind != y->shape.kind || x->shape.block || y->shape.block ||
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
		if (n_x != n_y || x[i].shape.opens != y[i].shape.opens ||
		    x[i].shape.closes != y[i].shape.closes)
			return WRONG(b, n, "these tuples have other parts");
		one = same_part(b, &x[i], &y[i]);
		if (!one)
			return -1;
		all = all ? binary_node(b, n->at, OP_AND, all, one, c_bool()) : one;
	}
	one = number_node(b, n->at, 0, c_bool());
	if (!all || !one)
		return fail(b->err, "out of memory");
	/* a == b is (all are the same) != 0 */
	make_binary(n, n->op == OP_EQ ? OP_NE : OP_EQ, all, one, c_bool());
	return 0;
}

/* cond ? x : y for one part or for each of them; NULL: err is set. */
static struct node *chosen(struct binder *b, struct node *cond, struct node *x, struct node *y)
{
	const bool tuple = is_tuple(x);
	struct node *n = new_node(b, tuple ? NODE_CALL : NODE_CHOICE, x->at), **end, *one;
	struct node *key, *other;

	if (!n) {
		fail(b->err, "out of memory");
		return NULL;
	}
	if (!tuple) {
		n->a = cond;
		n->b = x;
		n->c = y;
		return bt_choose(b, n) ? NULL : n;
	}
	end = &n->b;
	for (key = x->b, other = is_tuple(y) ? y->b : NULL; key && other; key = key->b,
	     other = other->b) {
		one = chosen(b, cond, key->a, other->a);
		if (!one || append(b, &end, one))
			return NULL;
	}
	if (key || other || !is_tuple(y)) {
		WRONG(b, x, "these tuples have other parts");
		return NULL;
	}
	make_tuple(n, n->b);
	return n;
}

int bt_choose_tuple(struct binder *b, struct node *n)
{
	struct node *tuple = chosen(b, n->a, n->b, n->c);

	if (tuple)
		make_tuple(n, tuple->b);
	return tuple ? 0 : -1;
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
