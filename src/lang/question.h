/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_QUESTION_H
#define SONDE_LANG_QUESTION_H

#include "src/lang/format.h"
#include "src/lang/script.h"

/*
 * A question of trace: PROBE [(FILTER)] ["FORMAT", VALUE, ...]. Its program hands over a struct
 * trace_record, and behind it the values.
 */
struct question {
	struct script_probe *on;	/* the script's; its predicate is the filter */
	const struct statement *statement;
	struct format_text format;
	bool has_format;
	bool own;			/* none: tracepoints are shown as the kernel does */
	struct lang_value values[FORMAT_MOST];
};

/*
 * Reads question number `number`, and adds its probe and program to the script. The text has to
 * live as long as the script. Returns -1 and sets err if it can't be read or made; the caller calls
 * question_free() in either case.
 */
int question_make(struct script *s, struct question *q, const char *text, unsigned int number,
		  struct error *err);
void question_free(struct question *q);

#endif
