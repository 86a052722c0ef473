/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_QUESTION_H
#define SONDE_LANG_QUESTION_H

#include "insns/programs/trace.h"
#include "src/lang/format.h"
#include "src/lang/probe.h"
#include "src/lang/values.h"

/*
 * A question of trace: PROBE [(FILTER)] ["FORMAT", VALUE, ...]. Its program hands over a struct
 * trace_record, and behind it the values.
 */
struct question {
	struct lang_probe probe;
	char name[16];			/* of its hook */
	struct node *filter;		/* NULL: none */
	struct format_text format;
	bool has_format;
	bool own;			/* none: tracepoints are shown as the kernel does */
	unsigned int size;		/* of what its program hands over, bytes */
	struct lang_value values[FORMAT_MOST];
	struct code code;
};

/*
 * Reads question number `number`, finds what it names and makes its program. -1 and err;
 * question_free() in either case.
 */
int question_make(struct kernel *k, struct question *q, const char *text, unsigned int number,
		  unsigned int text_size, struct error *err);
void question_free(struct question *q);

#endif
