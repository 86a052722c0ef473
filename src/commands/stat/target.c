// SPDX-License-Identifier: GPL-2.0
#include "src/commands/stat/target.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/array.h"
#include "compat/base/cpus.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/strbuf.h"
#include "compat/base/text.h"
#include "compat/user/task_stat.h"
#include "src/lib/output/sink.h"

#define TRIES 10			/* while threads start */
#define TASK_MOST INT32_MAX

/* ---- CPUs ---- */

static bool wanted(const struct stat_target *t, unsigned int cpu)
{
	const char *list = t->options->cpus;
	unsigned int first, last;

	if (!list)
		return true;
	while (cpu_list_range(&list, &first, &last))
		if (cpu >= first && cpu <= last)
			return true;
	return false;
}

static int open_cpu(void *arg, unsigned int cpu, struct error *err)
{
	struct stat_target *t = arg;

	return wanted(t, cpu) ? counters_open(&t->counters, cpu, err) : 0;
}

static int close_cpu(void *arg, unsigned int cpu, struct error *err)
{
	struct stat_target *t = arg;

	(void)err;
	counters_close(&t->counters, cpu);
	return 0;
}

static int open_cpus(struct stat_target *t, struct stat_events *events, struct error *err)
{
	static const struct cpu_owner owner = { .open = open_cpu, .close = close_cpu };
	char *possible = file_text(CPUS_POSSIBLE, 65536, NULL);
	unsigned int n = cpu_list_limit(possible);

	free(possible);
	if (!n)
		n = (unsigned int)sysconf(_SC_NPROCESSORS_CONF);
	if (t->options->cpus && cpu_list_limit(t->options->cpus) > n)
		return fail(err, "--cpu %s: this machine has the CPUs 0 to %u", t->options->cpus,
			    n - 1);
	t->cpus = true;
	t->counters.whole_cpus = true;
	if (counters_new(&t->counters, events, n, err))
		return -1;
	for (unsigned int i = 0; i < n; i++)
		t->counters.places[i] = (struct stat_place){ ANY_TASK, (int)i };
	t->follow = (struct cpu_follow){
		.owner = &owner, .arg = t, .list = CPUS_ONLINE, .n = n, .name = "stat",
		.verbose = t->options->verbose ? sink_err() : NULL,
	};
	if (t->options->cpus)
		text_cut(t->what, sizeof(t->what), "CPU(s) %s", t->options->cpus);
	else
		snprintf(t->what, sizeof(t->what), "system wide");
	return cpu_follow_begin(&t->follow, err);
}

/* ---- tasks ---- */

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static int add_task(struct stat_target *t, int task, struct error *err)
{
	if (array_room(&t->tasks, t->n_tasks, sizeof(*t->tasks)))
		return fail(err, "out of memory");
	t->tasks[t->n_tasks++] = task;
	return 0;
}

static int add_threads(struct stat_target *t, uint64_t pid, struct error *err)
{
	char path[64];
	DIR *dir;
	struct dirent *e;
	int status = 0;

	snprintf(path, sizeof(path), "/proc/%llu/task", (unsigned long long)pid);
	dir = opendir(path);
	while (dir && !status && (e = readdir(dir))) {
		const char *at = e->d_name;
		uint64_t tid;

		if (scan_number(&at, TASK_MOST, &tid) && !*at)
			status = add_task(t, (int)tid, err);
	}
	if (dir)
		closedir(dir);
	return status;
}

/* Each number of a list, which is one. */
static int each_task(struct stat_target *t, const char *list, bool processes, struct error *err)
{
	const char *at = list;
	char path[64];
	uint64_t id;

	do {
		if (!scan_number(&at, TASK_MOST, &id))
			break;
		snprintf(path, sizeof(path), "/proc/%llu", (unsigned long long)id);
		if (access(path, F_OK) && access("/proc/self/stat", F_OK))
			return fail(err, "sonde could not find out whether task %llu exists: "
				    "/proc is not mounted", (unsigned long long)id);
		if (access(path, F_OK))
			return fail(err, "%s %llu does not exist", processes ? "process" :
				    "thread", (unsigned long long)id);
		if (processes ? add_threads(t, id, err) : add_task(t, (int)id, err))
			return -1;
	} while (*at++);
	return 0;
}

/* All threads that are there now, each once. */
static int list_tasks(struct stat_target *t, struct error *err)
{
	const struct stat_options *o = t->options;
	unsigned int n = 0;

	t->n_tasks = 0;
	for (unsigned int i = 0; i < o->pids.n; i++)
		if (each_task(t, o->pids.list[i], true, err))
			return -1;
	for (unsigned int i = 0; i < o->tids.n; i++)
		if (each_task(t, o->tids.list[i], false, err))
			return -1;
	if (t->n_tasks)
		qsort(t->tasks, t->n_tasks, sizeof(*t->tasks), by_number);
	for (unsigned int i = 0; i < t->n_tasks; i++)
		if (!n || t->tasks[n - 1] != t->tasks[i])
			t->tasks[n++] = t->tasks[i];
	t->n_tasks = n;
	return 0;
}

