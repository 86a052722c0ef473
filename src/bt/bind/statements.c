// SPDX-License-Identifier: GPL-2.0
/* Binding statements: conditions, assignments, steps; and blocks of them. */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/language/types/types.h"

/* ---- variables ---- */

/* A number becomes one of the type that `let` gave the variable. */
static int as_declared(struct binder *b, struct bt_value *v, const char *name, size_t length)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const int i = bt_variable(now, name, length);
	const struct c_type *type = i < 0 ? NULL : &now->variables[i].declared;

	if (!type || type->base != C_INTEGER || type->pointers || v->shape.kind != BT_NUMBER)
		return 0;
	return convert(b, &v->node, *type) || bt_shape_of(b, v->node, &v->shape) ? -1 : 0;
}

/*
 * A variable whose one statement, before all that read it, gives it an argument's pointer to a
 * struct is read as that argument: its members are inputs of the probe then, which programs may
 * load themselves, and rings too can have (bind/memory.c).
 */
static void note_argument(const struct bt_probe *now, struct bt_variable *v, const struct node *n)
{
	const struct node *bottom = n;

	while (bottom->kind == NODE_CAST)
		bottom = bottom->a;
	if (v->once && now->when == BT_KERNEL && now->n_scopes == 1 && v->declared.base == C_VOID &&
	    n->type.pointers == 1 && n->type.base == C_STRUCT && bottom->kind == NODE_INPUT &&
	    !now->on->probe.scope.needs.inputs[bottom->value].identity)
		v->is = n;
}

/* Binds the value, and settles what the variable holds. */
static int set_variable(struct binder *b, struct bt_statement **to, const char *name,
			size_t length)
{
	struct bt_statement *s = *to;
	struct bt_probe *now = bt_of(b->t)->now;
	struct bt_value v = { .node = s->set.value };
	int i;

	if (bt_bind_value(b, &v))
		return -1;
	if (v.shape.kind == BT_TUPLE) {
		*to = NULL;
		return bt_set_tuple(b, to, s->at, name, length, v.node);
	}
	if (bt_is_tuple(now, name, length))
		return WRONG_AT(b, s->at, "%.*s is %s here, and a tuple elsewhere", (int)length,
				name, bt_kind_of(&v.shape));
	if (bt_keep(b, &v) || as_declared(b, &v, name, length) || bt_widen(b, &v))
		return -1;
	i = bt_declare(b, name, length, s->at, &v.shape);
	if (i < 0)
		return -1;
	s->set.value = v.node;
	s->set.variable = (unsigned int)i;
	note_argument(now, &now->variables[i], v.node);
	return bt_takes(b, &now->variables[i].pointer, v.node, now->variables[i].name);
}

int bt_set(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	const char *name = from->set.name.text;

	*to = bt_statement(b, BT_SET, from->at);
	return !*to || bt_copy(b, from->set.value, &(*to)->set.value) ? -1 :
	       set_variable(b, to, name, from->set.name.length);
}

/* ---- let ---- */

/* Gives the variable what its type tells. */
static int take_type(struct binder *b, struct bt_variable *v, size_t at, const struct c_type *type)
{
	struct bt_shape shape = {
		.kind = BT_NUMBER, .size = 8,
		.number = { .is_signed = c_signed(type), .is_pointer = type->pointers,
			    .is_bool = type->is_bool && !type->pointers, .width = type->size },
	};

	if (type->base == C_TEXT)
		shape = (struct bt_shape){ .kind = BT_TEXT, .size = 8, .text.shown = 8 };
	else if (!c_number(type))
		return WRONG_AT(b, at, "a variable is declared as a number, a pointer or a string");
	if (!bt_shape_join(bt_of(b->t), &v->shape, &shape))
		return WRONG_AT(b, at, "%s is %s here, and %s elsewhere", v->name,
				bt_kind_of(&shape), bt_kind_of(&v->shape));
	v->declared = *type;
	if (type->pointers)
		v->pointer = *type;
	return 0;
}

