// SPDX-License-Identifier: GPL-2.0
/* Functions of the letters of a text: how many there are, and where others are among them. */
#include <string.h>

#include "insns/lower/lower.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/language/types/types.h"

/* ---- strlen ---- */

static int length(struct binder *b, struct node **at)
{
	struct node *n = *at;

	if (bt_bind_text(b, &n->a))
		return -1;
	n->type = c_integer(8, true);
	if (n->a->kind == NODE_TEXT)
		make_number(n, n->a->length, n->type);
	return 0;
}

/*
 * Counts the bytes that are not 0, word by word: there are no others behind the end. Without jumps,
 * because the verifier would walk along each way.
 */
static void emit_length(struct code *c, const struct node *n, int depth, const char *fault)
{
	enum { ONES = R1, SEVENS = R2, WORD = R3, TOPS = R4 };
	const int reg = code_register(depth);
	const unsigned int frame = c->frame, size = bt_text_room(n->a);
	const int off = code_room(c, size);

	(void)fault;
	bt_emit_text(c, n->a, off, size, depth, true);
	CODE(c, BPF_MOV64_IMM(reg, 0));
	CODE(c, BPF_MOV64_IMM(ONES, 0x01010101));
	CODE(c, BPF_MOV64_REG(WORD, ONES));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, WORD, 32));
	CODE(c, BPF_ALU64_REG(BPF_OR, ONES, WORD));
	CODE(c, BPF_MOV64_REG(SEVENS, ONES));
	CODE(c, BPF_ALU64_IMM(BPF_MUL, SEVENS, 0x7f));
	for (unsigned int i = 0; i < size; i += 8) {
		CODE(c, BPF_LDX_MEM(BPF_DW, WORD, R10, AT(off + (int)i)));
		CODE(c, BPF_MOV64_REG(TOPS, WORD));
		CODE(c, BPF_ALU64_REG(BPF_AND, TOPS, SEVENS));
		CODE(c, BPF_ALU64_REG(BPF_ADD, TOPS, SEVENS));
		CODE(c, BPF_ALU64_REG(BPF_OR, TOPS, WORD));
		CODE(c, BPF_ALU64_IMM(BPF_RSH, TOPS, 7));
		CODE(c, BPF_ALU64_REG(BPF_AND, TOPS, ONES));
		CODE(c, BPF_ALU64_REG(BPF_MUL, TOPS, ONES));
		CODE(c, BPF_ALU64_IMM(BPF_RSH, TOPS, 56));
		CODE(c, BPF_ALU64_REG(BPF_ADD, reg, TOPS));
	}
	c->frame = frame;
}

/* ---- strcontains, strstr ---- */

static bool says_where(const struct node *n)
{
	return !strcmp(n->function->name, "strstr");
}

static bool contains(const char *name, const char *letters)
{
	return strstr(name, letters) != NULL;
}

static int search(struct binder *b, struct node **at)
{
	struct node *n = *at;

	if (n->b->kind == NODE_TEXT && !says_where(n) && bt_is_name_of_probe(b, n->a))
		return bt_ask_names(b, n, n->a, contains, n->b->text);
	if (bt_bind_text(b, &n->a) || (n->b->kind != NODE_TEXT && bt_bind_text(b, &n->b)))
		return -1;
	n->type = says_where(n) ? c_integer(8, true) : c_bool();
	if (n->b->kind == NODE_TEXT && !n->b->length)
		make_number(n, !says_where(n), n->type);
	return 0;
}

/*
 * The same for letters that the program knows: they end with a NUL. What the register says is right
 * as soon as all of them were found.
 */
