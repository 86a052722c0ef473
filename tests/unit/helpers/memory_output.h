/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMORY_OUTPUT_H
#define SONDE_MEMORY_OUTPUT_H

#include <stdio.h>

#include "src/lib/output/output.h"

/* Shows columns with the option that `arg` is. */
bool shown_if_same(void *arg, const char *option);
/* An output into memory, in UTC: NUL-terminated text in *s after output_flush(). */
struct output *memory_output(char **s, FILE **file, const struct output_format *format,
			     const struct column *c, const char *option);
/* Ends it, and fails unless that is what it wrote. */
void check_output(struct output *o, FILE *file, char **s, const char *expected);

#endif
