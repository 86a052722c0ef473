/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACE_FILE_H
#define SONDE_TRACE_FILE_H

#include "tests/unit/helpers/perf_file.h"

/* A small trace.dat in memory, of both versions and byte orders. */
struct trace_form {
	struct perf_form bytes;		/* its name and byte order; no more of it is used */
	unsigned int version;		/* 6 or 7 */
	unsigned int word;		/* bytes of a long */
	uint32_t page;			/* of the rings */
	bool all;			/* it has formats of all events, not of chosen ones */
	bool instance;			/* the records are in an instance */
	bool twice;			/* they are in both buffers */
	const char *clock;		/* NULL: mono */
	bool scaled;			/* it tells how times become ns: they are the same */
	const char *packer;		/* NULL: nothing is compressed; only of version 7 */
	bool side;			/* it has what sonde adds (trace_side.h) */
};

/* What the records of trace_file_make() are, as text: a line each. */
extern const char trace_file_text[];

/* Makes it; the caller calls perf_file_free(). */
void trace_file_make(struct perf_file *f, const struct trace_form *form);

#endif
