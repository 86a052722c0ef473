/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PERF_TASKS_H
#define SONDE_PERF_TASKS_H

#include <stdbool.h>
#include <sys/types.h>

#include "backends/backend.h"

/*
 * The tasks whose hits of functions of user space are wanted. Events of these alone, which their
 * children inherit, keep the calls of all others out of the rings: where everybody calls malloc(),
 * those would fill them, and nobody could tell whose calls were lost.
 */
struct perf_tasks {
	pid_t *list;
	unsigned int n;
};

/*
 * Those of the plan's processes now; of a command's none but sonde's own thread, whose child it
 * will be. False: they can't be told, or are too many; all tasks' events do as well.
 */
bool perf_tasks_find(struct perf_tasks *t, const struct plan *plan);
/*
 * Asked after the events of `t` have been opened: are these still all? A thread that was made
 * meanwhile by one that had no events yet has none. While threads end, a list may lack others.
 */
bool perf_tasks_hold(const struct perf_tasks *t, const struct plan *plan);
void perf_tasks_free(struct perf_tasks *t);

#endif
