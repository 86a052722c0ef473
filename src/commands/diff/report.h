/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DIFF_REPORT_H
#define SONDE_DIFF_REPORT_H

#include "src/commands/diff/options.h"
#include "src/commands/diff/reader.h"
#include "src/commands/diff/side.h"

/* What the heading says below the two files: that the runs are not as comparable as they seem. */
struct lines diff_notes(const struct diff_file files[DIFF_SIDES], const struct diff_reader *r);

/*
 * Prints the heading and the tables to a file. Returns -1 and sets err without memory, or if the
 * output can't be written; a reader that is gone is no error.
 */
int diff_report(FILE *file, const struct diff_options *o,
		const struct diff_file files[DIFF_SIDES], const struct diff_reader *r,
		struct error *err);

#endif
