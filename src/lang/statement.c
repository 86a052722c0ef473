// SPDX-License-Identifier: GPL-2.0
#include "src/lang/statement.h"

#include <stddef.h>
#include <string.h>

#include "insns/programs/argdist.h"
#include "insns/programs/trace.h"
#include "src/lang/types/types.h"

#define HEAD sizeof(struct trace_record)
#define RECORD(MEMBER) ((int16_t)(bottom + (int)offsetof(struct trace_record, MEMBER)))
#define KEY(MEMBER) ((int16_t)(bottom + (int)offsetof(struct argdist_key, MEMBER)))
#define SUMS(MEMBER) ((int16_t)(sums + (int)offsetof(struct argdist_sums, MEMBER)))
#define ENTRY(MEMBER) ((int16_t)offsetof(struct argdist_sums, MEMBER))
#define START(MEMBER) (ARGDIST_START + (int)offsetof(struct argdist_start, MEMBER))

void sequence_add(struct code *c, const struct insn *list, unsigned int n, const char *from,
		  const char *to)
{
	for (unsigned int i = 0; i < n; i++) {
		struct insn insn = list[i];

		if (from && insn.name && !strcmp(insn.name, from))
			insn.name = to;
		code_add(c, insn);
	}
}

void record_sequence_add(struct code *c, const struct insn *list, unsigned int n, int bottom)
{
	for (unsigned int i = 0; i < n; i++) {
		struct insn insn = list[i];
		const int class = BPF_CLASS(insn.bpf.code);
		const uint16_t line = insn.line;

		if (insn.symbol == SYM_BYTES || (insn.symbol == PLAIN && insn.bpf.dst_reg == R10 &&
						 (class == BPF_ST || class == BPF_STX)))
			insn.bpf.off = (int16_t)(insn.bpf.off + bottom + (int)HEAD);
		code_add(c, insn);
		if (!c->failed)
			c->insns[c->n - 1].line = line;
	}
}

static void print(struct code *c, const struct statement *s, int bottom)
{
	record_sequence_add(c, trace_fill, trace_fill_n, bottom);
	CODE(c, BPF_ST_MEM(BPF_W, R10, RECORD(probe), (int)s->number));
	for (unsigned int i = 0; i < s->n; i++)
		values_add(c, s->values, i, bottom, RECORD(unknown));
	CODE(c, OUTPUT_AT(s->map, (int16_t)bottom, (int)s->size));
}

static void count(struct code *c, const struct statement *s, int bottom)
{
	CODE(c, BPF_ST_MEM(BPF_W, R10, KEY(unknown), 0));
	for (unsigned int i = 0; i < s->n; i++)
		values_add(c, s->values, i, bottom, KEY(unknown));
	CODE(c, EPOCH(R0));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R0, KEY(epoch)));
	CODE(c, ADD_AT(s->map, (int16_t)bottom, R0));
}

static void histogram(struct code *c, const struct statement *s, int bottom)
{
	const struct node *n = s->values->node;
	const char *counted = code_label(c), *positive = code_label(c), *end = code_label(c);

	code_value(c, n, n->faults ? end : NULL);
	if (c_signed(&n->type)) {
		CODE(c, JSGE(R6, 0, positive));
		CODE(c, BPF_MOV64_IMM(R7, ARGDIST_NEGATIVE));
		CODE(c, JUMP(counted));
		CODE(c, LABEL(positive));
	}
	CODE(c, LOG2(R7, R6));
	CODE(c, LABEL(counted));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R7, (int16_t)bottom));
	CODE(c, ADD_AT(s->map, (int16_t)bottom, R0));
	if (n->faults)
		CODE(c, LABEL(end));
}

/* Makes sums of one value, at `sums` of the stack. Goes to `end` if the value can't be read. */
static void sums_of_one(struct code *c, const struct node *n, int sums, const char *end)
{
	code_value(c, n, n->faults ? end : NULL);
	CODE(c, BPF_ST_MEM(BPF_DW, R10, SUMS(count), 1));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, SUMS(min)));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, SUMS(max)));
	CODE(c, BPF_MOV32_REG(R7, R6));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R7, SUMS(low)));
	if (c_signed(&n->type))
		CODE(c, BPF_ALU64_IMM(BPF_ARSH, R6, 32));
	else
		CODE(c, BPF_ALU64_IMM(BPF_RSH, R6, 32));
	CODE(c, BPF_STX_MEM(BPF_DW, R10, R6, SUMS(high)));
}

