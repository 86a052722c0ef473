/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_TASKS_H
#define SONDE_PERF_TASKS_H

#include <stdbool.h>
#include <sys/types.h>

#include "backends/backend.h"

/*
 * The tasks whose hits of user functions are wanted. Events of these tasks alone, which their
 * children inherit, keep the calls of other tasks out of the rings. If all tasks that call malloc()
 * were recorded, they would fill the rings, and it would be unknown whose calls were lost.
 */
struct perf_tasks {
	pid_t *list;
	unsigned int n;
};

/*
 * Lists the threads of the plan's processes; for a command only sonde's own thread, which will be
 * its parent. Returns false if they are unknown, or too many; events of all tasks are used then.
 */
bool perf_tasks_find(struct perf_tasks *t, const struct plan *plan);
/*
 * Returns true if the list is still complete; to be called after the events of `t` are opened. A
 * thread made meanwhile by a thread without events has none. A list read while threads end may lack
 * other threads.
 */
bool perf_tasks_hold(const struct perf_tasks *t, const struct plan *plan);
void perf_tasks_free(struct perf_tasks *t);

#endif
