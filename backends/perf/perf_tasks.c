// SPDX-License-Identifier: GPL-2.0
#include "backends/perf/perf_tasks.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/base/array.h"

/* Each task has all events on all CPUs, and each switch to the task puts its events on the CPU. */
#define MOST_TASKS 64

static bool add(struct perf_tasks *t, pid_t task)
{
	if (t->n == MOST_TASKS || array_room(&t->list, t->n, sizeof(*t->list)))
		return false;
	t->list[t->n++] = task;
	return true;
}

static bool add_threads(struct perf_tasks *t, uint32_t process)
{
	struct dirent *thread;
	bool done = true;
	char path[32];
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%u/task", process);
	threads = opendir(path);
	if (!threads)
		return false;
	while (done && (thread = readdir(threads)))
		if (isdigit((unsigned char)thread->d_name[0]))
			done = add(t, (pid_t)strtoul(thread->d_name, NULL, 10));
	closedir(threads);
	return done;
}

bool perf_tasks_find(struct perf_tasks *t, const struct plan *plan)
{
	*t = (struct perf_tasks){ };
	if (plan->command)
		return add(t, 0);
	for (unsigned int i = 0; i < plan->n_processes; i++)
		if (!add_threads(t, plan->processes[i]))
			return false;
	return t->n;
}

static bool has(const struct perf_tasks *t, pid_t task)
{
	for (unsigned int i = 0; i < t->n; i++)
		if (t->list[i] == task)
			return true;
	return false;
}

bool perf_tasks_hold(const struct perf_tasks *t, const struct plan *plan)
{
	struct perf_tasks now;
	bool result = perf_tasks_find(&now, plan) && now.n == t->n;

	for (unsigned int i = 0; i < now.n && result; i++)
		result = has(t, now.list[i]);
	perf_tasks_free(&now);
	return result;
}

void perf_tasks_free(struct perf_tasks *t)
{
	free(t->list);
	*t = (struct perf_tasks){ };
}