/* Adds the sums at `sums` of the stack to the entry's sums at r0. */
static void add_sums(struct code *c, bool is_signed, int sums)
{
	static const int16_t added[] = { ENTRY(count), ENTRY(low), ENTRY(high) };
	const char *min = code_label(c), *max = code_label(c);

	for (unsigned int i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
		CODE(c, BPF_LDX_MEM(BPF_DW, R1, R10, (int16_t)(sums + added[i])));
		CODE(c, BPF_LDX_MEM(BPF_DW, R2, R0, added[i]));
		CODE(c, BPF_ALU64_REG(BPF_ADD, R2, R1));
		CODE(c, BPF_STX_MEM(BPF_DW, R0, R2, added[i]));
	}
	CODE(c, BPF_LDX_MEM(BPF_DW, R1, R10, SUMS(min)));
	CODE(c, BPF_LDX_MEM(BPF_DW, R2, R0, ENTRY(min)));
	CODE(c, JUMP_IF_REG(is_signed ? BPF_JSLE : BPF_JLE, R2, R1, min));
	CODE(c, BPF_STX_MEM(BPF_DW, R0, R1, ENTRY(min)));
	CODE(c, LABEL(min));
	CODE(c, BPF_LDX_MEM(BPF_DW, R2, R0, ENTRY(max)));
	CODE(c, JUMP_IF_REG(is_signed ? BPF_JSGE : BPF_JGE, R2, R1, max));
	CODE(c, BPF_STX_MEM(BPF_DW, R0, R1, ENTRY(max)));
	CODE(c, LABEL(max));
}

static void sums(struct code *c, const struct statement *s, int bottom)
{
	const struct node *n = s->summed->node;
	const int value = bottom + (int)s->key;
	const char *end = code_label(c), *found = code_label(c);

	sums_of_one(c, n, value, end);
	CODE(c, BPF_ST_MEM(BPF_W, R10, KEY(unknown), 0));
	for (unsigned int i = 0; i < s->n; i++)
		values_add(c, s->values, i, bottom, KEY(unknown));
	CODE(c, FIELD(R6, c->scope->user_space ? "tid" : "cpu"));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, R6, ARGDIST_OWNER));
	CODE(c, BPF_LDX_MEM(BPF_W, R7, R10, KEY(unknown)));
	CODE(c, BPF_ALU64_REG(BPF_OR, R6, R7));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R6, KEY(unknown)));
	CODE(c, EPOCH(R0));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R0, KEY(epoch)));
	CODE(c, LOOKUP_AT(s->map, (int16_t)bottom));
	CODE(c, JNE(R0, 0, found));
	CODE(c, UPDATE_AT(s->map, (int16_t)bottom, value, BPF_NOEXIST));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, COUNT_FULL);
	CODE(c, JUMP(end));
	CODE(c, LABEL(found));
	add_sums(c, c_signed(&n->type), value);
	CODE(c, LABEL(end));
}

static void keep(struct code *c, const struct statement *s, int bottom)
{
	(void)bottom;
	for (unsigned int i = 0; i < s->n; i++)
		values_add(c, s->values, i, START(values), START(unknown));
	if (s->again)
		sequence_add(c, argdist_again, argdist_again_n, argdist_start.name, s->map);
	sequence_add(c, argdist_keep, argdist_keep_n, argdist_start.name, s->map);
}

/*
 * head: bytes before the values. values_behind: the values follow the head. more: bytes on the
 * stack behind the key.
 */
static const struct {
	void (*add)(struct code *c, const struct statement *s, int bottom);
	unsigned int head;
	bool values_behind;
	unsigned int more;
} rows[] = {
	[STATEMENT_PRINT] = { print, HEAD, true, 0 },
	[STATEMENT_COUNT] = { count, sizeof(struct argdist_key), true, 0 },
	[STATEMENT_HISTOGRAM] = { histogram, 8, false, 0 },
	[STATEMENT_SUMS] = { sums, sizeof(struct argdist_key), true,
			     sizeof(struct argdist_sums) },
	[STATEMENT_KEEP] = { keep, 0, false, 0 },
};

void statement_lay_out(struct statement *s, unsigned int text_size)
{
	s->key = rows[s->kind].head;
	if (rows[s->kind].values_behind)
		s->key = values_lay_out(s->values, s->n, s->key, text_size);
	s->size = s->key + rows[s->kind].more;
}

void statement_add(struct code *c, const struct statement *s, int bottom)
{
	rows[s->kind].add(c, s, bottom);
}
