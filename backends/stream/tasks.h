/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASKS_H
#define SONDE_TASKS_H

#include "backends/vm/vm.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"

/*
 * Which process a thread belongs to, and its name, at any point of the merged stream: what the
 * rings do not carry. Seeded from /proc, then kept by the kernel's own events. What is not known
 * for sure is unknown, never a guess:
 *
 *   - An entry holds from the stream time at which it was learned. A value read from /proc holds
 *     from the time of the reading: changes before that are still on their way to us, and are
 *     applied when they come.
 *   - Lost task events make everything learned before the end of the gap untrustworthy: a tid may
 *     have been reused, a name changed, by an event nobody saw. Such an entry is read again from
 *     /proc when it is next asked for, and holds from then on. That takes the stream's clock; where
 *     user space can't read it, the entry stays unknown until an event tells.
 */
struct tasks;

enum task_event { TASK_NEW, TASK_RENAME, TASK_EXEC, TASK_EXIT, TASK_EVENTS };

/* NULL and err if the kernel lacks one of the events. `cpus`: how many can be. */
struct tasks *tasks_new(struct kernel *k, unsigned int cpus, struct error *err);
void tasks_free(struct tasks *t);

/* The tracepoints to attach, TASK_EVENTS of them. */
const struct event *tasks_events(const struct tasks *t);

/* The clock of the stream's times. Without it nothing is read from /proc after tasks_seed(). */
void tasks_clock(struct tasks *t, uint64_t (*now)(void));

/*
 * Reads every thread of /proc, once the events are on and before any event of interest can come:
 * every change from the reading on is in the stream, so by then the table is right.
 */
void tasks_seed(struct tasks *t);

/* Enters a task as known from the beginning. */
void tasks_put(struct tasks *t, uint32_t tid, uint32_t tgid, const char *comm);

/* Applies one event, in order of the stream. */
void tasks_apply(struct tasks *t, enum task_event event, const struct sample *s);

/* Events up to the time `to` were lost. */
void tasks_gap(struct tasks *t, uint64_t to);

/*
 * Sets s->tgid and s->comm from s->tid, s->cpu and s->time; comm is valid until the next call of
 * any function here.
 */
void tasks_find(struct tasks *t, struct sample *s);

#endif
