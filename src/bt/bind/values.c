// SPDX-License-Identifier: GPL-2.0
/* Values: numbers, texts, names of probes. */
#include <stdlib.h>
#include <string.h>

#include "compat/base/text.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

static unsigned int rounded(unsigned int n)
{
	return (n + 7) / 8 * 8;
}

int bt_keep(struct binder *b, const struct bt_value *v)
{
	return v->shape.kind != BT_TUPLE ? 0 :
	       WRONG(b, v->node, "a tuple is kept in a variable, and can be a key, not the value "
		     "of a map");
}

static bool is_text(const struct node *n)
{
	return n->type.base == C_TEXT && !n->type.pointers;
}

/* A text of the event or of memory. One byte more than is shown tells that it was cut. */
static void make_text(struct binder *b, struct node *n, const struct text_node *text)
{
	const unsigned int most = b->s->text_size,
			   bytes = text->way == TEXT_BYTES ? b->s->needs.inputs[text->input].size :
				   text->limit ? text->limit + 1U : most + 2;
	const bool whole = bytes <= most;
	const struct bt_shape shape = {
		.kind = BT_TEXT, .size = (uint16_t)rounded(whole ? bytes : most + 2),
		.text = {
			.foreign = true, .shown = (uint16_t)(whole ? rounded(bytes) : most),
			/* The letters of an array end without a NUL. */
			.exact = (uint16_t)(!whole ? most : text->way == TEXT_BYTES ||
					    !text->limit ? bytes : text->limit),
		},
	};

	n->kind = NODE_CALL;
	n->function = &bt_text;
	n->a = n->b = NULL;
	n->faults = text->way != TEXT_BYTES;
	text_to_call(n, text);
	bt_type_text(n, &shape);
}

/* Events of sonde's own read the kernel's memory only. */
static int may_read(struct binder *b, const struct node *n)
{
	return bt_of(b->t)->now->when == BT_KERNEL || !n->type.user ? 0 :
	       WRONG(b, n, "BEGIN, END, interval and iter have no memory of a program to read: "
		     "they are sonde's own");
}

/* An array of letters, bound: the node's address goes to a node of its own. */
static int make_array_text(struct binder *b, struct node *n, unsigned int before)
{
	struct node *array = new_node(b, NODE_CALL, n->at), *next;
	struct text_node text = { };

	if (!array)
		return -1;
	next = array->next;
	*array = *n;
	array->next = next;
	if (may_read(b, n) || memory_text(b, array, before, &text))
		return -1;
	make_text(b, n, &text);
	return 0;
}

int bt_side(struct binder *b, struct node *n, unsigned int before)
{
	const struct c_type *t = &n->type;
	struct text_node text = { };

	/* Only its type is asked for, so that it may be larger than what is kept. */
	if (bt_of(b->t)->measures && bt_is_aggregate(t))
		return 0;
	if (t->is_char && c_array(t) && t->n_dims == 1 && !t->pointers)
		return make_array_text(b, n, before);
	if (bt_is_bytes(t))
		return bt_make_bytes(b, n);
	if (!is_text(n) || n->kind != NODE_MEMBER)
		return 0;
	if (field_text(b, n, &text))
		return -1;
	make_text(b, n, &text);
	return 0;
}

/* ---- names ---- */

int bt_bind_comm(struct binder *b, struct node *n)
{
	const struct lang_input in = { "comm", "comm", "", true, false, true, BT_COMM };
	const int number = binder_input(b, n, in);

	if (number < 0)
		return -1;
	make_text(b, n, &(struct text_node){ .input = (uint8_t)number, .way = TEXT_BYTES });
	return 1;
}

int bt_bind_task_name(struct binder *b, struct node *n, const char *fetch)
{
	struct lang_input in = { .type = ":string" };
	int number;

	text_all(in.fetch, sizeof(in.fetch), "%s", fetch);
	note_bpf(b, n, "only BPF programs are told the task's struct");
	number = binder_input(b, n, in);
	if (number < 0)
		return -1;
	make_text(b, n, &(struct text_node){ .input = (uint8_t)number, .limit = BT_COMM,
					     .way = TEXT_INPUT });
	return 0;
}