/* 1: all have ended. */
static int open_listed(struct stat_target *t, struct stat_events *events, struct error *err)
{
	unsigned int there = 0;

	if (counters_new(&t->counters, events, t->n_tasks, err))
		return -1;
	for (unsigned int i = 0; i < t->n_tasks; i++) {
		int status;

		t->counters.places[i] = (struct stat_place){ t->tasks[i], ANY_CPU };
		status = counters_open(&t->counters, i, err);
		if (status < 0)
			return -1;
		there += !status;
	}
	return there ? 0 : 1;
}

/* Is there a thread that was not listed before? */
static bool has_new(const struct stat_target *t, const int *before, unsigned int n)
{
	for (unsigned int i = 0; i < t->n_tasks; i++)
		if (!n || !bsearch(&t->tasks[i], before, n, sizeof(*before), by_number))
			return true;
	return false;
}

static int relisted(struct stat_target *t, bool *settled, struct error *err)
{
	unsigned int n = t->n_tasks;
	int *before = malloc((n + 1) * sizeof(*before));
	struct error gone;

	if (!before)
		return fail(err, "out of memory");
	if (n)
		memcpy(before, t->tasks, n * sizeof(*before));
	/* A process that has ended has no new threads; those of the others are as they were. */
	if (list_tasks(t, &gone)) {
		if (n)
			memcpy(t->tasks, before, n * sizeof(*before));
		t->n_tasks = n;
	}
	*settled = !has_new(t, before, n);
	free(before);
	return 0;
}

/*
 * What a thread starts inherits its counters. A thread that was started while counters were opened
 * has them, if its creator had, or not: it can't be told, so all begins anew until nothing new has
 * come in between.
 */
static int open_tasks(struct stat_target *t, struct stat_events *events, struct error *err)
{
	bool settled = false;

	for (int i = 0; i < TRIES && !settled; i++) {
		int status;

		counters_free(&t->counters);
		if (list_tasks(t, err))
			return -1;
		status = open_listed(t, events, err);
		if (status > 0)
			return fail(err, "all tasks that were to be counted have ended");
		if (status || relisted(t, &settled, err))
			return -1;
	}
	t->unsettled = !settled;
	return 0;
}

static void say_tasks(struct stat_target *t)
{
	const struct lines *pids = &t->options->pids, *tids = &t->options->tids;
	struct strbuf what = strbuf_over(t->what, sizeof(t->what));

	for (unsigned int i = 0; i < pids->n + tids->n; i++)
		strbuf_addf(&what, "%s%s", i ? "," : pids->n ? "process id " : "thread id ",
			    i < pids->n ? pids->list[i] : tids->list[i - pids->n]);
}

static void say_command(struct stat_target *t)
{
	struct strbuf what = strbuf_over(t->what, sizeof(t->what));

	for (char **word = t->options->command; *word; word++)
		strbuf_addf(&what, "%s%s", what.n ? " " : "", *word);
}

static int open_child(struct stat_target *t, struct stat_events *events, int child,
		      struct error *err)
{
	t->counters.at_exec = true;
	if (add_task(t, child, err) || counters_new(&t->counters, events, 1, err))
		return -1;
	t->counters.places[0] = (struct stat_place){ child, ANY_CPU };
	return counters_open(&t->counters, 0, err) < 0 ? -1 : 0;
}

int target_open(struct stat_target *t, const struct stat_options *o, struct stat_events *events,
		int child, struct error *err)
{
	*t = (struct stat_target){ .options = o };
	t->counters.inherit = !o->no_inherit;
	if (o->pids.n || o->tids.n) {
		say_tasks(t);
		return open_tasks(t, events, err);
	}
	if (o->system_wide || o->cpus || !o->command) {
		t->counters.inherit = false;
		return open_cpus(t, events, err);
	}
	say_command(t);
	return open_child(t, events, child, err);
}

int target_follow(struct stat_target *t, struct error *err)
{
	return t->cpus ? cpu_follow(&t->follow, err) : 0;
}

/* Its other threads go on when a process's first one has ended. */
static bool group_lives(int task)
{
	char path[300];
	struct dirent *e;
	bool any = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", task);
	dir = opendir(path);
	while (dir && !any && (e = readdir(dir))) {
		text_all(path, sizeof(path), "%s/stat", e->d_name);
		any = *e->d_name != '.' && task_lives(dirfd(dir), path);
	}
	if (dir)
		closedir(dir);
	return any;
}

bool target_ended(const struct stat_target *t)
{
	if (t->cpus || t->counters.at_exec)
		return false;
	for (unsigned int i = 0; i < t->n_tasks; i++)
		if (group_lives(t->tasks[i]))
			return false;
	return true;
}

void target_close(struct stat_target *t)
{
	if (t->cpus)
		cpu_follow_free(&t->follow);
	counters_free(&t->counters);
	free(t->tasks);
	t->tasks = NULL;
	t->n_tasks = 0;
}
