// SPDX-License-Identifier: GPL-2.0
/* Values that keys keep and orders show: numbers, texts, names of probes. */
#include <string.h>

#include "src/bt/parse.h"
#include "src/lang/functions/functions.h"
#include "src/lang/types/types.h"

static unsigned int rounded(unsigned int n)
{
	return (n + 7) / 8 * 8;
}

static int of_literal(struct binder *b, struct bt_value *v)
{
	if (v->node->length > 200)
		return WRONG(b, v->node, "a text has 200 letters at most here");
	v->is_literal = true;
	v->shape = (struct bt_shape){ .kind = BT_TEXT,
				      .size = (uint16_t)rounded(v->node->length + 1U) };
	return 0;
}

static int of_comm(struct binder *b, struct bt_value *v)
{
	const struct lang_input in = { "comm", "comm", "", true, false, true, BT_COMM };
	const int number = binder_input(b, v->node, in);

	if (number < 0)
		return -1;
	v->text = (struct text_node){ .input = (uint8_t)number, .way = TEXT_BYTES };
	v->shape = (struct bt_shape){ .kind = BT_TEXT, .size = BT_COMM };
	return 0;
}

static int may_read(struct binder *b, const struct node *n)
{
	return bt_of(b->t)->now->when == BT_KERNEL ? 0 :
	       WRONG(b, n, "BEGIN, END and interval have no memory to read: they are sonde's own");
}

/* An array of letters, bound. */
static int of_memory(struct binder *b, struct bt_value *v, unsigned int before)
{
	const unsigned int size = b->s->text_size;

	v->shape = (struct bt_shape){ .kind = BT_TEXT, .size = (uint16_t)rounded(size + 2) };
	return may_read(b, v->node) || memory_text(b, v->node, before, &v->text) ? -1 : 0;
}

static int of_text(struct binder *b, struct bt_value *v, struct node *text)
{
	const unsigned int size = b->s->text_size;

	if (text->kind == NODE_TEXT) {
		v->node = text;
		return of_literal(b, v);
	}
	if (may_read(b, text))
		return -1;
	if (bind_text(b->t, b->s, text, &v->text, b->err))
		return -1;
	v->shape = (struct bt_shape){ .kind = BT_TEXT, .size = (uint16_t)rounded(size + 2) };
	return 0;
}

/* probe and func: the number of the name. Without a function `func` shows nothing. */
static int of_probe(struct binder *b, struct bt_value *v, enum bt_shape_kind kind)
{
	const struct lang_input in = { "function", "function", "", true, false, false, 0 };
	const struct bt_probe *p = bt_of(b->t)->now;
	const struct c_type type = c_integer(8, false);
	struct node *n = v->node, *input, *first;
	int number;

	v->shape = (struct bt_shape){ .kind = (uint8_t)kind, .size = 8 };
	if (kind == BT_FUNCTION && (p->when != BT_KERNEL || p->frequency || b->s->tracepoint))
		return WRONG(b, n, "only probes of functions have func; probe is the probe's name");
	if (p->n_names == 1) {
		make_number(n, p->first_name, type);
		return 0;
	}
	number = binder_input(b, n, in);
	input = new_node(b, NODE_INPUT, n->at);
	first = number_node(b, n->at, p->first_name, type);
	if (number < 0)
		return -1;
	if (!input || !first)
		return fail(b->err, "out of memory");
	input->value = (uint64_t)number;
	input->type = type;
	make_binary(n, '+', input, first, type);
	return 0;
}

/* A field of the tracepoint that is a text needs no str(). */
static int of_number(struct binder *b, struct bt_value *v)
{
	const unsigned int before = b->s->n_inputs;
	const struct c_type *t;

	if (bind_node(b, &v->node))
		return -1;
	t = &v->node->type;
	if (t->base == C_TEXT && !t->pointers) {
		v->shape = (struct bt_shape){ .kind = BT_TEXT,
					      .size = (uint16_t)rounded(b->s->text_size + 2) };
		return field_text(b, v->node, &v->text);
	}
	if (t->is_char && c_array(t) && t->n_dims == 1 && !t->pointers)
		return of_memory(b, v, before);
	if (c_array(t))
		return WRONG(b, v->node, "this is an array: str() makes a text of it");
	if (want_number(b, v->node))
		return -1;
	v->shape = (struct bt_shape){ .kind = BT_NUMBER, .size = 8, .is_signed = c_signed(t),
				      .is_pointer = t->pointers };
	return 0;
}

static bool is_str(const struct node *n)
{
	return n->kind == NODE_CALL && !strcmp(n->function->name, "str");
}

int bt_bind_value(struct binder *b, struct bt_value *v)
{
	struct node *n = v->node;

	if (n->kind == NODE_TEXT)
		return of_literal(b, v);
	if (is_str(n))
		return of_text(b, v, n->a);
	if (n->kind == NODE_NAME && is_name(b, n, "comm"))
		return of_comm(b, v);
	if (n->kind == NODE_NAME && (is_name(b, n, "kstack") || is_name(b, n, "ustack")))
		return bt_of_stack(b, v);
	if (n->kind == NODE_NAME && is_name(b, n, "probe"))
		return of_probe(b, v, BT_PROBE);
	if (n->kind == NODE_NAME && is_name(b, n, "func"))
		return of_probe(b, v, BT_FUNCTION);
	return of_number(b, v);
}

int bt_bind_number(struct parser *p, struct node **n)
{
	struct binder binder = bt_binder(p);
	struct bt_value v = { .node = *n };
	struct c_type type;

	if (bt_bind_value(&binder, &v))
		return -1;
	if (v.shape.kind != BT_NUMBER)
		return source_error(&p->t->source, (*n)->at, p->err, "this is a text: variables "
				    "and maps hold numbers, and keys of maps may be texts");
	*n = v.node;
	type = c_integer(8, c_signed(&v.node->type));
	type.pointers = 0;
	return v.node->type.pointers ? 0 : convert(&binder, n, type);
}

int bt_takes(struct parser *p, struct c_type *type, const struct node *value, const char *name)
{
	char old[100], new[100];

	if (!value->type.pointers)
		return 0;
	if (!type->pointers) {
		*type = value->type;
		return 0;
	}
	if (type->pointers == value->type.pointers && type->base == value->type.base &&
	    type->size == value->type.size && !strcmp(type->tag, value->type.tag))
		return 0;
	c_type_text(type, p->word, old, sizeof(old));
	c_type_text(&value->type, p->word, new, sizeof(new));
	return NOT_AT(p, value->at, "%s holds %s, and this is %s: take another name, or a cast",
		      name, old, new);
}

/* ---- functions ---- */

/* str() anywhere but where a text belongs. */
static int str(struct binder *b, struct node **at)
{
	return WRONG(b, *at, "str() is a text: print it with %%s, compare it with == \"...\", or "
		     "take it as the key of a map");
}

static const struct function texts[] = {
	{ "str", "str(ADDRESS)", { ARGUMENT_VALUE }, str, NULL },
	{ }
};

const struct function *const bt_functions[] = { texts, size_functions, NULL };
