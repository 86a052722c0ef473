/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_SOURCES_H
#define SONDE_PERF_SOURCES_H

#include "backends/perf/perf_channel.h"

/* What a group's rings bring (struct perf_source), made of a plan's attachments. */

/*
 * Adds the event with its number (struct sample) to the group. Attachments to the same tracepoint
 * share a source. `a`: NULL if the event is the task table's. The group has room for the source.
 * -1: out of memory.
 */
int perf_source_add(struct perf_group *g, const struct event *e, uint32_t number,
		    const struct attachment *a);
/* Adds the events of all attachments of the plan that were not refused. */
int perf_sources_add(struct perf_group *g, const struct plan *plan, struct error *err);
/* Is perf to be told which tasks the plan wants (perf_tasks.h)? */
bool perf_sources_of_tasks(const struct perf_group *g, const struct plan *plan);
/* The size of each CPU's ring of the plan's events, unless the user asks for another. */
unsigned int perf_group_bytes(struct kernel *k, const struct plan *plan);

#endif
