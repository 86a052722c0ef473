/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACING_WRITE_H
#define SONDE_TRACING_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/strbuf.h"
#include "compat/recordings/perf/perf_write.h"

/* What perf and trace-cmd write before the records; tracing_data.h reads it. */
struct tracing_written {
	struct kernel *kernel;
	const struct perf_written *events;	/* in the order of their systems */
	unsigned int n_events;
	const char *version;			/* of the layout */
	uint32_t page;				/* bytes of a page */
	const char *header_page;		/* the text; NULL: the kernel has none */
	/* for readers that print events: ftrace's own formats, functions, texts of the kernel */
	bool printed;
};

/* Adds all up to the names of tasks, which are behind it: u64 their bytes, and the text. */
void tracing_data_write(struct strbuf *to, const struct tracing_written *w);

/* Add a number in this machine's byte order, or n zeros. */
void put_u16(struct strbuf *to, uint16_t value);
void put_u32(struct strbuf *to, uint32_t value);
void put_u64(struct strbuf *to, uint64_t value);
void put_zeros(struct strbuf *to, size_t n);

#endif
