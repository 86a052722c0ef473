// SPDX-License-Identifier: GPL-2.0
#include "src/language/questions/statement.h"

#include <stddef.h>
#include <string.h>

#include "insns/programs/argdist.h"
#include "insns/programs/trace.h"
#include "src/language/questions/sums.h"
#include "src/language/types/types.h"

#define HEAD sizeof(struct trace_record)
#define RECORD(MEMBER) ((int16_t)(bottom + (int)offsetof(struct trace_record, MEMBER)))
#define KEY(MEMBER) ((int16_t)(bottom + (int)offsetof(struct argdist_key, MEMBER)))
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
	const char *end = code_label(c), *no_total = code_label(c);

	code_value(c, n, n->faults ? end : NULL);
	value_slot(c, c_signed(&n->type), true);
	CODE(c, BPF_STX_MEM(BPF_W, R10, R7, (int16_t)bottom));
	CODE(c, ADD_AT(s->map, (int16_t)bottom, R0));
	code_unless(c, "exact", no_total);
	if (c_signed(&n->type))
		CODE(c, JSLT(R6, 0, no_total));
	CODE(c, BPF_ST_MEM(BPF_W, R10, (int16_t)bottom, ARGDIST_TOTAL));
	CODE(c, ADD_AT(s->map, (int16_t)bottom, R6));
	CODE(c, LABEL(no_total));
	if (n->faults)
		CODE(c, LABEL(end));
}

static void sums(struct code *c, const struct statement *s, int bottom)
{
	const struct node *n = s->summed->node;
	const int value = bottom + (int)s->key;
	const char *end = code_label(c);

	value_sums_make(c, n, value, end);
	CODE(c, BPF_ST_MEM(BPF_W, R10, KEY(unknown), 0));
	for (unsigned int i = 0; i < s->n; i++)
		values_add(c, s->values, i, bottom, KEY(unknown));
	value_sums_add(c, s->map, bottom, value, c_signed(&n->type), end);
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
