/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACE_WRITE_H
#define SONDE_TRACE_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/base/strbuf.h"
#include "compat/recordings/perf/perf_write.h"

/*
 * Writes trace.dat, version 6, which all versions of trace-cmd read. It has the pages of one CPU
 * behind those of another. So each CPU has a file without a name while it is recorded; the end
 * moves these into the recording, and frees their room on the disk as it goes.
 */

/* What a recording tells of its machine. */
struct trace_head {
	struct kernel *kernel;
	const struct perf_written *events;	/* in the order of their systems */
	unsigned int n_events;
	unsigned int cpus;			/* the highest + 1 */
	uint32_t page;				/* bytes of a ring's page */
	const char *header_page;		/* events/header_page of the ring */
	const char *clocks;			/* its trace_clock: the one in use is in brackets */
	bool clock;				/* times are those of CLOCK_MONOTONIC */
	const struct strbuf *probes;		/* recorded_probes.h; NULL: there are none */
};

/* What is known when it ends. */
struct trace_tail {
	const char *names;		/* of tasks, as saved_cmdlines; NULL: none */
	const struct strbuf *stats;	/* texts of per_cpu/cpuN/stats, each with its NUL */
	const struct strbuf *side;	/* lines of trace_side.h */
};

struct trace_writer;

/*
 * Makes the file, and writes what is before names of tasks. Returns NULL and sets err on failure.
 * The texts of *head must stay.
 */
struct trace_writer *trace_writer_open(const char *path, const struct trace_head *head,
				       struct error *err);
/* The file for pages of a CPU, to be written at its end; -1 and sets err. */
int trace_writer_pages(struct trace_writer *w, unsigned int cpu, struct error *err);
/*
 * Writes the rest, and all pages. A page that was written in part is left out. Returns -1 and sets
 * err on failure: the file is worth what is in it, unless not even its tail is.
 */
int trace_writer_end(struct trace_writer *w, const struct trace_tail *tail, struct error *err);
/* The bytes of the file. */
uint64_t trace_writer_bytes(const struct trace_writer *w);
/* Frees the writer. Returns -1 and sets err if the file could not be written; err may be NULL. */
int trace_writer_close(struct trace_writer *w, struct error *err);

#endif
