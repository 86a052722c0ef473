/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SWITCHES_H
#define SONDE_SWITCHES_H

#include <string.h>

#include "backends/backend.h"

/*
 * The task that a CPU switched to is the one that its next switch leaves. Where records of
 * sched:sched_switch say otherwise, the kernel did not record a switch between them, and counts no
 * loss: there are machines where the switches from one CPU's idle task, or from a task that another
 * tracer hides, are in no ring. One switch is counted for each such place; tasks that came and went
 * in between are not known.
 *
 * A thread that executes a file gets the id of its process: if it is not the first thread, that
 * looks like a missed switch, too.
 */
struct switches {
	uint16_t prev_at, next_at;	/* the ids of both tasks in a record */
	uint32_t record_bytes;		/* that has both */
	unsigned int cpus;
	uint32_t *tasks;		/* of each CPU: the task it switched to last */
	uint64_t missed;
};

/*
 * The attachment whose records are to be followed: -1: none, because the plan has none, or because
 * the kernel leaves out some of them by a filter.
 */
int switches_attachment(const struct plan *plan);

/* `cpus`: that there can be. -1: out of memory, or a format without the ids. */
int switches_init(struct switches *w, struct kernel *k, unsigned int cpus);
void switches_free(struct switches *w);

/* Events of this CPU were lost: the next record may be anything. */
void switches_forget(struct switches *w, uint32_t cpu);

#define SWITCHES_UNKNOWN UINT32_MAX	/* no task's id */

/* A record that leaves another task than the one before it went to. */
int64_t switches_break(struct switches *w, uint32_t before, uint32_t prev);

/* A record, in the order of its CPU. The task that it leaves; -1: it fits the record before. */
static inline int64_t switches_follow(struct switches *w, uint32_t cpu, const void *record,
				      uint32_t size)
{
	const uint8_t *bytes = record;
	uint32_t before = w->tasks[cpu], prev;

	if (size < w->record_bytes) {
		switches_forget(w, cpu);
		return -1;
	}
	memcpy(&prev, bytes + w->prev_at, sizeof(prev));
	memcpy(&w->tasks[cpu], bytes + w->next_at, sizeof(prev));
	return before == prev ? -1 : switches_break(w, before, prev);
}

#endif
