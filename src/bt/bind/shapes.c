// SPDX-License-Identifier: GPL-2.0
/* Shapes of values: which kind, how large, how shown; and the types of nodes that keep them. */
#include <assert.h>
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

const char *bt_kind_of(const struct bt_shape *shape)
{
	static const char *const kinds[] = {
		[BT_UNSET] = "unknown", [BT_NUMBER] = "a number", [BT_TEXT] = "a string",
		[BT_PROBE] = "probe", [BT_FUNCTION] = "func", [BT_STACK] = "a stack",
		[BT_TUPLE] = "a tuple", [BT_NOTHING] = "nothing",
	};
	static const char *const blocks[] = {
		[BT_INET] = "ntop()", [BT_MAC] = "macaddr()", [BT_BUFFER] = "buf()",
		[BT_BYTES] = "a struct or an array",
	};

	if (shape->kind == BT_STACK && shape->stack.way == BT_STACK_SYMBOL)
		return "usym()";
	if (shape->kind == BT_STACK && shape->stack.way == BT_STACK_LENGTH)
		return "the length of a stack, known when it is shown";
	if (bt_block_of(shape))
		return blocks[bt_block_of(shape)];
	if (shape->kind != BT_SHOWN)
		return kinds[shape->kind];
	return shape->shown.show == BT_SHOW_USER ? "username" :
	       bt_shown_functions[shape->shown.show].form;
}

/* ---- shapes ---- */

/* func and ksym() are kept together, as func. */
static bool is_function(const struct bt_shape *shape)
{
	return shape->kind == BT_FUNCTION ||
	       (shape->kind == BT_SHOWN && shape->shown.show == BT_SHOW_KSYM);
}

static bool join_functions(struct bt *b, struct bt_shape *to, const struct bt_shape *more)
{
	if (to->kind == BT_FUNCTION)
		return true;
	if (b)
		b->unsettled = true;
	*to = *more;
	return true;
}

/* What has no value yet tells nothing. */
static bool join_unset(struct bt_shape *to, const struct bt_shape *more)
{
	to->size = more->size > to->size ? more->size : to->size;
	if (to->kind == BT_UNSET && !to->before && !to->behind) {
		to->before = more->before;
		to->behind = more->behind;
	}
	return true;
}

/* The halves of two shapes of this kind: may they be one? */
static bool fit(enum bt_shape_kind kind, const struct bt_shape *a, const struct bt_shape *b)
{
	switch (kind) {
	case BT_TEXT:
		return a->text.block == b->text.block && a->text.type == b->text.type;
	case BT_SHOWN:
		return a->shown.show == b->shown.show && a->shown.format == b->shown.format;
	case BT_STACK:
		return bt_same_stack(a, b);
	default:
		return true;
	}
}

/* Returns true if that tells something new. */
static bool join_numbers(struct bt_shape *to, const struct bt_shape *more)
{
	const struct bt_shape old = *to;

	to->number.is_signed |= more->number.is_signed;
	to->number.is_pointer |= more->number.is_pointer;
	to->number.is_bool &= more->number.is_bool;
	if (to->number.enum_id != more->number.enum_id ||
	    to->number.enum_source != more->number.enum_source)
		to->number.enum_id = to->number.enum_source = 0;
	if (to->number.width < more->number.width)
		to->number.width = more->number.width;
	return to->number.is_signed != old.number.is_signed ||
	       to->number.is_pointer != old.number.is_pointer ||
	       to->number.is_bool != old.number.is_bool ||
	       to->number.enum_id != old.number.enum_id || to->number.width != old.number.width;
}

static bool join_texts(struct bt_shape *to, const struct bt_shape *more)
{
	const struct bt_shape old = *to;

	to->text.foreign |= more->text.foreign;
	if (to->text.shown < more->text.shown)
		to->text.shown = more->text.shown;
	if (to->text.exact < more->text.exact)
		to->text.exact = more->text.exact;
	return to->text.foreign != old.text.foreign || to->text.shown != old.text.shown ||
	       to->text.exact != old.text.exact;
}

bool bt_shape_join(struct bt *b, struct bt_shape *to, const struct bt_shape *more)
{
	const struct bt_shape old = *to;
	bool new = to->kind != more->kind;

	if (more->kind == BT_UNSET)
		return join_unset(to, more);
	if (new && is_function(to) && is_function(more))
		return join_functions(b, to, more);
	if (to->kind != BT_UNSET && (new || !fit(more->kind, to, more)))
		return false;
	if (to->kind == BT_UNSET)
		*to = *more;
	if (to->kind == BT_NUMBER && old.kind == BT_UNSET && to->number.width < old.number.width)
		to->number.width = old.number.width;
	to->size = to->size > old.size ? to->size : old.size;
	to->size = to->size > more->size ? to->size : more->size;
	new |= to->size != old.size;
	if (to->kind == BT_NUMBER)
		new |= join_numbers(to, more);
	else if (to->kind == BT_TEXT)
		new |= join_texts(to, more);
	if (b)
		b->unsettled |= new;
	return true;
}

bool bt_same_stack(const struct bt_shape *a, const struct bt_shape *b)
{
	assert(a->kind == BT_STACK && b->kind == BT_STACK);
	return a->stack.user == b->stack.user && a->stack.way == b->stack.way &&
	       a->stack.most == b->stack.most;
}

