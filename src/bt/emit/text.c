// SPDX-License-Identifier: GPL-2.0
/* Instructions of texts, which are on the stack with a fixed size. */
#include <assert.h>

#include "insns/programs/bt.h"
#include "src/bt/bind/bind.h"
#include "src/bt/emit/emit.h"
#include "src/language/expressions/functions/functions.h"

/* Registers of what clears the bytes behind a NUL. */
enum { ONES = R1, TOPS = R2, WORD = R3, NULS = R4, MASK = R5, REST = R0 };

static void zeros(struct code *c, int off, unsigned int from, unsigned int size)
{
	if (from < size)
		CODE(c, ZERO_AT(NULL, AT(off + (int)from), (int)(size - from)));
}

static void literal(struct code *c, const struct node *n, int off, unsigned int size)
{
	assert(n->length < size);
	zeros(c, off, 0, size);
	for (unsigned int i = 0; i < n->length; i++)
		CODE(c, BPF_ST_MEM(BPF_B, R10, AT(off + (int)i), n->text[i]));
}

/* MASK = -1 if a byte of the word was a NUL, else 0; the REST of the text is cleared then. */
static void clear_rest(struct code *c)
{
	CODE(c, BPF_MOV64_IMM(MASK, 0));
	CODE(c, BPF_ALU64_REG(BPF_SUB, MASK, NULS));
	CODE(c, BPF_ALU64_REG(BPF_OR, MASK, NULS));
	CODE(c, BPF_ALU64_IMM(BPF_ARSH, MASK, 63));
	CODE(c, BPF_ALU64_IMM(BPF_XOR, MASK, -1));
	CODE(c, BPF_ALU64_REG(BPF_AND, REST, MASK));
}

/*
 * Kernels copy user space's texts by words, so other bytes may follow the NUL (before 5.10), and
 * the arrays of records have what was there before. The lowest byte that is 0 has the lowest bit of
 * (word - 0x01...) & ~word & 0x80...; NULS - 1 has all bits below. There are no jumps, because the
 * verifier would walk along each way.
 */
static void clear_behind_end(struct code *c, int off, unsigned int size)
{
	CODE(c, BPF_MOV64_IMM(ONES, 0x01010101));
	CODE(c, BPF_MOV64_REG(TOPS, ONES));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, TOPS, 32));
	CODE(c, BPF_ALU64_REG(BPF_OR, ONES, TOPS));
	CODE(c, BPF_MOV64_REG(TOPS, ONES));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, TOPS, 7));
	CODE(c, BPF_MOV64_IMM(REST, -1));
	for (unsigned int i = 0; i < size; i += 8) {
		CODE(c, BPF_LDX_MEM(BPF_DW, WORD, R10, AT(off + (int)i)));
		CODE(c, BPF_ALU64_REG(BPF_AND, WORD, REST));
		CODE(c, RAW(BPF_ALU | BPF_END | BPF_TO_LE, WORD, 0, 0, 64));
		CODE(c, BPF_MOV64_REG(NULS, WORD));
		CODE(c, BPF_ALU64_REG(BPF_SUB, NULS, ONES));
		CODE(c, BPF_MOV64_REG(MASK, WORD));
		CODE(c, BPF_ALU64_IMM(BPF_XOR, MASK, -1));
		CODE(c, BPF_ALU64_REG(BPF_AND, NULS, MASK));
		CODE(c, BPF_ALU64_REG(BPF_AND, NULS, TOPS));
		CODE(c, BPF_MOV64_REG(MASK, NULS));
		CODE(c, BPF_ALU64_IMM(BPF_SUB, MASK, 1));
		CODE(c, BPF_ALU64_REG(BPF_XOR, MASK, NULS));
		CODE(c, BPF_ALU64_REG(BPF_AND, WORD, MASK));
		CODE(c, RAW(BPF_ALU | BPF_END | BPF_TO_LE, WORD, 0, 0, 64));
		CODE(c, BPF_STX_MEM(BPF_DW, R10, WORD, AT(off + (int)i)));
		clear_rest(c);
	}
	CODE(c, BPF_MOV64_IMM(R0, (int)size));
}

/* Clears the word at stack[off + at] but for its bytes before the end, which reg has. */
static void cut_word(struct code *c, int off, unsigned int at, int reg)
{
	const int place = off + (int)at;
	const char *some = code_label(c), *end = code_label(c);

	CODE(c, JSGT(reg, (int)at + 7, end));
	CODE(c, JSGT(reg, (int)at, some));
	CODE(c, BPF_ST_MEM(BPF_DW, R10, AT(place), 0));
	CODE(c, JUMP(end));
	CODE(c, LABEL(some));
	CODE(c, BPF_MOV64_IMM(R3, (int)at + 8));
	CODE(c, BPF_ALU64_REG(BPF_SUB, R3, reg));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, R3, 3));
	CODE(c, BPF_ALU64_IMM(BPF_AND, R3, 63));
	CODE(c, BPF_LDX_MEM(BPF_DW, R2, R10, AT(place)));
	CODE(c, RAW(BPF_ALU | BPF_END | BPF_TO_LE, R2, 0, 0, 64));
	CODE(c, BPF_ALU64_REG(BPF_LSH, R2, R3));
	CODE(c, BPF_ALU64_REG(BPF_RSH, R2, R3));
	CODE(c, RAW(BPF_ALU | BPF_END | BPF_TO_LE, R2, 0, 0, 64));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R2, AT(place)));
	CODE(c, LABEL(end));
}

