/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SWITCHES_H
#define SONDE_SWITCHES_H

#include <string.h>

#include "backends/backend.h"

/*
 * Finds task switches that the kernel did not record. The next switch of a CPU leaves the task that
 * the last one went to. If records of sched:sched_switch differ, switches between them are missing,
 * and the kernel counts no loss: on some machines switches from one CPU's idle task, or from a task
 * that another tracer hides, are in no ring. One switch is counted for each such place; tasks that
 * came and went between are unknown.
 *
 * A thread that executes a file gets the id of its process. If it is not the first thread, that
 * also looks like a missed switch.
 */
struct switches {
	uint16_t prev_at, next_at;	/* offsets of both tasks' ids in a record */
	uint32_t record_bytes;		/* a record must have so many to have both */
	unsigned int cpus;
	uint32_t *tasks;		/* for each CPU: the task that it switched to last */
	uint64_t missed;
};

/*
 * The attachment whose records are followed. Returns -1 if the plan has none, or if the kernel
 * filters its records.
 */
int switches_attachment(const struct plan *plan);

/*
 * `cpus`: possible CPUs. Returns -1 if there is no memory, or if the format lacks the ids.
 */
int switches_init(struct switches *w, struct kernel *k, unsigned int cpus);
void switches_free(struct switches *w);

/* Events of this CPU were lost: any record may be the next. */
void switches_forget(struct switches *w, uint32_t cpu);

#define SWITCHES_UNKNOWN UINT32_MAX	/* no task's id */

/* A record leaves task `prev`, but the one before it went to `before`. As switches_follow(). */
int64_t switches_break(struct switches *w, uint32_t before, uint32_t prev);

/*
 * Follows a record, in the order of its CPU. Returns -1 if it fits the record before it; otherwise
 * the task that it leaves.
 */
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
