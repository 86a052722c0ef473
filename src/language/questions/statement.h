/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_STATEMENT_H
#define SONDE_LANG_STATEMENT_H

#include "src/language/questions/values.h"

/* What a script does with values (statement.c has a row for each kind). */
enum statement_kind {
	STATEMENT_PRINT,	/* outputs a struct trace_record, followed by the values */
	STATEMENT_COUNT,	/* map[key]++; the key is a struct argdist_key, then the values */
	STATEMENT_HISTOGRAM,	/* map[slot of the value]++ */
	STATEMENT_SUMS,		/* map[key, CPU or thread]: a struct argdist_sums of `summed` */
	STATEMENT_KEEP,		/* map[call] = a struct argdist_start with the values */
};

struct statement {
	enum statement_kind kind;
	const char *map;
	struct lang_value *values;
	unsigned int n;
	const struct lang_value *summed;	/* STATEMENT_SUMS */
	unsigned int key;	/* bytes of the record or key */
	unsigned int size;	/* bytes on the stack: `key`, and with STATEMENT_SUMS the sums */
	uint32_t number;	/* of the probe; STATEMENT_PRINT writes it to the record */
	bool again;		/* STATEMENT_KEEP: counts an earlier call whose return was missed */
	struct statement *next;
};

/* Sets the offsets of the values, `key` and `size`. */
void statement_lay_out(struct statement *s, unsigned int text_size);

/*
 * Adds the instructions. The record or key is at `bottom`, an offset on the stack. If a value is
 * missing and can't be marked as missing, the statement does nothing.
 */
void statement_add(struct code *c, const struct statement *s, int bottom);

/*
 * Adds a sequence of insns/programs/. The map named `from` is replaced by the map `to`; from NULL:
 * none is.
 */
void sequence_add(struct code *c, const struct insn *list, unsigned int n, const char *from,
		  const char *to);

/* Adds a sequence of insns/programs/trace.c; its record is at `bottom`. */
void record_sequence_add(struct code *c, const struct insn *list, unsigned int n, int bottom);

#endif