/* Ends the text before its length, which counts the NUL. r0 is kept. */
static void cut(struct code *c, const struct node *length, int off, unsigned int size, int depth)
{
	const unsigned int frame = c->frame;
	const int kept = code_room(c, 8), reg = code_register(depth);

	CODE(c, BPF_STX_MEM(BPF_DW, R10, R0, AT(kept)));
	bt_emit_number(c, length, depth);
	CODE(c, BPF_ALU64_IMM(BPF_SUB, reg, 1));
	for (unsigned int at = 0; at < size; at += 8)
		cut_word(c, off, at, reg);
	CODE(c, BPF_LDX_MEM(BPF_DW, R0, R10, AT(kept)));
	c->frame = frame;
}

/* If r0 is negative, the text is unreadable: it is empty, and counted. Then goto end. */
static void unless_read(struct code *c, int off, unsigned int kept, const char *end)
{
	const char *read = code_label(c);

	CODE(c, JSGE(R0, 0, read));
	bt_emit_failure(c);
	zeros(c, off, 0, kept);
	CODE(c, BPF_MOV64_IMM(R0, -1));
	CODE(c, JUMP(end));
	CODE(c, LABEL(read));
}

/* The text may be longer than what is kept of it: then it is cut. */
void bt_emit_event_text(struct code *c, const struct node *n, int off, unsigned int size, int depth,
			bool exact)
{
	const struct text_node text = text_of_call(n);
	const unsigned int kept = n->type.bytes < size ? n->type.bytes : size;
	const bool comm = c->scope->needs.inputs[text.input].identity && text.way == TEXT_BYTES;
	const char *end = code_label(c);

	zeros(c, off, kept, size);
	code_text_at(c, &text, off, kept, depth);
	if (text.way != TEXT_BYTES)
		unless_read(c, off, kept, end);
	if (n->b)
		cut(c, n->b, off, kept, depth);
	if (exact && !comm)
		clear_behind_end(c, off, kept);
	CODE(c, LABEL(end));
}

/* What has no path, as memory without a file, is an empty text. */
void bt_emit_path(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		  bool exact)
{
	const unsigned int kept = n->type.bytes < size ? n->type.bytes : size;
	const char *end = code_label(c);

	(void)depth;
	(void)exact;
	zeros(c, off, 0, size);
	CODE(c, PATH_AT(AT(off), c->scope->needs.inputs[n->value].name, (int)kept));
	unless_read(c, off, kept, end);
	clear_behind_end(c, off, kept);
	CODE(c, LABEL(end));
}

static void choice(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		   bool exact)
{
	const char *fault = code_label(c), *otherwise = code_label(c), *end = code_label(c);

	code_value_at(c, n->a, depth, n->a->faults ? fault : NULL);
	CODE(c, JEQ(code_register(depth), 0, otherwise));
	bt_emit_text(c, n->b, off, size, depth, exact);
	CODE(c, JUMP(end));
	if (n->a->faults) {
		CODE(c, LABEL(fault));
		bt_emit_failure(c);
	}
	CODE(c, LABEL(otherwise));
	bt_emit_text(c, n->c, off, size, depth, exact);
	CODE(c, LABEL(end));
}

void bt_emit_text(struct code *c, const struct node *n, int off, unsigned int size, int depth,
		  bool exact)
{
	const unsigned int kept = n->type.bytes < size ? n->type.bytes : size;

	if (n->kind == NODE_CHOICE) {
		choice(c, n, off, size, depth, exact);
	} else if (n->kind == NODE_CALL) {
		n->function->text(c, n, off, size, depth, exact);
	} else {
		if (n->kind == NODE_TEXT) {
			literal(c, n, off, size);
		} else {
			zeros(c, off, kept, size);
			CODE(c, COPY_AT(NULL, R10, AT(off), R10, (int)n->value, kept));
		}
		CODE(c, BPF_MOV64_IMM(R0, (int)size));
	}
}

/* ---- comparing ---- */

/* Goes to `no` unless the first bytes at both places of the stack are the same. */
static void same_bytes(struct code *c, int off, int other, int size, const char *no)
{
	const int shift = c->big_endian ? BPF_RSH : BPF_LSH;

	for (int i = 0; i < size; i += 8) {
		CODE(c, BPF_LDX_MEM(BPF_DW, R2, R10, AT(off + i)));
		CODE(c, BPF_LDX_MEM(BPF_DW, R3, R10, AT(other + i)));
		if (size - i < 8) {
			CODE(c, BPF_ALU64_IMM(shift, R2, 64 - 8 * (size - i)));
			CODE(c, BPF_ALU64_IMM(shift, R3, 64 - 8 * (size - i)));
		}
		CODE(c, JNE_REG(R2, R3, no));
	}
}

/* All bytes of a literal are compared, with its NUL, or only the first n->value letters. */
void bt_emit_same(struct code *c, const struct node *n, int depth, const char *fault)
{
	const struct node *literal = n->a->kind == NODE_TEXT ? n->a :
				     n->b->kind == NODE_TEXT ? n->b : NULL;
	const struct node *sides[] = { literal == n->a ? n->b : n->a, n->b };
	const unsigned int frame = c->frame, a = bt_text_room(n->a), b = bt_text_room(n->b),
			   size = a > b ? a : b;
	const int off = code_room(c, size), other = literal ? 0 : code_room(c, size);
	const char *no = code_label(c);

	(void)fault;
	bt_emit_text(c, sides[0], off, size, depth, !literal);
	if (literal) {
		code_letters(c, literal->text, n->value ? (unsigned int)n->value :
			     literal->length + 1U, off, no);
	} else {
		bt_emit_text(c, sides[1], other, size, depth, true);
		same_bytes(c, off, other,
			   (int)(n->value && n->value < size ? n->value : size), no);
	}
	code_yes_or_no(c, code_register(depth), no);
	c->frame = frame;
}