/* What a variable has when its block begins again: 0, or an empty text. */
static int clear_again(struct binder *b, struct bt_statement **to, size_t at,
		       unsigned int variable)
{
	const bool text = bt_of(b->t)->now->variables[variable].shape.kind == BT_TEXT;
	struct bt_statement *s = *to = bt_statement(b, BT_SET, at);

	if (!s)
		return -1;
	s->set.variable = variable;
	s->set.value = number_node(b, at, 0, c_integer(8, true));
	return !s->set.value || (text && bt_make_literal(b, s->set.value, "")) ? -1 : 0;
}

/* The value of a variable that `let` declares may still read one of an outer block. */
static int set_new(struct binder *b, struct bt_statement **to, const char *name, size_t length)
{
	struct bt_value v = { .node = (*to)->set.value };

	if (bt_bind_value(b, &v))
		return -1;
	if (v.shape.kind != BT_TUPLE && bt_declare_new(b, name, length, (*to)->at) < 0)
		return -1;
	(*to)->set.value = bt_inner_node(b, (*to)->at, NULL, v.node);
	return (*to)->set.value ? set_variable(b, to, name, length) : -1;
}

/* Variables begin as 0, or as an empty text. */
int bt_let(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	struct bt_probe *now = bt_of(b->t)->now;
	const char *name = from->set.name.text;
	const size_t length = from->set.name.length;
	const bool typed = from->set.type, only = typed || !from->set.value;
	struct c_type type;
	int i = only ? bt_declare_new(b, name, length, from->at) : 0;

	if (i < 0)
		return -1;
	if (typed) {
		type = from->set.type->type;
		if (bind_type(b, &type) || take_type(b, &now->variables[i], from->at, &type))
			return -1;
	}
	if (!from->set.value) {
		now->variables[i].assigned = true;
		return now->n_scopes > 1 ? clear_again(b, to, from->at, (unsigned int)i) : 0;
	}
	*to = bt_statement(b, BT_SET, from->at);
	return !*to || bt_copy(b, from->set.value, &(*to)->set.value) ? -1 :
	       set_new(b, to, name, length);
}

int bt_typeof(struct binder *b, const struct node *n, struct c_type *type)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const struct bt_inputs before = bt_inputs_of(b);
	struct node *copy;

	if (bt_copy(b, n, &copy) || bind_node(b, &copy))
		return -1;
	bt_drop_inputs(b, before);
	*type = copy->type;
	if (copy->kind == NODE_SLOT && now->variables[copy->op].declared.base != C_VOID)
		*type = now->variables[copy->op].declared;
	return 0;
}

/* ---- maps ---- */

int bt_map_gets(struct binder *b, struct bt_statement *s, const struct bt_shape *shape, bool step)
{
	struct bt_map *m = s->entry.map;
	struct bt *bt = bt_of(b->t);

	if (!bt_shape_join(bt, &m->value, shape))
		return WRONG_AT(b, s->at, "a value of %s is %s here, and %s elsewhere", m->name,
				bt_kind_of(shape), bt_kind_of(&m->value));
	bt_map_changes(bt, m);
	if (step && bt->now->when != BT_KERNEL)
		m->stepped_at = s->at;
	return 0;
}

/* What is added to a pointer counts the elements that it points to, as in C. */
static int in_elements(struct binder *b, struct bt_statement *s)
{
	const struct c_type type = c_integer(8, true);
	const struct node pointer = { .at = s->entry.value->at, .type = s->entry.map->pointer };
	struct c_type element;
	unsigned int size;

	if (!pointer.type.pointers)
		return 0;
	if (pointed_type(b, &pointer, &element))
		return -1;
	size = element.base == C_VOID && !element.pointers ? 1 : c_size(&element, b->s->word);
	if (s->entry.value->kind == NODE_NUMBER)
		s->entry.value->value *= size;
	else
		s->entry.value = binary_node(b, s->at, '*', s->entry.value,
				       number_node(b, s->at, size, type), type);
	return s->entry.value ? 0 : -1;
}

