/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NOTICES_H
#define SONDE_NOTICES_H

#include <stdio.h>

#include "backends/backend.h"
#include "compat/base/lines.h"
#include "src/run.h"

/* What users are told about a run beside its rows, on stderr unless a file is given. */

/* When it is attached: what was chosen, for who asks (-v); what all users have to know of it. */
void notices_chosen(const struct run *r);
/* What was too much to be looked at is missing in all that follows. */
void notices_limits(const struct run *r);
/*
 * Members of structs that events wanted and nobody knows; programs and libraries that could not be
 * probed.
 */
void notices_unknown(const struct run *r, FILE *file, const char *prefix);
/* Each line behind the prefix; uses the lines up. */
void notices_lines(FILE *file, const char *prefix, struct lines lines);

/* At the end: the end object of the output; what was lost, and with -v how much was seen. */
void notices_end(struct run *r, const struct engine_stats *s);
void notices_losses(const struct run *r, const struct engine_stats *s);

#endif
