// SPDX-License-Identifier: GPL-2.0
/*
 * Structs and arrays as values: blocks of bytes with a type of C, which variables, maps and keys
 * keep as they keep texts. Members and elements of those that are kept are read out of the bytes.
 */
#include <string.h>

#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/members.h"
#include "src/language/types/types.h"

static bool is_struct(const struct c_type *t)
{
	return t->base == C_STRUCT && !t->pointers && !t->row && !t->n_dims;
}

bool bt_is_aggregate(const struct c_type *t)
{
	return c_array(t) || is_struct(t);
}

bool bt_is_bytes(const struct c_type *t)
{
	return bt_is_aggregate(t) && !(t->is_char && t->n_dims == 1 && !t->pointers);
}

/* ---- types ---- */

static bool same_type(const struct c_type *a, const struct c_type *b)
{
	return a->base == b->base && a->size == b->size && a->is_signed == b->is_signed &&
	       a->is_bool == b->is_bool && a->is_char == b->is_char &&
	       a->pointers == b->pointers && a->n_dims == b->n_dims && a->id == b->id &&
	       a->source == b->source && a->bytes == b->bytes &&
	       !memcmp(a->dims, b->dims, sizeof(a->dims));
}

/* The number of the type among those that are kept; -1: err is set. */
static int number_of(struct binder *b, const struct node *n, const struct c_type *type)
{
	struct bt *bt = bt_of(b->t);
	unsigned int i = 0;

	while (i < bt->n_types && !same_type(&bt->types[i], type))
		i++;
	if (i == BT_TYPES)
		return WRONG(b, n, "a script keeps structs and arrays of %d types at most",
			     BT_TYPES);
	types_stay(b->t->types);
	bt->types[i] = *type;
	bt->n_types += i == bt->n_types;
	return (int)i;
}

/* Gives n the type of the bytes. */
static int type_bytes(struct binder *b, struct node *n, const struct c_type *type)
{
	const unsigned int size = c_size(type, b->s->word);
	const int number = number_of(b, n, type);
	struct bt_shape shape = { .kind = BT_TEXT, .text.block = BT_BYTES };

	if (number < 0)
		return -1;
	if (!size || size > BT_TEXT_MOST)
		return WRONG(b, n, "this has %u bytes, and a value has from 1 to %d: take a member",
			     size, BT_TEXT_MOST);
	shape.size = shape.text.shown = (uint16_t)((size + 7) / 8 * 8);
	shape.text.type = (uint8_t)number;
	bt_type_text(n, &shape);
	return 0;
}

int bt_make_bytes(struct binder *b, struct node *n)
{
	struct node *place = new_node(b, NODE_CALL, n->at), *next;
	struct c_type type = n->type;
	struct error why;

	if (!place)
		return -1;
	if (bt_of(b->t)->now->when != BT_KERNEL)
		return WRONG(b, n, "BEGIN, END, interval and iter have no memory to read: they are "
			     "sonde's own");
	if (types_complete(b->t->types, &type, b->s->user_space && !type.kernel, &why))
		return CAUSE(b, n, &why);
	if (type.base == C_STRUCT && !type.pointers && !types_has_members(&type))
		return WRONG(b, n, "all members of struct %s are not known: declare it in the "
			     "script", type.tag);
	next = place->next;
	*place = *n;
	place->next = next;
	bt_make_call(n, &bt_block_function, 0);
	if (type_bytes(b, n, &type))
		return -1;
	return bind_parts(b, place, c_size(&type, b->s->word), &n->b);
}

/* Makes n a block of these bytes, with this type. */
static int make_constants(struct binder *b, struct node *n, const struct c_type *type,
			  const void *bytes, unsigned int size)
{
	struct node **end = &n->b;

	bt_make_call(n, &bt_block_function, 0);
	for (unsigned int i = 0; i < size; i++)
		if (bt_append_bytes(b, &end, number_node(b, n->at, ((const uint8_t *)bytes)[i],
							 c_integer(1, false)), 1))
			return -1;
	return type_bytes(b, n, type);
}

int bt_make_array(struct binder *b, struct node *n, const uint8_t *bytes, unsigned int size)
{
	struct c_type type = c_integer(1, false);

	type.n_dims = 1;
	type.dims[0] = size;
	return make_constants(b, n, &type, bytes, size);
}

