/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SWITCHES_H
#define SONDE_SWITCHES_H

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

/* A record, in the order of its CPU. The task that it leaves; -1: it fits the record before. */
int64_t switches_follow(struct switches *w, uint32_t cpu, const void *record, uint32_t size);
/* Events of this CPU were lost: the next record may be anything. */
void switches_forget(struct switches *w, uint32_t cpu);

#endif
