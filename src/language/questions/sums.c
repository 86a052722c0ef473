// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/sums.h"

#include <stddef.h>

#include "insns/programs/argdist.h"
#include "src/language/types/types.h"

#define SUMS(MEMBER) ((int16_t)(sums + (int)offsetof(struct argdist_sums, MEMBER)))
#define ENTRY(MEMBER) ((int16_t)offsetof(struct argdist_sums, MEMBER))
#define KEY(MEMBER) ((int16_t)(key + (int)offsetof(struct argdist_key, MEMBER)))

void value_sums_make(struct code *c, const struct node *n, int sums, const char *end)
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
static void add_to_entry(struct code *c, bool is_signed, int sums)
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

void value_sums_add(struct code *c, const char *map, int key, int sums, bool is_signed,
		    const char *end)
{
	const char *found = code_label(c);

	CODE(c, FIELD(R6, c->scope->user_space ? "tid" : "cpu"));
	CODE(c, BPF_ALU64_IMM(BPF_LSH, R6, ARGDIST_OWNER));
	CODE(c, BPF_LDX_MEM(BPF_W, R7, R10, KEY(unknown)));
	CODE(c, BPF_ALU64_REG(BPF_OR, R6, R7));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R6, KEY(unknown)));
	CODE(c, EPOCH(R0));
	CODE(c, BPF_STX_MEM(BPF_W, R10, R0, KEY(epoch)));
	CODE(c, LOOKUP_AT(map, (int16_t)key));
	CODE(c, JNE(R0, 0, found));
	CODE(c, UPDATE_AT(map, (int16_t)key, sums, BPF_NOEXIST));
	CODE(c, JEQ(R0, 0, end));
	CODE(c, COUNT_FULL);
	CODE(c, JUMP(end));
	CODE(c, LABEL(found));
	add_to_entry(c, is_signed, sums);
}

/* As VALUE_SLOT of insns/hist.h. */
static void exact_slot(struct code *c, const char *end)
{
	const char *from_bound = code_label(c);

	code_unless(c, "exact", from_bound);
	CODE(c, BPF_MOV64_REG(R7, R6));
	CODE(c, JEQ(R7, 0, end));
	CODE(c, BPF_ALU64_IMM(BPF_SUB, R7, 1));
	CODE(c, LOG2(R7, R7));
	CODE(c, JUMP(end));
	CODE(c, LABEL(from_bound));
}

void value_slot(struct code *c, bool is_signed, bool may_be_exact)
{
	const char *positive = code_label(c), *end = code_label(c);

	if (is_signed) {
		CODE(c, JSGE(R6, 0, positive));
		CODE(c, BPF_MOV64_IMM(R7, ARGDIST_NEGATIVE));
		CODE(c, JUMP(end));
		CODE(c, LABEL(positive));
	}
	if (may_be_exact)
		exact_slot(c, end);
	CODE(c, LOG2(R7, R6));
	CODE(c, LABEL(end));
}