void bt_type_text(struct node *n, const struct bt_shape *shape)
{
	struct bt_shape text = *shape;

	assert(shape->kind != BT_NUMBER && shape->kind != BT_UNSET);
	text.before = text.behind = NULL;	/* what is around a part of a tuple is no text's */
	n->type = (struct c_type){ .base = C_TEXT, .bytes = shape->size };
	memcpy(n->type.shape, &text, sizeof(text));
}

void bt_type_read(struct node *n, const struct bt_shape *shape, const struct c_type *pointer)
{
	if (shape->kind != BT_NUMBER && shape->kind != BT_UNSET) {
		bt_type_text(n, shape);
		return;
	}
	n->type = c_integer(8, shape->number.is_signed || shape->kind == BT_UNSET);
	n->type.width = shape->number.width;
	if (shape->kind == BT_UNSET)
		return;
	n->type.is_bool = shape->number.is_bool;
	n->type.id = shape->number.enum_id;
	n->type.source = shape->number.enum_source;
	if (pointer->pointers)
		n->type = *pointer;
}

static bool is_text(const struct node *n)
{
	return n->type.base == C_TEXT && !n->type.pointers;
}

static int of_literal(struct binder *b, const struct node *n, struct bt_shape *shape)
{
	const unsigned int size = (n->length + 8U) / 8 * 8;

	if (size > BT_TEXT_MOST)
		return WRONG(b, n, "a string has %d characters at most here", BT_TEXT_MOST - 1);
	*shape = (struct bt_shape){ .kind = BT_TEXT, .size = (uint16_t)size,
				    .text.shown = (uint16_t)size,
				    .text.exact = (uint16_t)(n->length + 1) };
	return 0;
}

/* What has no value yet: maps and variables that only later statements assign to. */
static bool is_unset(struct binder *b, const struct node *n)
{
	const struct bt_probe *now = bt_of(b->t)->now;

	if (n->kind == NODE_CHOICE)
		return is_unset(b, n->b ? n->b : n->a) && is_unset(b, n->c);
	if (bt_is(n, VALUE_INNER))
		return is_unset(b, n->a);
	if (bt_is(n, VALUE_MAP))
		return bt_map_of(n)->value.kind == BT_UNSET;
	return n->kind == NODE_SLOT && now->variables[n->op].shape.kind == BT_UNSET;
}

/* What is read of a variable or map has 64 bits, and the width of what was assigned beside them. */
uint8_t bt_width(const struct node *n, unsigned int word)
{
	/* A negative literal is signed: a bit less is left for its value. */
	const bool below = c_signed(&n->type) && n->value > INT64_MAX;
	const uint64_t value = below ? ~n->value << 1 : n->value;

	if (n->kind == NODE_NUMBER && n->type.size == 8 && !n->type.width)
		return value <= UINT8_MAX ? 1 : value <= UINT16_MAX ? 2 :
		       value <= UINT32_MAX ? 4 : 8;
	return n->type.width ? n->type.width : (uint8_t)c_size(&n->type, word);
}

static void number_shape(struct binder *b, const struct node *n, struct bt_shape *shape)
{
	const struct c_type *t = &n->type;
	const bool plain = !t->pointers && !t->n_dims;

	*shape = (struct bt_shape){
		.kind = is_unset(b, n) ? BT_UNSET : BT_NUMBER, .size = 8,
		.number = { .is_signed = c_signed(t), .is_pointer = t->pointers,
			    .is_bool = t->is_bool && plain && !bt_of(b->t)->old,
			    .width = bt_width(n, b->s->word) },
	};
	if (shape->kind == BT_UNSET || t->base != C_INTEGER || !plain)
		return;
	if (t->id)
		types_stay(b->t->types);
	shape->number.enum_id = t->id;
	shape->number.enum_source = t->source;
}

int bt_shape_of(struct binder *b, struct node *n, struct bt_shape *shape)
{
	const struct c_type *t = &n->type;

	if (n->kind == NODE_TEXT)
		return of_literal(b, n, shape);
	if (t->base == C_VOID && !t->pointers && !t->row)
		*shape = (struct bt_shape){ .kind = BT_NOTHING, .size = 8 };
	else if (is_text(n) && n->kind == NODE_MEMBER)	/* a field that bt_side() has not seen */
		*shape = (struct bt_shape){ .kind = BT_TEXT };
	else if (is_text(n))
		*shape = bt_shape_in(t);
	else
		number_shape(b, n, shape);
	return 0;
}

int bt_takes(struct binder *b, struct c_type *type, const struct node *value, const char *name)
{
	char old[100], new[100];

	if (!value->type.pointers)
		return 0;
	if (!type->pointers) {
		*type = value->type;
		bt_of(b->t)->unsettled = true;
		return 0;
	}
	/* What a pointer to a function points to has a size of its own, and is void too. */
	if (type->pointers == value->type.pointers && type->base == value->type.base &&
	    (type->size == value->type.size || type->base == C_VOID) &&
	    !strcmp(type->tag, value->type.tag))
		return 0;
	c_type_text(type, BT_WORD, old, sizeof(old));
	c_type_text(&value->type, BT_WORD, new, sizeof(new));
	return WRONG(b, value, "%s holds %s, and this is %s: take another name, or a cast", name,
		     old, new);
}
