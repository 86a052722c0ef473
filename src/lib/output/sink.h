/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SINK_H
#define SONDE_SINK_H

#include <stdio.h>

#include "compat/base/error.h"

/*
 * All that sonde writes to stdout and stderr goes through these streams, never through stdio's own.
 * They write everything: signals, pipes that take a part, and pipes that others made non-blocking
 * do not stop them. They keep the first error.
 *
 * sink_out() and sink_err() are for text or JSON with names that others may have chosen: they
 * escape everything but newlines and tabs. sink_rows() escapes nothing; it is only for
 * output_new(), which escapes by itself.
 */
FILE *sink_out(void);
FILE *sink_err(void);		/* line-buffered */
FILE *sink_rows(void);

/*
 * To be called before any file is opened: if descriptor 0, 1 or 2 is closed, /dev/null is opened in
 * its place, so no other file gets its number.
 */
void sink_begin(void);
/*
 * Writes all that stdout would get into a file from now on. Returns -1 and sets err, which begins
 * with `who`, if it can't be made.
 */
int sink_into(const char *who, const char *path, struct error *err);
/*
 * A stream into another file, as sink_rows(). The first write that fails is told on stderr, and
 * sink_end() returns 1 then. There are as many as options that have one. Returns NULL and sets err
 * if it can't be made.
 */
FILE *sink_file(const char *option, const char *path, struct error *err);
/* Writes an error to stderr, behind `who`, and what to do if it is one of open files. */
void sink_complain(const char *who, const struct error *err);
/*
 * To be called at the end: writes what is buffered. Returns `status`, or 1 with a message if stdout
 * could not be written.
 */
int sink_end(int status);

/*
 * For handlers of signals that end sonde. From the first signal on, writing waits a second at most
 * for a reader that does not read; then it fails with ECANCELED. After a second signal it does not
 * wait at all. That one counts if it comes a quarter of a second later or more: some senders signal
 * both the process and its group.
 */
void sink_hurry(void);
/* The errno of the first write of sink_rows() that failed; 0: none did. */
int sink_rows_error(void);
/* The message for errno of a failed write. Valid until the next call. */
const char *sink_error(int error);

#endif
