/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_SOURCES_H
#define SONDE_PERF_SOURCES_H

#include "backends/perf/perf_channel.h"

/* The sources of a group (struct perf_source), made from a plan's attachments. */

/*
 * Adds event `number` (as in struct sample) to the group, which has room for the source.
 * Attachments to the same tracepoint share a source. a NULL: an event of the task table. Returns -1
 * if there is no memory.
 */
int perf_source_add(struct perf_group *g, const struct event *e, uint32_t number,
		    const struct attachment *a);
/*
 * Adds the events of all attachments of the plan that the kernel did not refuse. Returns -1 and
 * sets err on failure.
 */
int perf_sources_add(struct perf_group *g, const struct plan *plan, struct error *err);
/* Returns true if perf must filter by the plan's tasks (perf_tasks.h). */
bool perf_sources_of_tasks(const struct perf_group *g, const struct plan *plan);
/* The size of each CPU's ring for the plan's events, unless the user sets another. */
unsigned int perf_group_bytes(struct kernel *k, const struct plan *plan);

#endif