static void search_text(struct code *c, const struct node *n, int depth, int off,
			const char *end)
{
	const int reg = code_register(depth), size = (int)bt_text_room(n->a),
		  most = (int)bt_text_room(n->b);
	const int letters = code_room(c, (unsigned int)most);

	bt_emit_text(c, n->b, letters, (unsigned int)most, depth, true);
	for (int i = 0; i < size; i++) {
		const char *no = code_label(c);

		CODE(c, BPF_MOV64_IMM(reg, says_where(n) ? i : 1));
		for (int j = 0; j < most; j++) {
			CODE(c, BPF_LDX_MEM(BPF_B, R3, R10, AT(letters + j)));
			CODE(c, JEQ(R3, 0, end));
			if (i + j == size)
				break;
			CODE(c, BPF_LDX_MEM(BPF_B, R2, R10, AT(off + i + j)));
			CODE(c, JNE_REG(R2, R3, no));
		}
		CODE(c, LABEL(no));
	}
}

/* The same by sonde's machine, which has a helper for it. */
static void search_here(struct code *c, const struct node *n, int depth, int off)
{
	const int reg = code_register(depth), most = (int)bt_text_room(n->b),
		  letters = code_room(c, (unsigned int)most);
	const char *no = code_label(c);

	bt_emit_text(c, n->b, letters, (unsigned int)most, depth, true);
	CODE(c, BPF_MOV64_REG(R1, R10));
	CODE(c, BPF_ALU64_IMM(BPF_ADD, R1, off));
	CODE(c, BPF_MOV64_IMM(R2, (int)bt_text_room(n->a)));
	CODE(c, BPF_MOV64_REG(R3, R10));
	CODE(c, BPF_ALU64_IMM(BPF_ADD, R3, letters));
	CODE(c, BPF_MOV64_IMM(R4, most));
	CODE(c, RAW(BPF_JMP | BPF_CALL, 0, 0, 0, (int32_t)RING_SEARCH));
	CODE(c, BPF_MOV64_REG(reg, R0));
	if (says_where(n))
		return;
	CODE(c, JSLT(reg, 0, no));
	code_yes_or_no(c, reg, no);
}

/* Compares at each place where the letters may begin. */
static void emit_search(struct code *c, const struct node *n, int depth, const char *fault)
{
	const int reg = code_register(depth);
	const unsigned int frame = c->frame, size = bt_text_room(n->a);
	const int off = code_room(c, size);
	const char *end = code_label(c);

	(void)fault;
	bt_emit_text(c, n->a, off, size, depth, true);
	if (c->own) {
		search_here(c, n, depth, off);
		c->frame = frame;
		return;
	}
	if (n->b->kind != NODE_TEXT)
		search_text(c, n, depth, off, end);
	for (unsigned int i = 0; n->b->kind == NODE_TEXT && i + n->b->length <= size; i++) {
		const char *no = code_label(c);

		for (unsigned int j = 0; j < n->b->length; j++) {
			CODE(c, BPF_LDX_MEM(BPF_B, R2, R10, AT(off + (int)(i + j))));
			CODE(c, JNE(R2, (unsigned char)n->b->text[j], no));
		}
		CODE(c, BPF_MOV64_IMM(reg, says_where(n) ? (int)i : 1));
		CODE(c, JUMP(end));
		CODE(c, LABEL(no));
	}
	CODE(c, BPF_MOV64_IMM(reg, says_where(n) ? -1 : 0));
	CODE(c, LABEL(end));
	c->frame = frame;
}

/* ---- memcmp ---- */

/* The `value` of a call of memcmp(): how many bytes; a bit for each side with a head. */
#define BYTES_OF(N) ((unsigned int)((N)->value & 0xffff))
#define HEAD_OF(N, SIDE) \
	((N)->value >> (16 + (SIDE)) & 1 ? (unsigned int)sizeof(struct bt_buffer) : 0)

static int bytes_side(struct binder *b, struct node *n, unsigned int side, struct node **at)
{
	struct bt_value v = { .node = *at };
	unsigned int size;

	if (bt_bind_value(b, &v))
		return -1;
	*at = v.node;
	if (v.shape.kind == BT_UNSET || bt_is_literal(&v))
		return 0;
	if (v.shape.kind != BT_TEXT || (v.shape.text.block && v.shape.text.block != BT_BYTES &&
					v.shape.text.block != BT_BUFFER))
		return WRONG(b, v.node, "this is %s, and memcmp() compares strings, arrays and "
			     "buf()", bt_kind_of(&v.shape));
	if (v.shape.text.block == BT_BUFFER)
		n->value |= 1U << (16 + side);
	size = v.node->type.bytes - HEAD_OF(n, side);
	return BYTES_OF(n) <= size ? 0 :
	       WRONG(b, v.node, "memcmp() compares %u bytes, and this has %u", BYTES_OF(n), size);
}

