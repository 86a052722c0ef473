// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of networks: blocks of bytes, which variables, keys and records keep as they keep
 * texts.
 */
#include <stddef.h>
#include <sys/socket.h>

#include "compat/base/text.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

/* ---- reading ---- */

struct block {
	const char *name;
	unsigned int size, at;		/* on the stack; where the bytes begin */
	unsigned int sizes[2];		/* of arrays that are taken; 0: none */
};

static const struct block kinds[] = {
	[BT_INET] = { "ntop", sizeof(struct bt_inet), offsetof(struct bt_inet, bytes), { 4, 16 } },
	[BT_MAC] = { "macaddr", 8, 0, { 6, 0 } },
	[BT_BYTES] = { "", 0, 0, { 0, 0 } },
};

/* Bytes of the array or struct that n is; 0: it is a number. */
static unsigned int array_size(const struct node *n)
{
	const struct c_type *t = &n->type;

	if (t->base == C_STRUCT && !t->pointers && !t->n_dims)
		return t->bytes;
	return c_array(t) && t->n_dims == 1 && !t->pointers ? t->dims[0] * t->size : 0;
}

/* Bytes of an array that the script tells, as of pton(); 0: it is none. */
static unsigned int constants_size(const struct node *n)
{
	unsigned int size = 0;

	if (n->kind != NODE_CALL || n->function != &bt_block_function || n->value || n->a)
		return 0;
	for (const struct node *part = n->b; part; part = part->b)
		size += (unsigned int)part->value;
	return size;
}

static bool is_taken(const struct block *k, unsigned int size)
{
	return size && (size == k->sizes[0] || size == k->sizes[1]);
}

/* A field of the tracepoint that is an array: *input is the number of its input. */
static int record_bytes(struct binder *b, const struct block *k, const struct node *n,
			unsigned int *size, int *input)
{
	struct lang_input in = { .bytes = true };
	const struct field *f;

	text_all(in.fetch, sizeof(in.fetch), "%.*s", n->length, name_of(b, n));
	f = format_field(b->s->event.format, in.fetch);
	if (f->is_data_loc || !is_taken(k, f->size))
		return WRONG(b, n, "%s() takes an address of %u%s bytes, and this field has %s%u",
			     k->name, k->sizes[0], k->sizes[1] ? " or 16" : "",
			     f->is_data_loc ? "as many as it needs, not " : "", f->size);
	in.size = (uint16_t)f->size;
	*size = f->size;
	*input = binder_input(b, n, in);
	return *input < 0 ? -1 : 0;
}

static bool is_address(const struct binder *b, const struct node *n)
{
	return bt_of(b->t)->now->when == BT_KERNEL && c_number(&n->type) &&
	       (n->type.pointers || n->type.size == 8);
}

/* The node becomes the block: `a` is the family, b the parts, c none. */
static int make_block(struct binder *b, struct node *n, enum bt_block_kind kind,
		      struct node *family, struct node *bytes)
{
	const struct block *k = &kinds[kind];
	const struct bt_shape shape = { .kind = BT_TEXT, .size = (uint16_t)k->size,
					.text = { .block = (uint8_t)kind,
						  .shown = (uint16_t)k->size } };
	struct node *parts = NULL, **end = &parts;
	unsigned int size = 0;
	int input = -1;

	if (bind_node(b, &bytes))
		return -1;
	if (bytes->kind == NODE_MEMBER && bytes->type.base == C_TEXT) {
		if (record_bytes(b, k, bytes, &size, &input))
			return -1;
	} else if (is_taken(k, array_size(bytes))) {
		size = array_size(bytes);
		if (bind_parts(b, bytes, size, &parts))
			return -1;
	} else if (is_taken(k, constants_size(bytes))) {
		size = constants_size(bytes);
		parts = bytes->b;
	} else if (kind == BT_INET && !array_size(bytes)) {
		size = 4;
		if (want_number(b, bytes) || bt_append_bytes(b, &end, bytes, size))
			return -1;
	} else if (kind == BT_MAC && is_address(b, bytes)) {
		size = 6;
		if (bind_parts(b, bytes, size, &parts))
			return -1;
	} else {
		return WRONG(b, bytes, "%s() takes an array of %u%s bytes%s", k->name, k->sizes[0],
			     k->sizes[1] ? " or 16" : "", k->sizes[1] ? ", or a number" : "");
	}
	if (!family)
		family = number_node(b, n->at, size == 16 ? AF_INET6 : AF_INET,
				     c_integer(8, false));
	if (!family || bind_node(b, &family) || want_number(b, family))
		return -1;
	bt_make_call(n, &bt_block_function, (uint64_t)(input + 1));
	n->a = family;
	n->b = parts;
	bt_type_text(n, &shape);
	return 0;
}

static int ntop(struct binder *b, struct node **at)
{
	struct node *n = *at;

	return make_block(b, n, BT_INET, n->b ? n->a : NULL, n->b ? n->b : n->a);
}

static int macaddr(struct binder *b, struct node **at)
{
	return make_block(b, *at, BT_MAC, NULL, (*at)->a);
}

const struct function bt_block_functions[] = {
	{ "ntop", "ntop(FAMILY, ADDRESS)", { ARGUMENT_VALUE, ARGUMENT_VALUE }, ntop, NULL,
	  .least = 1 },
	{ "macaddr", "macaddr(ADDRESS)", { ARGUMENT_VALUE }, macaddr, NULL },
	{ }
};

/* ---- instructions ---- */

unsigned int bt_block_at(const struct node *n)
{
	return kinds[bt_shape_in(&n->type).text.block].at;
}

static void emit_block(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		       bool exact)
{
	static const int widths[] = { [1] = BPF_B, [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW };
	const int reg = code_register(depth);
	int at = off + (int)bt_block_at(n);

	(void)exact;
	CODE(c, ZERO_AT(NULL, AT(off), (int)size));
	if (n->value) {
		const struct lang_input *in = &c->scope->needs.inputs[n->value - 1];

		CODE(c, BYTES_AT(AT(at), in->name, in->size));
	}
	if (bt_block_at(n)) {
		bt_emit_number(c, n->a, depth);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, reg, AT(off)));
	}
	for (const struct node *part = n->b; part; part = part->b) {
		bt_emit_number(c, part->a, depth);
		CODE(c, BPF_STX_MEM(widths[part->value], R10, reg, AT(at)));
		at += (int)part->value;
	}
	CODE(c, BPF_MOV64_IMM(R0, (int)size));
}

const struct function bt_block_function = {
	.name = "block", .infer = bt_bound, .text = emit_block,
};
