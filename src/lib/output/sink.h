/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SINK_H
#define SONDE_SINK_H

#include <stdio.h>

/*
 * The ways out: all that sonde writes to stdout and stderr goes through these, and nothing through
 * stdio's own. They write all they are given, however often a signal comes between, the pipe takes
 * only a part, or, where others made it non-blocking, nothing now; and they keep the first error.
 *
 * What goes to sink_out() and sink_err() is text or JSON whose lines may have names in it that
 * others chose: they are escaped, newlines and tabs aside. sink_rows() passes all: for
 * output_new() only, which escapes what it prints.
 */
FILE *sink_out(void);
FILE *sink_err(void);		/* by lines */
FILE *sink_rows(void);

/*
 * Before anything is opened: what is closed of 0, 1 and 2 becomes something that nothing else is
 * taken for.
 */
void sink_begin(void);
/*
 * At the end: writes what is left. Returns the status, or 1 with a message if stdout could not be
 * written.
 */
int sink_end(int status);

/*
 * For handlers of signals that ask sonde to end: the first one changes nothing, all that there is
 * is written. After a second one, a quarter of a second later or more (some senders signal the
 * process and its group), a reader that does not read is not waited for any more: writing fails
 * with ECANCELED.
 */
void sink_hurry(void);
/* What errno of a failed write says to people. */
const char *sink_error(int error);

#endif
