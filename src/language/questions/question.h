/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_QUESTION_H
#define SONDE_LANG_QUESTION_H

#include "src/language/questions/format.h"
#include "src/language/questions/script.h"

/*
 * A question of trace: PROBE [(FILTER)] ["FORMAT", VALUE, ...]. Its program writes a struct
 * trace_record, followed by the values.
 */
struct question {
	struct script_probe *on;	/* owned by the script; its predicate is the filter */
	const struct statement *statement;
	struct format_text format;
	bool has_format;
	/* no format: tracepoints are shown as the kernel shows them */
	bool own;
	struct lang_value values[FORMAT_MOST];
};

/*
 * Parses question number `number`, and adds its probe and program to the script. The text must stay
 * as long as the script. Returns -1 and sets err on failure; question_free() is called in either
 * case.
 */
int question_make(struct script *s, struct question *q, const char *text, unsigned int number,
		  struct error *err);
void question_free(struct question *q);

#endif
