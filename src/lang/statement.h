/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_STATEMENT_H
#define SONDE_LANG_STATEMENT_H

#include "src/lang/values.h"

/* A script's actions on values (statement.c has a row for each). */
enum statement_kind {
	STATEMENT_PRINT,	/* hands over a struct trace_record, and the values behind it */
	STATEMENT_COUNT,	/* map[key]++: a struct argdist_key, the values behind it */
	STATEMENT_HISTOGRAM,	/* map[slot of the value]++ */
	STATEMENT_KEEP,		/* map[call] = a struct argdist_start with the values */
};

struct statement {
	enum statement_kind kind;
	const char *map;
	struct lang_value *values;
	unsigned int n;
	unsigned int size;	/* of the record or the key on the stack, bytes */
	uint32_t number;	/* of the probe, which the record has */
	bool again;		/* STATEMENT_KEEP: a call that began before and is unended counts */
	struct statement *next;
};

/* Says where the values are; sets `size`. */
void statement_lay_out(struct statement *s, unsigned int text_size);

/*
 * Adds the instructions. The record or key is at `bottom`, an offset of the stack. Where a value is
 * missing that can't be shown as missing, the statement does nothing.
 */
void statement_add(struct code *c, const struct statement *s, int bottom);

/*
 * Adds a sequence of insns/programs/. Where `from` is not NULL, the map of that name is the map
 * `to` here.
 */
void sequence_add(struct code *c, const struct insn *list, unsigned int n, const char *from,
		  const char *to);

/* Adds a sequence of insns/programs/trace.c, whose record is at `bottom`. */
void record_sequence_add(struct code *c, const struct insn *list, unsigned int n, int bottom);

#endif
