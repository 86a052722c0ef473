// SPDX-License-Identifier: GPL-2.0
/* buf(): bytes of memory or of a field, with their number in front. */
#include <stddef.h>

#include "compat/base/text.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/language/types/types.h"

#define MOST (BT_TEXT_MOST - sizeof(struct bt_buffer))

/* ---- reading ---- */

/* Bytes that are kept at most: as many as of a text, in whole words. */
static unsigned int most_of(const struct binder *b)
{
	const unsigned int most = (b->s->text_size + 7) / 8 * 8;

	return most < MOST ? most : MOST;
}

/* Bytes of the array that n is; 0: it is none. */
static unsigned int array_size(const struct node *n)
{
	const struct c_type *t = &n->type;

	return c_array(t) && t->n_dims == 1 && !t->pointers && t->size ? t->dims[0] * t->size : 0;
}

/* A field of the tracepoint that is an array: *input becomes the number of its input. */
static int field_bytes(struct binder *b, const struct node *n, unsigned int *size, int *input)
{
	struct lang_input in = { .bytes = true };
	const struct field *f;

	text_all(in.fetch, sizeof(in.fetch), "%.*s", n->length, name_of(b, n));
	f = format_field(b->s->event.format, in.fetch);
	if (f->is_data_loc)
		return WRONG(b, n, "buf() takes an address, or an array of a known size, and this "
			     "field has as many bytes as it needs: str() shows it as text");
	*size = f->size < most_of(b) ? f->size : most_of(b);
	in.size = (uint16_t)*size;
	*input = binder_input(b, n, in);
	return *input < 0 ? -1 : 0;
}

/* The length that the script asks for, bound; an array has its own. */
static int bind_length(struct binder *b, struct node *n, unsigned int array)
{
	if (!n->b && !array)
		return WRONG(b, n, "buf() takes an address and a number of bytes: buf(arg1, arg2)");
	if (!n->b)
		n->b = number_node(b, n->at, array, c_integer(8, false));
	if (!n->b)
		return -1;
	return bind_node(b, &n->b) || want_number(b, n->b) ||
	       convert(b, &n->b, c_integer(8, false)) ? -1 : 0;
}

static const struct function bt_buffer;

/* Appends a constant of so many bytes to the list that ends at *end. */
static int append(struct binder *b, struct node ***end, uint64_t value, unsigned int bytes,
		  const struct node *at)
{
	return bt_append_bytes(b, end, number_node(b, at->at, value, c_integer(8, false)), bytes);
}

/* The bytes of a text in quotes are known, so they are a block of constants. */
static int of_literal(struct binder *b, struct node *n)
{
	const struct node *text = n->a;
	struct node *parts = NULL, **end = &parts;
	struct bt_shape shape = { .kind = BT_TEXT, .text.block = BT_BUFFER };
	unsigned int length;

	if (n->b && (bind_node(b, &n->b) || want_number(b, n->b)))
		return -1;
	if (n->b && n->b->kind != NODE_NUMBER)
		return WRONG(b, n->b, "of a string in quotes buf() takes a length that the script "
			     "tells");
	length = n->b ? (unsigned int)n->b->value : text->length;
	if (length > text->length + 1U || length > most_of(b))
		return WRONG(b, n, "this string has %u bytes, with its NUL, and buf() %u at most",
			     text->length + 1U, most_of(b));
	if (append(b, &end, length, 4, n) || append(b, &end, length, 4, n))
		return -1;
	for (unsigned int i = 0; i < length; i++)
		if (append(b, &end, (uint8_t)text->text[i], 1, n))
			return -1;
	shape.size = shape.text.shown = (uint16_t)(sizeof(struct bt_buffer) + (length + 7) / 8 * 8);
	bt_make_call(n, &bt_block_function, 0);
	n->b = parts;
	bt_type_text(n, &shape);
	return 0;
}

static int buffer(struct binder *b, struct node **at)
{
	struct node *n = *at;
	unsigned int size = most_of(b), array;
	int input = -1;
	struct bt_shape shape;

	if (n->a->kind == NODE_TEXT)
		return of_literal(b, n);
	if (bt_of(b->t)->now->when != BT_KERNEL)
		return WRONG(b, n, "BEGIN, END, interval and iter have no memory to read: they are "
			     "sonde's own");
	if (bind_node(b, &n->a))
		return -1;
	array = array_size(n->a);
	if (n->a->kind == NODE_MEMBER && n->a->type.base == C_TEXT) {
		if (field_bytes(b, n->a, &array, &input))
			return -1;
	} else if (want_number(b, n->a)) {
		return -1;
	} else {
		note_memory(b, n, true);
	}
	if (bind_length(b, n, array))
		return -1;
	if (n->b->kind == NODE_NUMBER && n->b->value < size)
		size = (unsigned int)(n->b->value + 7) / 8 * 8;
	shape = (struct bt_shape){
		.kind = BT_TEXT, .text.block = BT_BUFFER,
		.size = (uint16_t)(sizeof(struct bt_buffer) + size),
	};
	shape.text.shown = shape.size;
	n->function = &bt_buffer;
	n->value = (uint64_t)(input + 1);
	n->faults = false;
	bt_type_text(n, &shape);
	return 0;
}

