// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_tasks.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/recordings/trace/trace_side.h"
#include "compat/tasks/namespace.h"
#include "compat/user/task_stat.h"
#include "compat/user/threads.h"

#define COMM 16

struct task {
	struct record_origin origin;	/* ppid 0: unknown, or there is none */
	uint32_t pid;
	char name[COMM + 1];		/* with the newline of /proc */
};

struct reading {
	struct hash *tasks;
	bool full;			/* memory ran out */
};

bool record_task_origin(int threads, uint32_t pid, struct record_origin *to)
{
	const int64_t boot = clock_ns(CLOCK_MONOTONIC) - clock_ns(CLOCK_BOOTTIME);
	struct task_stat stat;
	uint64_t number, ticks;
	char path[32];

	snprintf(path, sizeof(path), "%u/stat", pid);
	if (!task_stat_read(threads, path, &stat) ||
	    !task_stat_number(&stat, 4, INT32_MAX, &number) || !number)
		return false;
	*to = (struct record_origin){ .ppid = (uint32_t)number };
	if (task_stat_number(&stat, 22, INT64_MAX / NS_PER_SECOND, &ticks))
		to->began = boot + (int64_t)ticks * (NS_PER_SECOND / sysconf(_SC_CLK_TCK));
	return true;
}

static void add(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct reading *reading = arg;
	struct task task = { .pid = tgid }, *kept;
	char path[32];

	snprintf(path, sizeof(path), "%u/comm", tid);
	if (file_begin(threads, path, task.name, sizeof(task.name)) <= 0)
		return;
	task.name[strcspn(task.name, "\n")] = '\0';
	if (tid == tgid && !record_task_origin(threads, tid, &task.origin))
		task.origin.ppid = 0;
	kept = hash_add(reading->tasks, &tid, sizeof(tid));
	reading->full |= !kept;
	if (kept)
		*kept = task;
}

int record_tasks_read(struct hash *tasks, struct error *err)
{
	struct reading reading = { tasks, false };

	tasks->value_size = sizeof(struct task);
	if (!namespace_pid_initial())
		return 0;
	if (each_task(add, &reading))
		return fail(err, "can't read the names of tasks: mount /proc");
	return reading.full ? fail(err, "out of memory") : 0;
}

static uint32_t tid_of(const struct hash *tasks, const struct task *task)
{
	uint32_t tid;

	memcpy(&tid, hash_key(tasks, task), sizeof(tid));
	return tid;
}

uint64_t record_began(const struct record_origin *origin, bool clock, int64_t apart)
{
	const int64_t began = origin->began && (clock || apart) ? origin->began - apart : 0;

	return began > 0 ? (uint64_t)began : 0;
}

void record_tasks_side(const struct hash *tasks, bool clock, int64_t apart, struct strbuf *to)
{
	const struct task *task;
	uint32_t at = 0;

	while ((task = hash_next(tasks, &at))) {
		const struct record_origin *origin = &task->origin;

		if (origin->ppid)
			trace_side_parent(to, task->pid, origin->ppid,
					  record_began(origin, clock, apart));
		trace_side_task(to, tid_of(tasks, task), task->pid, task->name);
	}
}

struct saved {
	const char *name;
	size_t length;
	bool doubtful;			/* other lines give it other names */
};

static void add_saved(struct hash *names, uint32_t tid, struct saved line, struct strbuf *to)
{
	struct saved *kept = hash_find(names, &tid, sizeof(tid));

	if (kept) {
		kept->doubtful |= kept->length != line.length ||
				  memcmp(kept->name, line.name, line.length) != 0;
		return;
	}
	kept = hash_add(names, &tid, sizeof(tid));
	to->cut |= !kept;
	if (kept)
		*kept = line;
}

/*
 * The kernel writes names as they are, and a name may have newlines: what follows one is a line
 * that is none, or one that looks like another task's. The kernel itself has a task once.
 */
static void read_saved(struct hash *names, const char *saved, struct strbuf *to)
{
	const char *end;

	for (const char *line = saved; line && (end = strchr(line, '\n')); line = end + 1) {
		const char *name = line;
		uint64_t tid;

		if (scan_number(&name, INT32_MAX, &tid) && *name++ == ' ' && name < end)
			add_saved(names, (uint32_t)tid,
				  (struct saved){ name, (size_t)(end - name), false }, to);
	}
}

static void put_line(uint32_t tid, const char *name, size_t length, struct strbuf *to)
{
	strbuf_addf(to, "%u %.*s\n", tid, (int)length, name);
}

void record_tasks_names(const struct hash *tasks, const char *saved, struct strbuf *to)
{
	struct hash names = { .value_size = sizeof(struct saved) };
	const struct saved *name;
	const struct task *task;
	uint32_t at = 0, tid;

	read_saved(&names, saved, to);
	while ((name = hash_next(&names, &at))) {
		memcpy(&tid, hash_key(&names, name), sizeof(tid));
		if (!name->doubtful)
			put_line(tid, name->name, name->length, to);
	}
	at = 0;
	while ((task = hash_next(tasks, &at))) {
		tid = tid_of(tasks, task);
		name = hash_find(&names, &tid, sizeof(tid));
		if (!name || name->doubtful)
			put_line(tid, task->name, strlen(task->name), to);
	}
	hash_clear(&names);
}