/* (int8[8])NUMBER, (int8[])"text" */
static int cast(struct binder *b, struct node *n)
{
	struct node *from = n->a, **end;
	unsigned int size, element;
	struct c_type type;

	if (bind_type(b, &n->type) || bind_node(b, &from))
		return -1;
	type = n->type;
	element = type.pointers ? 8 : type.size;
	size = from->kind == NODE_TEXT ? from->length + 1U : 8;
	if (from->kind != NODE_TEXT && want_number(b, from))
		return -1;
	if (from->kind != NODE_TEXT && type.dims[0])
		size = c_size(&from->type, b->s->word);
	if (type.n_dims != 1 || type.base != C_INTEGER || !element)
		return WRONG(b, n, "numbers and strings become arrays of numbers: (uint8[8])VALUE");
	if (!type.dims[0])
		type.dims[0] = size / element;
	/* A literal has as many as the array, up to those of a number. */
	if (type.dims[0] * element <= sizeof(from->value) && from->kind == NODE_NUMBER)
		size = type.dims[0] * element;
	if (type.dims[0] * element != size)
		return WRONG(b, n, "this has %u bytes, and the array %u", size,
			     type.dims[0] * element);
	if (from->kind == NODE_TEXT)
		return make_constants(b, n, &type, from->text, size);
	bt_make_call(n, &bt_block_function, 0);
	end = &n->b;
	return bt_append_bytes(b, &end, from, size) || type_bytes(b, n, &type) ? -1 : 0;
}

/* ---- members and elements ---- */

/* The node at the bottom of a[0].b[1], which is not bound; NULL: it has no bytes that are kept. */
static struct node **root_of(struct binder *b, struct node **at)
{
	const struct bt_probe *now = bt_of(b->t)->now;
	const struct node *n = *at;
	struct bt_shape shape;
	int i;

	/* A part of a record is bound already. */
	if (n->kind == NODE_SLOT || bt_is(n, VALUE_INNER))
		return bt_shape_of(b, (struct node *)(uintptr_t)n, &shape) ||
		       bt_block_of(&shape) != BT_BYTES ? NULL : at;
	if (n->kind == NODE_MEMBER && n->a && !is_name(b, n->a, "args"))
		return root_of(b, &(*at)->a);
	if (n->kind == NODE_UNARY && n->op == '*' && n->a->kind == NODE_BINARY && n->a->op == '+')
		return root_of(b, &(*at)->a->a);
	if (n->kind == NODE_CAST)
		return n->type.n_dims ? at : NULL;
	if (bt_is(n, VALUE_MAP))
		return bt_block_of(&bt_map_of(n)->value) == BT_BYTES ? at : NULL;
	if (n->kind != NODE_NAME || *name_of(b, n) != '$')
		return NULL;
	i = bt_variable(now, name_of(b, n), n->length);
	return i >= 0 && bt_block_of(&now->variables[i].shape) == BT_BYTES ? at : NULL;
}

struct within {
	struct c_type type;
	unsigned int offset;
};

static int element(struct binder *b, struct node *n, struct within *to)
{
	struct node **by = &n->a->b;
	struct c_type t = to->type;

	if (!c_array(&t))
		return WRONG(b, n, "this is no array");
	if (bind_node(b, by))
		return -1;
	if ((*by)->kind != NODE_NUMBER)
		return WRONG(b, n, "an element of an array that is kept has an index that the "
			     "script tells");
	if ((*by)->value >= t.dims[0])
		return WRONG(b, n, "the index %lld is out of bounds for array of size %u",
			     (long long)(*by)->value, t.dims[0]);
	t.n_dims--;
	memmove(t.dims, t.dims + 1, sizeof(t.dims) - sizeof(t.dims[0]));
	to->offset += (unsigned int)(*by)->value * c_size(&t, b->s->word);
	to->type = t;
	return 0;
}

/* Where n is within the bytes of the root. */
static int within(struct binder *b, struct node *n, const struct node *root, struct within *to)
{
	struct member_place m = { };
	struct error why;

	if (n == root)
		return 0;
	if (n->kind != NODE_MEMBER)
		return within(b, n->a->a, root, to) || element(b, n, to) ? -1 : 0;
	if (within(b, n->a, root, to))
		return -1;
	if (!is_struct(&to->type))
		return WRONG(b, n, "this has no members");
	if (types_member(b->t->types, &to->type, name_of(b, n), n->length,
			 b->s->word, &m, &why))
		return CAUSE(b, n, &why);
	if (m.width)
		return WRONG(b, n, "a bit field is read in memory, not of a struct that is kept");
	to->offset += (unsigned int)(m.bits / 8);
	to->type = m.type;
	return 0;
}