/* probe and func: the number of the name. Without a function `func` shows nothing. */
int bt_bind_probe(struct binder *b, struct node *n, enum bt_shape_kind kind)
{
	const struct bt_shape shape = { .kind = (uint8_t)kind, .size = 8 };
	const struct lang_input in = { "function", "function", "", true, false, false, 0 };
	const struct bt_probe *p = bt_of(b->t)->now;
	const struct c_type type = c_integer(8, false);
	const uint64_t from = p->first_name + (kind == BT_FUNCTION ? BT_FUNCTIONS : 0);
	struct node *input, *first;
	int number;

	if (kind == BT_FUNCTION &&
	    (p->when != BT_KERNEL || p->frequency || b->s->event.tracepoint || b->s->event.usdt ||
	     b->s->event.walked || p->on->probe.raw))
		return WRONG(b, n, "only probes of functions have func; probe is the probe's name");
	if (p->n_names == 1) {
		make_number(n, from, type);
		bt_type_text(n, &shape);
		return 0;
	}
	number = binder_input(b, n, in);
	input = new_node(b, NODE_INPUT, n->at);
	first = number_node(b, n->at, from, type);
	if (number < 0)
		return -1;
	if (!input || !first)
		return -1;
	input->value = (uint64_t)number;
	input->type = type;
	make_binary(n, '+', input, first, type);
	bt_type_text(n, &shape);
	return 0;
}

/* ---- binding ---- */

int bt_bind_value(struct binder *b, struct bt_value *v)
{
	const unsigned int before = b->s->needs.n_inputs;

	if ((v->node->kind == NODE_NAME && (is_name(b, v->node, "kstack") ||
					    is_name(b, v->node, "ustack"))) ||
	    (v->node->kind == NODE_CALL && v->node->function == bt_symbol_functions))
		return bt_of_stack(b, v);
	if (bind_node(b, &v->node) || bt_side(b, v->node, before) ||
	    bt_shape_of(b, v->node, &v->shape))
		return -1;
	if (bt_of(b->t)->measures && bt_is_aggregate(&v->node->type)) {
		v->shape = (struct bt_shape){ .kind = BT_TEXT, .size = v->shape.size };
		return 0;
	}
	if (v->shape.kind == BT_NOTHING)
		return WRONG(b, v->node, "this is a statement, and has no value");
	if (v->shape.kind != BT_NUMBER)
		return 0;
	return want_number(b, v->node);
}

int bt_bind_text(struct binder *b, struct node **at)
{
	struct bt_value v = { .node = *at };

	if (bt_bind_value(b, &v))
		return -1;
	if (v.shape.kind != BT_UNSET && (v.shape.kind != BT_TEXT || v.shape.text.block))
		return WRONG(b, v.node, "this is %s, and a string belongs here",
			     bt_kind_of(&v.shape));
	*at = v.node;
	return 0;
}

int bt_widen(struct binder *b, struct bt_value *v)
{
	if (v->shape.kind != BT_NUMBER || v->node->type.pointers)
		return 0;
	if (convert(b, &v->node, c_integer(8, v->shape.number.is_signed)))
		return -1;
	/* It is still one of an enum, or true or false. */
	v->node->type.is_bool = v->shape.number.is_bool;
	v->node->type.id = v->shape.number.enum_id;
	v->node->type.source = v->shape.number.enum_source;
	return 0;
}

int bt_bind_number(struct binder *b, struct node **n)
{
	struct bt_value v = { .node = *n };

	if (bt_bind_value(b, &v))
		return -1;
	if (v.shape.kind != BT_NUMBER && v.shape.kind != BT_UNSET)
		return WRONG(b, v.node, "this is %s, and a number belongs here",
			     bt_kind_of(&v.shape));
	if (bt_widen(b, &v))
		return -1;
	*n = v.node;
	return 0;
}