/* ---- instructions ---- */

/* Where a buffer is made on the stack. */
struct making {
	int off, address;
	unsigned int size;		/* bytes behind its head */
	int reg;
};

/* Clears the bytes of the last word, in the register, that are behind the end. */
static void clear_rest(struct code *c, const struct making *m, unsigned int from)
{
	const char *whole = code_label(c);

	CODE(c, BPF_LDX_MEM(BPF_W, R2, R10, AT(m->off)));
	CODE(c, JGT(R2, (int)from + 7, whole));
	CODE(c, BPF_MOV64_IMM(R3, (int)from + 8));
	CODE(c, BPF_ALU64_REG(BPF_SUB, R3, R2));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, R3, 3));
	CODE(c, BPF_ALU64_IMM(BPF_AND, R3, 63));
	if (c->big_endian) {
		CODE(c, BPF_ALU64_REG(BPF_RSH, m->reg, R3));
		CODE(c, BPF_ALU64_REG(BPF_LSH, m->reg, R3));
	} else {
		CODE(c, BPF_ALU64_REG(BPF_LSH, m->reg, R3));
		CODE(c, BPF_ALU64_REG(BPF_RSH, m->reg, R3));
	}
	CODE(c, LABEL(whole));
}

/*
 * Reads word by word, which all kernels' verifiers allow; the length is known to the program only.
 * The buffer ends before the first word that can't be read.
 */
static void read_words(struct code *c, const struct node *n, const struct making *m)
{
	const bool user = n->a->type.user || (c->scope->user_space && !n->a->type.kernel);
	const char *end = code_label(c);

	for (unsigned int i = 0; i < m->size; i += 8) {
		const char *fault = code_label(c), *next = code_label(c);

		CODE(c, BPF_LDX_MEM(BPF_W, m->reg, R10, AT(m->off)));
		CODE(c, JLE(m->reg, (int)i, end));
		CODE(c, BPF_LDX_MEM(BPF_DW, m->reg, R10, AT(m->address)));
		CODE(c, BPF_ALU64_IMM(BPF_ADD, m->reg, (int)i));
		CODE(c, FOLLOW(m->reg, m->reg, 8, false, user));
		CODE(c, SYMBOLIC(SYM_ELSE, fault, 0, 0, 0, 0));
		clear_rest(c, m, i);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, m->reg, AT(m->off + 8 + (int)i)));
		CODE(c, JUMP(next));
		CODE(c, LABEL(fault));
		CODE(c, BPF_ST_MEM(BPF_W, R10, AT(m->off), (int)i));
		bt_emit_failure(c);
		CODE(c, JUMP(end));
		CODE(c, LABEL(next));
	}
	CODE(c, LABEL(end));
}

/* The head: how many bytes are kept, and how many were asked for; of an error none. */
static void make_head(struct code *c, const struct node *n, const struct making *m, int depth)
{
	const char *positive = code_label(c), *small = code_label(c), *fits = code_label(c);

	bt_emit_number(c, n->b, depth);
	CODE(c, JSGE(m->reg, 0, positive));
	CODE(c, BPF_MOV64_IMM(m->reg, 0));
	CODE(c, LABEL(positive));
	CODE(c, JSLE(m->reg, INT32_MAX, small));
	CODE(c, BPF_MOV64_IMM(m->reg, INT32_MAX));
	CODE(c, LABEL(small));
	CODE(c, BPF_STX_MEM(BPF_W, R10, m->reg,
			    AT(m->off + (int)offsetof(struct bt_buffer, wanted))));
	CODE(c, JLE(m->reg, (int)m->size, fits));
	CODE(c, BPF_MOV64_IMM(m->reg, (int)m->size));
	CODE(c, LABEL(fits));
	CODE(c, BPF_STX_MEM(BPF_W, R10, m->reg, AT(m->off)));
}

static void emit_buffer(struct code *c, const struct node *n, int off, unsigned int size, int depth,
			bool exact)
{
	const unsigned int frame = c->frame,
			   kept = n->type.bytes - (unsigned int)sizeof(struct bt_buffer);
	const struct making m = { .off = off, .size = kept, .reg = code_register(depth),
				  .address = code_room(c, 8) };

	(void)exact;
	CODE(c, ZERO_AT(NULL, AT(off), (int)size));
	make_head(c, n, &m, depth);
	if (n->value) {
		const struct lang_input *in = &c->scope->needs.inputs[n->value - 1];

		CODE(c, BYTES_AT(AT(off + 8), in->name, in->size < kept ? in->size : (int)kept));
	} else {
		bt_emit_number(c, n->a, depth);
		CODE(c, BPF_STX_MEM(BPF_DW, R10, m.reg, AT(m.address)));
		read_words(c, n, &m);
	}
	CODE(c, BPF_MOV64_IMM(R0, (int)size));
	c->frame = frame;
}

const struct function bt_buffer_functions[] = {
	{ "buf", "buf(ADDRESS, LENGTH)", { ARGUMENT_VALUE, ARGUMENT_VALUE }, buffer, NULL,
	  .least = 1 },
	{ }
};

/* Bound already. */
static const struct function bt_buffer = { .name = "buf", .infer = bt_bound, .text = emit_buffer };
