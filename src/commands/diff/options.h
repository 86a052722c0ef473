/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DIFF_OPTIONS_H
#define SONDE_DIFF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "src/commands/diff/reader.h"
#include "src/lib/output/formats/formats.h"

#define DIFF_TOP 10

struct diff_options {
	const char *paths[DIFF_SIDES];
	const struct tool *tool;
	char *const *words;		/* of the tool; ends with NULL */
	const struct output_format *format;
	uint64_t top;			/* rows of each table; 0: all */
	const char *flame;		/* the file; NULL: none */
	char *by_words;			/* of `by`, freed by diff_options_free() */
	const char *by[DIFF_BY];
	unsigned int n_by;
	bool help;
};

/* Returns -1 and sets err after a mistake. The caller calls diff_options_free() in any case. */
int diff_options_read(struct diff_options *o, char **argv, struct error *err);
void diff_options_free(struct diff_options *o);
void diff_help(FILE *file);

#endif