int bt_copy_number(struct binder *b, const struct node *n, struct node **to)
{
	return bt_copy(b, n, to) || bt_bind_number(b, to) ? -1 : 0;
}

/* ---- functions ---- */

/*
 * The length that is asked for, with the NUL: a known one limits what is read. bpftrace's texts of
 * such a length have a byte more (`exact`).
 */
static int limit_text(struct binder *b, struct node **length, struct text_node *text,
		      unsigned int *exact)
{
	if (bind_node(b, length) || want_number(b, *length) ||
	    convert(b, length, c_integer(8, true)))
		return -1;
	if ((*length)->kind != NODE_NUMBER)
		return 0;
	if ((int64_t)(*length)->value < 0)
		return WRONG(b, *length, "a length is never below 0");
	if ((*length)->value < b->s->text_size)
		*exact = (unsigned int)(*length)->value + 1;
	if ((*length)->value <= b->s->text_size &&
	    (!text->limit || text->limit >= (*length)->value))
		text->limit = (uint16_t)((*length)->value - 1);
	*length = NULL;
	return 0;
}

/* The first letters of a literal, so that with a NUL they are as many as the number says. */
static int shorter(struct binder *b, struct node **at)
{
	struct node *literal = (*at)->a, *length = (*at)->b;

	if (bind_node(b, &length) || want_number(b, length))
		return -1;
	if (length->kind != NODE_NUMBER)
		return WRONG(b, length, "of a string in quotes str() takes a length that the "
			     "script tells");
	if (length->value && length->value - 1 < literal->length)
		literal->length = (uint16_t)(length->value - 1);
	literal->text[literal->length] = '\0';
	*at = literal;
	return 0;
}

/* $1 + NUMBER within str(): the parameter's letters from there on. */
static bool is_behind(const struct node *n)
{
	return n->kind == NODE_BINARY && n->op == '+' && n->a->kind == NODE_TEXT &&
	       n->b->kind == NODE_NUMBER;
}

static int behind(struct binder *b, struct node **at)
{
	const struct node *sum = (*at)->a;
	struct node *literal = sum->a;
	const uint64_t by = sum->b->value;

	if (by > literal->length)
		return WRONG(b, sum, "this string has %u characters", literal->length);
	memmove(literal->text, literal->text + by, literal->length - by + 1);
	literal->length = (uint16_t)(literal->length - by);
	*at = literal;
	return 0;
}

/* str(ADDRESS, LENGTH); of a literal the literal. */
static int str(struct binder *b, struct node **at)
{
	struct node *n = *at, *length = n->b;
	struct bt_shape shape;
	struct text_node text;
	unsigned int exact = b->s->text_size;

	if (n->a->kind == NODE_TEXT && length)
		return shorter(b, at);
	if (n->a->kind == NODE_TEXT && !length) {
		*at = n->a;
		return 0;
	}
	if (is_behind(n->a) && !length)
		return behind(b, at);
	if (bind_text(b->t, b->s, n->a, &text, b->err) || may_read(b, n->a) ||
	    (length && limit_text(b, &length, &text, &exact)))
		return -1;
	/* Of a length of 1 there is the NUL alone. */
	if (exact <= 2)
		return bt_make_literal(b, n, "");
	make_text(b, n, &text);
	shape = bt_shape_in(&n->type);
	shape.text.exact = (uint16_t)exact;
	bt_type_text(n, &shape);
	n->b = length;
	return 0;
}

const struct function bt_text = {
	.name = "str", .infer = bt_bound, .text = bt_emit_event_text, .own = VALUE_MEMORY_TEXT,
};

const struct function bt_str_functions[] = {
	{ "str", "str(ADDRESS, LENGTH)", { ARGUMENT_VALUE, ARGUMENT_VALUE }, str, NULL,
	  .least = 1 },
	{ }
};
