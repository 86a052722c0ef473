/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMORY_OUTPUT_H
#define SONDE_MEMORY_OUTPUT_H

#include <stdio.h>

#include "src/lib/output/output.h"

/* output_source.shown: shows columns with the option `arg`. */
bool shown_if_same(void *arg, const char *option);
/* Makes an output into memory, in UTC: *s is its text, with a NUL, after output_flush(). */
struct output *memory_output(char **s, FILE **file, const struct output_format *format,
			     const struct column *c, const char *option);
/* Ends the output, and fails unless its text is `expected`. */
void check_output(struct output *o, FILE *file, char **s, const char *expected);

#endif
