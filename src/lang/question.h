/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_QUESTION_H
#define SONDE_LANG_QUESTION_H

#include "insns/programs/trace.h"
#include "src/lang/format.h"
#include "src/lang/probe.h"

/*
 * A question of trace: PROBE [(FILTER)] ["FORMAT", VALUE, ...]. Its program hands over a struct
 * trace_record, and behind it the values: of a text an int64_t with what READ_STRING
 * said, then its bytes; of all else a uint64_t.
 */
struct question_value {
	bool is_text;
	struct text_node text;
	struct node *node;
	uint16_t offset;		/* in the record */
	uint16_t size;			/* of a text; it is shown up to `shown` */
	uint16_t shown;
};

struct question {
	struct lang_probe probe;
	char name[16];			/* of its hook */
	struct node *filter;		/* NULL: none */
	struct format_text format;
	bool has_format;
	struct question_value values[FORMAT_MOST];
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
