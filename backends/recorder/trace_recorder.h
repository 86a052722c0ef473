/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACE_RECORDER_H
#define SONDE_TRACE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/*
 * Records tracepoints and probes of this kernel in the rings of an instance of tracefs, and moves
 * their pages into files, one for each CPU, as they are: no record is taken apart. CPUs that come
 * online later are recorded as well.
 */
struct trace_recorder;

struct trace_recorder_options {
	unsigned int pages;		/* of each CPU's ring */
	FILE *verbose;			/* NULL: nobody listens */
};

/* Makes an instance whose events are off. Returns NULL and sets err on failure. */
struct trace_recorder *trace_recorder_open(struct kernel *k,
					   const struct trace_recorder_options *o,
					   struct error *err);
/* Lets others sweep the instance: see detach.h. */
void trace_recorder_close(struct trace_recorder *t);

/* Adds an event, before trace_recorder_start(). Returns -1 and sets err on failure. */
int trace_recorder_add(struct trace_recorder *t, const char *system, const char *name,
		       struct error *err);
/* Enables all events, then begins to record. Returns -1 and sets err on failure. */
int trace_recorder_start(struct trace_recorder *t, struct error *err);
/* Ends it; what a CPU was writing is in its ring then. */
void trace_recorder_stop(struct trace_recorder *t);

/*
 * The highest CPU + 1; bytes of a page; whether times are those of CLOCK_MONOTONIC, and else what
 * they lack to those now, in ns: 0 if that is unknown.
 */
unsigned int trace_recorder_cpus(const struct trace_recorder *t);
uint32_t trace_recorder_page(const struct trace_recorder *t);
bool trace_recorder_clocked(const struct trace_recorder *t);
int64_t trace_recorder_apart(const struct trace_recorder *t);
/* A file of the instance, which the caller frees. Returns NULL and sets err on failure. */
char *trace_recorder_text(const struct trace_recorder *t, const char *file, struct error *err);

/* Waits until a ring has much to read, a signal comes, or so many ms are over. */
void trace_recorder_wait(struct trace_recorder *t, int ms);
/* Returns the file of a CPU's pages, which go behind those that it has; -1 and sets err. */
typedef int (*trace_file_fn)(void *arg, unsigned int cpu, struct error *err);
/*
 * Moves the full pages of all rings; with `last` also those that are not full. Returns -1 and sets
 * err on failure.
 */
int trace_recorder_read(struct trace_recorder *t, bool last, trace_file_fn file, void *arg,
			struct error *err);

/* How the recording of a CPU ended. */
struct trace_ring_end {
	unsigned int cpu;
	const char *stats;		/* the text of per_cpu/cpuN/stats */
	uint64_t events;		/* that were read; 0: none, or before 3.6 */
	uint64_t lost;			/* the sum of all losses */
	uint64_t unread;		/* events of these that stay in the ring for ever */
};
/* Calls `each` for all CPUs after the last reading. Returns -1 and sets err on failure. */
int trace_recorder_ends(const struct trace_recorder *t,
			void (*each)(void *arg, const struct trace_ring_end *end), void *arg,
			struct error *err);

#endif
