/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACING_DATA_H
#define SONDE_TRACING_DATA_H

#include "compat/recordings/cursor.h"
#include "compat/recordings/recording_internal.h"

/*
 * What trace-cmd and perf write before the records: formats of events, symbols, names of tasks
 * (trace-cmd.dat.v6(5) describes it; perf has it as a section).
 */

/*
 * Reads it: formats become facts, tracepoints events of the recording. `c` is then behind it.
 * Returns -1 and sets err if it is damaged.
 */
int tracing_data_read(struct recording *r, struct cursor *c, struct error *err);

/* Its parts, of which trace-cmd moves some. What is missing breaks the cursor. */

/*
 * The head: sets the recording's size of a long, the cursor's byte order, and the bytes of a page.
 * Returns the version of the layout; NULL and sets err if it is no head.
 */
const char *tracing_head_read(struct recording *r, struct cursor *c, uint32_t *page,
			      struct error *err);
/*
 * Return a text behind its length of 8 bytes, without a NUL; tracing_header_read(): behind a name.
 */
const char *tracing_text_read(struct cursor *c, size_t *length);
const char *tracing_header_read(struct cursor *c, size_t *length);
/*
 * Call `each`, if there is one, for the formats of a system; of all systems. What it returns ends
 * them if it is not 0, and is returned.
 */
typedef int (*tracing_format_fn)(struct recording *r, const char *system, const char *text,
				 size_t length, struct error *err);
int tracing_events_each(struct recording *r, struct cursor *c, const char *system,
			tracing_format_fn each, struct error *err);
int tracing_systems_each(struct recording *r, struct cursor *c, tracing_format_fn each,
			 struct error *err);
/* Adds an event and its format. Returns -1 and sets err on failure. */
int tracing_event_add(struct recording *r, const char *system, const char *text, size_t length,
		      struct error *err);
/* Goes behind symbols, formats of trace_printk() and names of tasks. */
void tracing_rest_pass(struct cursor *c);

#endif
