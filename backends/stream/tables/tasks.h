/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASKS_H
#define SONDE_TASKS_H

#include "backends/vm/vm.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"

/*
 * The process and the name of each thread at any time of the merged stream, which the rings'
 * records lack. The table is read from /proc at the start, then updated by the kernel's own events.
 * What is uncertain is unknown, never guessed:
 *
 *   - An entry holds from the stream time at which it was learned. A value read from /proc holds
 *     from the time of the reading: earlier changes are still in the stream, and are applied when
 *     they come.
 *   - After lost task events, everything learned before the end of the gap is uncertain: a tid may
 *     have been reused, or a name changed. Such an entry is read again from /proc when it is next
 *     needed, and holds from then on. That needs the stream's clock; if user space can't read that
 *     clock, the entry stays unknown until an event updates it.
 */
struct tasks;

enum task_event { TASK_NEW, TASK_RENAME, TASK_EXEC, TASK_EXIT, TASK_EVENTS };
/* The kernel's event that tells it; *system gets its system. Of some alone names would be wrong. */
const char *task_event_name(enum task_event what, const char **system);

/* What perf's side band tells of a task: TASK_NEW, TASK_RENAME or TASK_EXIT. */
struct task_life {
	enum task_event what;
	uint32_t tid, tgid;
	uint32_t maker;			/* TASK_NEW: the thread that made it */
	char comm[16];			/* TASK_RENAME: its name, by an exec or not */
};

/* `cpus`: possible CPUs. Returns NULL and sets err if the kernel lacks one of the events. */
struct tasks *tasks_new(struct kernel *k, unsigned int cpus, struct error *err);
void tasks_free(struct tasks *t);

/*
 * Returns true if the table has no tracepoints, because tracefs is missing or something else tells
 * the lives of tasks: it is told them (tasks_live()).
 */
bool tasks_are_told(const struct tasks *t);

/* The tracepoints to attach, TASK_EVENTS of them, unless the table is told. */
const struct event *tasks_events(const struct tasks *t);

/* The clock of the stream's times. Without it nothing is read from /proc after tasks_seed(). */
void tasks_clock(struct tasks *t, uint64_t (*now)(void));

/*
 * Reads every thread of /proc, after the events are on and before any event of the plan: every
 * later change is in the stream, so the table is right for the plan's events.
 */
void tasks_seed(struct tasks *t);

/* Adds a task as known from the beginning. */
void tasks_put(struct tasks *t, uint32_t tid, uint32_t tgid, const char *comm);

/* Applies one event, in the order of the stream. */
void tasks_apply(struct tasks *t, enum task_event event, const struct sample *s);

/* The same for a table that is told. */
void tasks_live(struct tasks *t, uint64_t time, const struct task_life *life);

/* Events up to the time `to` were lost. */
void tasks_gap(struct tasks *t, uint64_t to);

/*
 * Sets s->tgid and s->comm from s->tid, s->cpu and s->time; comm is valid until the next call of
 * any function here.
 */
void tasks_find(struct tasks *t, struct sample *s);

#endif