static int compare(struct binder *b, struct node **at)
{
	struct node *n = *at;

	if (bind_node(b, &n->c))
		return -1;
	if (n->c->kind != NODE_NUMBER || !n->c->value || n->c->value > BT_TEXT_MOST - 8)
		return WRONG(b, n->c, "memcmp() compares as many bytes as a number says that the "
			     "script tells, up to %d: memcmp($a, $b, 4)", BT_TEXT_MOST - 8);
	n->value = n->c->value;
	n->c = NULL;
	n->type = c_integer(4, true);
	return bytes_side(b, n, 0, &n->a) || bytes_side(b, n, 1, &n->b) ? -1 : 0;
}

/* The address on the stack of a side's bytes, with zeros behind them. */
static int bytes_on_stack(struct code *c, const struct node *n, const struct node *side,
			  unsigned int number, int depth)
{
	const unsigned int head = HEAD_OF(n, number), least = head + (BYTES_OF(n) + 7) / 8 * 8,
			   own = bt_text_room(side), size = own > least ? own : least;
	const int off = code_room(c, size);

	bt_emit_text(c, side, off, size, depth, true);
	return off + (int)head;
}

/* Words with the first byte on top have the order of their bytes. */
static void emit_compare(struct code *c, const struct node *n, int depth, const char *fault)
{
	const int reg = code_register(depth), bytes = (int)BYTES_OF(n);
	const unsigned int frame = c->frame;
	const int off = bytes_on_stack(c, n, n->a, 0, depth),
		  other = bytes_on_stack(c, n, n->b, 1, depth);
	const char *differ = code_label(c), *end = code_label(c);

	(void)fault;
	for (int i = 0; i < bytes; i += 8) {
		CODE(c, BPF_LDX_MEM(BPF_DW, R2, R10, AT(off + i)));
		CODE(c, BPF_LDX_MEM(BPF_DW, R3, R10, AT(other + i)));
		CODE(c, RAW(BPF_ALU | BPF_END | BPF_TO_BE, R2, 0, 0, 64));
		CODE(c, RAW(BPF_ALU | BPF_END | BPF_TO_BE, R3, 0, 0, 64));
		if (bytes - i < 8) {
			CODE(c, BPF_ALU64_IMM(BPF_RSH, R2, 64 - 8 * (bytes - i)));
			CODE(c, BPF_ALU64_IMM(BPF_RSH, R3, 64 - 8 * (bytes - i)));
		}
		CODE(c, JNE_REG(R2, R3, differ));
	}
	CODE(c, BPF_MOV64_IMM(reg, 0));
	CODE(c, JUMP(end));
	CODE(c, LABEL(differ));
	CODE(c, BPF_MOV64_IMM(reg, 1));
	CODE(c, JGT_REG(R2, R3, end));
	CODE(c, BPF_MOV64_IMM(reg, -1));
	CODE(c, LABEL(end));
	c->frame = frame;
}

const struct function bt_letter_functions[] = {
	{ "memcmp", "memcmp(BYTES, BYTES, LENGTH)",
	  { ARGUMENT_VALUE, ARGUMENT_VALUE, ARGUMENT_VALUE }, compare, emit_compare },
	{ "strlen", "strlen(TEXT)", { ARGUMENT_VALUE }, length, emit_length },
	{ "strcontains", "strcontains(TEXT, LETTERS)",
	  { ARGUMENT_VALUE, ARGUMENT_VALUE }, search, emit_search },
	{ "strstr", "strstr(TEXT, LETTERS)", { ARGUMENT_VALUE, ARGUMENT_VALUE }, search,
	  emit_search },
	{ }
};
