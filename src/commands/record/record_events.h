/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_EVENTS_H
#define SONDE_RECORD_EVENTS_H

#include "compat/kernel/kernel.h"
#include "compat/recordings/perf/perf_write.h"
#include "src/commands/record/record_ends.h"

struct run;

/* The tracepoints, samples and probes that are recorded, each once. */
struct record_events {
	struct perf_written *list;
	unsigned int n;
	struct run **runs;		/* of tools whose plans have probes (record_probes.h) */
	unsigned int n_runs;
	bool stacks;			/* a tool needs them with tracepoints */
	bool samples;			/* there are some */
	bool ftrace;			/* they are recorded from ftrace's rings, not from perf's */
	bool tracepoints;		/* tools have to do with these alone */
	unsigned int pages;		/* of each CPU's ring, as tools ask for it; 0: none does */
	struct record_ends ends;
};

/*
 * Adds all tracepoints of a pattern; or a probe, as `sonde trace` takes it. Returns -1 and sets err
 * if there is none.
 */
int record_events_named(struct kernel *k, const char *name, struct record_events *to,
			struct error *err);
/*
 * Adds what a tool needs on this kernel. `argv`: its command line, from its name on, which ends
 * with NULL. Returns -1 and sets err if the rings do not serve the tool.
 */
int record_events_tool(int argc, char **argv, struct record_events *to, struct error *err);
/* The same of a tool with one argument. Both texts stay as long as the events. */
int record_events_by(const char *tool, const char *argument, struct record_events *to,
		     struct error *err);
/* Adds samples of CPU time, so many a second. Returns -1 and sets err if there is no memory. */
int record_events_clock(uint64_t frequency, struct record_events *to, struct error *err);
/* Adds an event of the kernel: of a probe, too. Returns -1 and sets err if there is no memory. */
int record_events_add(struct record_events *to, const char *system, const char *name,
		      struct error *err);
/* Adds the events that tell the lives of tasks, as far as this kernel has them. The same. */
int record_events_lives(struct kernel *k, struct record_events *to, struct error *err);
/* Puts the events of a system next to each other, behind samples. */
void record_events_sort(struct record_events *e);
void record_events_free(struct record_events *e);

#endif
