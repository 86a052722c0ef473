// SPDX-License-Identifier: GPL-2.0
/* STRCMP: a literal beside a text, or beside bytes of the record or of memory. */
#include <stdio.h>

#include "src/language/expressions/functions/functions.h"
#include "src/language/types/types.h"

/* "{0x7f, 'E', 76}" is the bytes; other literals are their letters. */
static int take_bytes(struct binder *b, struct node *literal)
{
	struct tree list = { .source.text = literal->text };
	unsigned int count = 0;
	size_t at = 1;

	if (*literal->text != '{')
		return 0;
	if (literal->text[literal->length - 1] == '}')
		literal->text[literal->length - 1] = '\0';
	for (;; at++) {
		struct error why = { };
		struct node *byte = parse_expression(&list, &at, b->s->word, &why);

		if (!byte || byte->kind != NODE_NUMBER || byte->value > 255 ||
		    (literal->text[at] && literal->text[at] != ',')) {
			tree_free(&list);
			return WRONG(b, literal, "bytes are numbers up to 255: "
				     "\"{0x7f, 'E', 76}\"");
		}
		/* Each byte takes one letter of the literal at least, so there is room for it. */
		literal->text[count++] = (char)byte->value;
		if (!literal->text[at])
			break;
	}
	literal->length = (uint16_t)count;
	tree_free(&list);
	return 0;
}

/* Compares memory as numbers, as wide as possible. Of numbers it is known if they were read. */
static int compare_memory(struct binder *b, struct node *n)
{
	static const uint8_t widths[] = { 8, 4, 2, 1 };
	const struct node *literal = n->a;
	struct node *all = NULL, *address = n->b;

	for (unsigned int at = 0, i = 0; at < literal->length; at += widths[i]) {
		struct node *cast = new_node(b, NODE_CAST, n->b->at),
			    *by = number_node(b, n->b->at, at, c_integer(b->s->word, false)),
			    *sum = binary_node(b, n->b->at, '+', address, by, address->type),
			    *read = new_node(b, NODE_UNARY, n->b->at), *value, *same;
		struct c_type type;
		uint64_t bytes = 0;

		while (widths[i] > literal->length - at)
			i++;
		if (!cast || !sum || !read)
			return -1;
		for (unsigned int j = 0; j < widths[i]; j++)
			bytes |= (uint64_t)(uint8_t)literal->text[at + j] <<
				 8 * (b->s->big_endian ? widths[i] - 1U - j : j);
		cast->a = sum;
		cast->type = type = c_integer(widths[i], false);
		cast->type.pointers = 1;
		cast->type.user = address->type.user;
		cast->faults = sum->faults;
		if (read_memory(b, read, cast, &type, b->s->needs.n_inputs))
			return -1;
		value = number_node(b, n->at, bytes, read->type);
		same = binary_node(b, n->at, OP_EQ, read, value, c_integer(4, true));
		all = all ? binary_node(b, n->at, OP_AND, all, same, c_integer(4, true)) : same;
		if (!all)
			return -1;
	}
	n->kind = NODE_CAST;
	n->a = all;
	n->b = NULL;
	n->type = all->type;
	n->faults = true;
	return 0;
}

/* STRCMP of bytes: of a text of the record, or of memory. */
static int compare_bytes(struct binder *b, struct node *n)
{
	struct text_node text = { };

	if (take_bytes(b, n->a))
		return -1;
	if (!n->a->length || n->a->length > 64)
		return WRONG(b, n->a, "1 to 64 bytes can be compared");
	if (bind_node(b, &n->b))
		return -1;
	if (n->b->type.base != C_TEXT)
		return want_number(b, n->b) ? -1 : compare_memory(b, n);
	if (field_text(b, n->b, &text))
		return -1;
	if (text.way != TEXT_BYTES)
		return WRONG(b, n->b, "this string ends with its first 0: leave out -B");
	n->value = text.input | (uint64_t)text.way << 8;
	n->type = c_integer(4, true);
	n->faults = true;
	return 0;
}

void text_to_call(struct node *n, const struct text_node *text)
{
	n->value = text->input | (uint64_t)text->way << 8 | (uint64_t)text->limit << 16;
	n->c = (struct node *)text->address;
}

struct text_node text_of_call(const struct node *n)
{
	return (struct text_node){ (uint8_t)n->value, (uint8_t)(n->value >> 8),
				   (uint16_t)(n->value >> 16), n->c };
}

/* STRCMP(a, b) is true if the text b begins with the literal a. */
static int compare(struct binder *b, struct node **at)
{
	struct node *n = *at;
	struct text_node text;

	if (b->s->binary && !is_name(b, n->b, "$comm") && !is_name(b, n->b, "$COMM"))
		return compare_bytes(b, n);
	if (bind_text(b->t, b->s, n->b, &text, b->err))
		return -1;
	if (!n->a->length)
		return WRONG(b, n->a, "every string begins with an empty one");
	if (n->a->length > 64)
		return WRONG(b, n->a, "a string to compare with has 64 characters at most");
	text_to_call(n, &text);
	n->type = c_integer(4, true);
	n->faults = true;
	return 0;
}

/* ---- instructions ---- */

/* At most 4 letters of a literal, as a number of the machine. */
static uint32_t letters(const struct code *c, const char *s, unsigned int n)
{
	uint32_t all = 0;

	for (unsigned int i = 0; i < n; i++)
		all |= (uint32_t)(unsigned char)s[i] << 8 * (c->big_endian ? n - 1 - i : i);
	return all;
}

void code_letters(struct code *c, const char *s, unsigned int n, int off, const char *no)
{
	unsigned int width;

	for (unsigned int i = 0; i < n; i += width) {
		width = n - i >= 4 ? 4 : n - i >= 2 ? 2 : 1;
		CODE(c, BPF_LDX_MEM(width == 4 ? BPF_W : width == 2 ? BPF_H : BPF_B, R2, R10,
				    (int16_t)(off + (int)i)));
		CODE(c, BPF_MOV32_IMM(R3, (int32_t)letters(c, s + i, width)));
		CODE(c, JNE_REG(R2, R3, no));
	}
}

void code_yes_or_no(struct code *c, int reg, const char *no)
{
	const char *end = code_label(c);

	CODE(c, BPF_MOV64_IMM(reg, 1));
	CODE(c, JUMP(end));
	CODE(c, LABEL(no));
	CODE(c, BPF_MOV64_IMM(reg, 0));
	CODE(c, LABEL(end));
}

/* Reading the text clobbers r8, the register of the largest depth. Lower depths are kept. */
static void emit_compare(struct code *c, const struct node *n, int depth, const char *fault)
{
	const struct text_node text = text_of_call(n);
	const char *no = code_label(c);
	const unsigned int frame = c->frame, length = n->a->length, size = (length + 8) / 8 * 8;
	const int off = code_room(c, size);

	code_text_at(c, &text, off, size, depth);
	if (fault)
		CODE(c, JSLT(R0, 0, fault));
	code_letters(c, n->a->text, length, off, no);
	code_yes_or_no(c, code_register(depth), no);
	c->frame = frame;
}

const struct function text_functions[] = {
	{ "STRCMP", "STRCMP(\"TEXT\", VALUE)", { ARGUMENT_LITERAL, ARGUMENT_VALUE }, compare,
	  emit_compare },
	{ }
};