static int add_to_map(struct binder *b, struct bt_statement *s, bool minus)
{
	const struct bt_shape number = bt_number_shape(true);

	s->kind = BT_ADD;
	if (minus) {
		struct node *n = new_node(b, NODE_UNARY, s->entry.value->at);

		if (!n)
			return -1;
		n->op = '-';
		n->a = s->entry.value;
		s->entry.value = n;
	}
	if (bt_map_is(b, s->entry.map, BT_VALUES, s->at) || bt_bind_number(b, &s->entry.value) ||
	    in_elements(b, s) || bt_bind_keys(b, s->entry.map, s->entry.keys, s->at))
		return -1;
	return bt_map_gets(b, s, &number, false);
}

/* The value becomes `@map[key] op value`. */
static int operate(struct binder *b, struct bt_statement *s, uint8_t op)
{
	struct node *read = bt_map_read_node(b, s->at, s->entry.map, s->entry.keys),
		    *n = read ? new_node(b, NODE_BINARY, s->at) : NULL;

	if (!n)
		return -1;
	n->op = op;
	n->a = read;
	n->b = s->entry.value;
	s->entry.value = n;
	return 0;
}

static int assign_to_map(struct binder *b, struct bt_statement *s, uint8_t op)
{
	struct bt_value v;

	if (op && operate(b, s, op))
		return -1;
	v.node = s->entry.value;
	if (bt_map_is(b, s->entry.map, BT_VALUES, s->at) || bt_bind_value(b, &v) ||
	    (!op && bt_bind_keys(b, s->entry.map, s->entry.keys, s->at)))
		return -1;
	if (v.shape.kind == BT_TUPLE)
		return bt_store_tuple(b, s, v.node);
	if (bt_keep(b, &v) || bt_widen(b, &v))
		return -1;
	s->entry.value = v.node;
	return bt_map_gets(b, s, &v.shape, op) ? -1 :
	       bt_takes(b, &s->entry.map->pointer, v.node, s->entry.map->name);
}

int bt_store(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	const uint8_t op = from->store.op;
	struct bt_statement *s = *to = bt_statement(b, BT_STORE, from->at);

	if (!s || bt_copy(b, from->store.keys, &s->entry.keys) ||
	    bt_copy(b, from->store.value, &s->entry.value))
		return -1;
	s->entry.map = from->store.map;
	return op == '+' || op == '-' ? add_to_map(b, s, op == '-') : assign_to_map(b, s, op);
}

/* ---- blocks ---- */

int bt_if(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	struct bt_statement *s = *to = bt_statement(b, BT_IF, from->at);
	const struct syntax *otherwise = from->branch.otherwise;

	if (!s || bt_copy_number(b, from->branch.value, &s->branch.value) ||
	    bt_block(b, from->branch.then, &s->branch.then))
		return -1;
	return from->branch.chain ? bt_if(b, otherwise, &s->branch.otherwise) :
	       bt_block(b, otherwise, &s->branch.otherwise);
}

int bt_value_statement(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	struct bt_statement *s = *to = bt_statement(b, BT_VALUE, from->at);
	const unsigned int before = b->s->needs.n_inputs;
	struct bt_shape shape;

	return !s || bt_copy(b, from->value, &s->value) || bind_node(b, &s->value) ||
	       bt_side(b, s->value, before) || bt_shape_of(b, s->value, &shape) ? -1 : 0;
}

int bt_return(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	if (from->value) {
		if (bt_value_statement(b, from, to))
			return -1;
		to = &(*to)->next;
	}
	*to = bt_statement(b, BT_RETURN, from->at);
	return *to ? 0 : -1;
}

int bt_nested(struct binder *b, const struct syntax *from, struct bt_statement **to)
{
	return bt_block(b, from->branch.then, to);
}