static bool is_kept(struct binder *b, const struct node *n)
{
	if (n->kind == NODE_MEMBER && n->a->kind == NODE_NAME && *name_of(b, n->a) == '$')
		return bt_is_tuple(bt_of(b->t)->now, name_of(b, n->a), n->a->length);
	return (n->kind == NODE_NAME && *name_of(b, n) == '$') ||
	       bt_is(n, VALUE_MAP);
}

/*
 * What is kept has no address: a variable is in the program's frame, for this event only, and
 * sonde's own events have no frame. *&$x is $x. Returns as bt_place() does.
 */
static int address(struct binder *b, struct node **at)
{
	struct node *n = *at;

	if (n->kind != NODE_UNARY)
		return 0;
	if (n->op == '*' && n->a->kind == NODE_UNARY && n->a->op == '&' && is_kept(b, n->a->a)) {
		*at = n->a->a;
		return bind_node(b, at) ? -1 : 1;
	}
	if (n->op != '&' || !is_kept(b, n->a))
		return 0;
	return WRONG(b, n, n->a->kind == NODE_CALL ?
		     "maps have no addresses here: functions of maps take the map itself, as "
		     "has_key(@x, KEY)" :
		     "variables have no addresses here: take the variable itself; memory has "
		     "some, as in &POINTER->MEMBER");
}

int bt_place(struct binder *b, struct node **at)
{
	struct node *n = *at, **root, *bytes;
	struct within place = { };
	struct bt_shape shape;
	int own = address(b, at);

	own = own ? own : bt_part_of_record(b, at);
	if (own)
		return own;
	root = root_of(b, at);
	if (!root)
		return bt_bind_item(b, n);
	if (root == at)
		return n->kind == NODE_CAST ? cast(b, n) ? -1 : 1 : 0;
	bytes = *root;
	if (bytes->kind == NODE_CAST ? cast(b, bytes) : bind_node(b, &bytes))
		return -1;
	*root = bytes;
	if (bt_shape_of(b, bytes, &shape))
		return -1;
	place.type = bt_of(b->t)->types[shape.text.type];
	if (within(b, n, bytes, &place))
		return -1;
	bt_make_call(n, bt_is_bytes(&place.type) ? &bt_slice : &bt_element, place.offset);
	n->a = bytes;
	n->length = (uint16_t)c_size(&place.type, b->s->word);
	if (bt_is_bytes(&place.type))
		return type_bytes(b, n, &place.type) ? -1 : 1;
	if (!c_number(&place.type))
		return WRONG(b, n, "this is no number: print the whole");
	n->type = place.type;
	n->type.width = 0;
	return 1;
}

/* ---- instructions ---- */

/* The register = a number in the bytes of `a`, by its type. */
static void emit_element(struct code *c, const struct node *n, int depth, const char *fault)
{
	static const int sizes[] = { [1] = BPF_B, [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW };
	const unsigned int frame = c->frame, size = c_size(&n->type, c->scope->word);
	const int reg = code_register(depth), bytes = code_room(c, n->a->type.bytes);

	(void)fault;
	bt_emit_text(c, n->a, bytes, n->a->type.bytes, depth, true);
	CODE(c, BPF_LDX_MEM(sizes[size], reg, R10, AT(bytes + (int)n->value)));
	if (c_signed(&n->type) && size < 8) {
		CODE(c, BPF_ALU64_IMM(BPF_LSH, reg, 64 - 8 * (int)size));
		CODE(c, BPF_ALU64_IMM(BPF_ARSH, reg, 64 - 8 * (int)size));
	}
	c->frame = frame;
}

/* stack[off, size bytes] = a part of the bytes of `a`. */
static void emit_slice(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		       bool exact)
{
	const unsigned int frame = c->frame;
	const int whole = code_room(c, n->a->type.bytes);

	(void)exact;
	bt_emit_text(c, n->a, whole, n->a->type.bytes, depth, true);
	CODE(c, ZERO_AT(NULL, AT(off), (int)size));
	for (unsigned int i = 0; i < n->length; i++) {
		CODE(c, BPF_LDX_MEM(BPF_B, R0, R10, AT(whole + (int)(n->value + i))));
		CODE(c, BPF_STX_MEM(BPF_B, R10, R0, AT(off + (int)i)));
	}
	CODE(c, BPF_MOV64_IMM(R0, (int)size));
	c->frame = frame;
}

const struct function bt_element = { .name = "[]", .infer = bt_bound, .emit = emit_element };
const struct function bt_slice = { .name = "[]", .infer = bt_bound, .text = emit_slice };
