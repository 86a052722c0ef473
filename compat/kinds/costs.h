/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COSTS_H
#define SONDE_COSTS_H

#include <stdbool.h>

struct event;

/*
 * What an attached event costs tasks that nobody looks at, beyond the run of a program at its hits.
 */
struct event_cost {
	const char *text;	/* who pays, when and what for: half a sentence */
	unsigned int ns;	/* each time, roughly, as measured (docs/measures.md); 0: unknown */
};

/* Of events in user space. */
extern const struct event_cost cost_of_traps;

/* Returns NULL if only the tasks that hit the event pay. */
const struct event_cost *event_cost(const struct event *e);

/*
 * Returns true for tracepoints of system calls. They have one switch: the kernel marks all tasks
 * while one of them is on, and each call of a marked task leaves the fast path.
 */
bool event_marks_tasks(const struct event *e);

#endif
