// SPDX-License-Identifier: GPL-2.0
/* Shapes of values: which kind, how large, how shown; and the types of nodes that keep them. */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

const char *bt_kind_of(const struct bt_shape *shape)
{
	static const char *const kinds[] = {
		[BT_UNSET] = "unknown", [BT_NUMBER] = "a number", [BT_TEXT] = "a text",
		[BT_PROBE] = "probe", [BT_FUNCTION] = "func", [BT_STACK] = "a stack",
		[BT_TUPLE] = "a tuple", [BT_NOTHING] = "nothing",
	};
	static const char *const blocks[] = {
		[BT_INET] = "ntop()", [BT_MAC] = "macaddr()", [BT_BUFFER] = "buf()",
		[BT_BYTES] = "a struct or an array",
	};

	if (shape->kind == BT_STACK && shape->way == BT_STACK_SYMBOL)
		return "usym()";
	if (shape->kind == BT_STACK && shape->way == BT_STACK_LENGTH)
		return "the length of a stack, known when it is shown";
	if (shape->kind == BT_TEXT && shape->block)
		return blocks[shape->block];
	if (shape->kind != BT_SHOWN)
		return kinds[shape->kind];
	return shape->show == BT_SHOW_USER ? "username" : bt_shown_functions[shape->show].form;
}

/* ---- shapes ---- */

/* func and ksym() are kept together, as func. */
static bool is_function(const struct bt_shape *shape)
{
	return shape->kind == BT_FUNCTION ||
	       (shape->kind == BT_SHOWN && shape->show == BT_SHOW_KSYM);
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

bool bt_shape_join(struct bt *b, struct bt_shape *to, const struct bt_shape *more)
{
	struct bt_shape new = to->kind == BT_UNSET ? *more : *to;

	if (more->kind == BT_UNSET) {	/* which tells nothing */
		to->size = more->size > to->size ? more->size : to->size;
		if (to->kind == BT_UNSET && !to->before && !to->behind) {
			to->before = more->before;
			to->behind = more->behind;
		}
		return true;
	}
	if (to->kind != more->kind && is_function(to) && is_function(more))
		return join_functions(b, to, more);
	if (to->kind != BT_UNSET &&
	    (to->kind != more->kind || to->block != more->block || to->show != more->show ||
	     to->format != more->format ||
	     (to->kind == BT_STACK && !bt_same_stack(to, more))))
		return false;
	new.is_signed |= more->is_signed;
	new.is_pointer |= more->is_pointer;
	new.is_bool &= more->is_bool;
	new.foreign |= more->foreign;
	if (new.enum_id != more->enum_id || new.enum_source != more->enum_source)
		new.enum_id = new.enum_source = 0;
	new.width = to->width > more->width ? to->width : more->width;
	new.size = to->size > more->size ? to->size : more->size;
	new.shown = to->shown > more->shown ? to->shown : more->shown;
	new.exact = to->exact > more->exact ? to->exact : more->exact;
	if (b)
		b->unsettled |= new.kind != to->kind || new.is_signed != to->is_signed ||
				new.is_pointer != to->is_pointer || new.is_bool != to->is_bool ||
				new.enum_id != to->enum_id ||
				new.foreign != to->foreign || new.width != to->width ||
				new.size != to->size || new.shown != to->shown ||
				new.exact != to->exact;
	*to = new;
	return true;
}

bool bt_same_stack(const struct bt_shape *a, const struct bt_shape *b)
{
	return a->user == b->user && a->way == b->way && a->most == b->most;
}

void bt_type_text(struct node *n, const struct bt_shape *shape)
{
	/* What is of numbers only, and what is around a part of a tuple, are no text's. */
	const struct bt_shape text = {
		.kind = shape->kind, .size = shape->size, .shown = shape->shown,
		.exact = shape->exact, .foreign = shape->foreign, .show = shape->show,
		.format = shape->format, .block = shape->block, .user = shape->user,
		.way = shape->way, .most = shape->most,
	};

	n->type = (struct c_type){ .base = C_TEXT, .bytes = shape->size };
	memcpy(n->type.shape, &text, sizeof(text));
}

void bt_type_read(struct node *n, const struct bt_shape *shape, const struct c_type *pointer)
{
	n->type = c_integer(8, shape->is_signed || shape->kind == BT_UNSET);
	n->type.width = shape->width;
	n->type.is_bool = shape->is_bool && shape->kind == BT_NUMBER;
	n->type.id = shape->kind == BT_NUMBER ? shape->enum_id : 0;
	n->type.source = shape->kind == BT_NUMBER ? shape->enum_source : 0;
	if (shape->kind == BT_NUMBER && pointer->pointers)
		n->type = *pointer;
	else if (shape->kind != BT_NUMBER && shape->kind != BT_UNSET)
		bt_type_text(n, shape);
}

static bool is_text(const struct node *n)
{
	return n->type.base == C_TEXT && !n->type.pointers;
}

static int of_literal(struct binder *b, const struct node *n, struct bt_shape *shape)
{
	const unsigned int size = (n->length + 8U) / 8 * 8;

	if (size > BT_TEXT_MOST)
		return WRONG(b, n, "a text has %d letters at most here", BT_TEXT_MOST - 1);
	*shape = (struct bt_shape){ .kind = BT_TEXT, .size = (uint16_t)size,
				    .shown = (uint16_t)size, .exact = (uint16_t)(n->length + 1) };
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
		*shape = (struct bt_shape){ .kind = is_unset(b, n) ? BT_UNSET : BT_NUMBER,
					    .size = 8, .is_signed = c_signed(t),
					    .width = bt_width(n, b->s->word),
					    .is_bool = t->is_bool && !t->pointers &&
						       !t->n_dims && !bt_of(b->t)->old,
					    .is_pointer = t->pointers };
	if (shape->kind == BT_NUMBER && t->base == C_INTEGER && !t->pointers && !t->n_dims) {
		if (t->id)
			types_stay(b->t->types);
		shape->enum_id = t->id;
		shape->enum_source = t->source;
	}
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
