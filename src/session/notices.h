/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NOTICES_H
#define SONDE_NOTICES_H

#include <stdio.h>

#include "backends/backend.h"
#include "compat/base/lines.h"
#include "src/run/run.h"

/* What users are told about a run beside its rows, on stderr unless a file is given. */

/* After attaching: warnings, and with -v the chosen alternatives. */
void notices_chosen(const struct run *r);
/* Limits of searches that were reached: what is behind them is not traced. */
void notices_limits(const struct run *r);
/* The hooks and inputs that are missing, and the files that were not probed; the caller frees. */
struct lines notices_missing(const struct run *r);
/*
 * Members of structs that events need and that were not found; programs and libraries that could
 * not be probed.
 */
void notices_unknown(const struct run *r, FILE *file, const char *prefix);
/* Prints each line behind the prefix, and frees the lines. */
void notices_lines(FILE *file, const char *prefix, struct lines lines);

/* At the end: the output's end object; the losses, and with -v how many events were seen. */
void notices_end(struct run *r, const struct engine_stats *s);
/* The losses alone. */
void notices_losses(const struct run *r, const struct engine_stats *s);
/* What the recording lacks, as far as it was read; NULL: there is none. */
void notices_recording(const struct run *r, struct recording *recording);

#endif
