// SPDX-License-Identifier: GPL-2.0
/* Functions of the letters of a text: how many there are, and where others are among them. */
#include <string.h>

#include "src/bt/emit.h"
#include "src/bt/parse.h"
#include "src/lang/types/types.h"

#define AT(OFFSET) ((int16_t)(OFFSET))

/* Bytes of the stack that the text takes. */
static unsigned int room_of(const struct node *n)
{
	return n->kind == NODE_TEXT ? (n->length + 8U) / 8 * 8 : n->type.bytes;
}

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
	const unsigned int frame = c->frame, size = room_of(n->a);
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

static uint64_t length_here(const struct node *n, const char *text, const char *unused)
{
	(void)n;
	(void)unused;
	return strlen(text);
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
	const int reg = code_register(depth), size = (int)room_of(n->a), most = (int)room_of(n->b);
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

/* Compares at each place where the letters may begin. */
static void emit_search(struct code *c, const struct node *n, int depth, const char *fault)
{
	const int reg = code_register(depth);
	const unsigned int frame = c->frame, size = room_of(n->a);
	const int off = code_room(c, size);
	const char *end = code_label(c);

	(void)fault;
	bt_emit_text(c, n->a, off, size, depth, true);
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

static uint64_t search_here(const struct node *n, const char *text, const char *letters)
{
	const char *found = strstr(text, letters);

	if (!says_where(n))
		return found != NULL;
	return found ? (uint64_t)(found - text) : UINT64_MAX;
}

const struct function bt_letter_functions[] = {
	{ "strlen", "strlen(TEXT)", { ARGUMENT_VALUE }, length, emit_length,
	  .of_text = length_here },
	{ "strcontains", "strcontains(TEXT, LETTERS)",
	  { ARGUMENT_VALUE, ARGUMENT_VALUE }, search, emit_search, .of_text = search_here },
	{ "strstr", "strstr(TEXT, LETTERS)", { ARGUMENT_VALUE, ARGUMENT_VALUE }, search,
	  emit_search, .of_text = search_here },
	{ }
};
