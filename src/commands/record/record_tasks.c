// SPDX-License-Identifier: GPL-2.0
#include "src/commands/record/record_tasks.h"

#include <stdio.h>
#include <string.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/recordings/trace/trace_side.h"
#include "compat/tasks/namespace.h"
#include "compat/user/threads.h"

#define COMM 16

struct task {
	uint32_t pid;
	char name[COMM + 1];		/* with the newline of /proc */
};
_Static_assert(sizeof(struct task) == RECORD_TASK, "the size of a value is known to callers");

struct reading {
	struct hash *tasks;
	bool full;			/* memory ran out */
};

static void add(void *arg, uint32_t tid, uint32_t tgid, int threads)
{
	struct reading *reading = arg;
	struct task task = { .pid = tgid }, *kept;
	char path[32];

	snprintf(path, sizeof(path), "%u/comm", tid);
	if (file_begin(threads, path, task.name, sizeof(task.name)) <= 0)
		return;
	task.name[strcspn(task.name, "\n")] = '\0';
	kept = hash_add(reading->tasks, &tid, sizeof(tid));
	reading->full |= !kept;
	if (kept)
		*kept = task;
}

int record_tasks_read(struct hash *tasks, struct error *err)
{
	struct reading reading = { tasks, false };

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

void record_tasks_side(const struct hash *tasks, struct strbuf *to)
{
	const struct task *task;
	uint32_t at = 0;

	while ((task = hash_next(tasks, &at)))
		trace_side_task(to, tid_of(tasks, task), task->pid, task->name);
}

static void put_line(uint32_t tid, const char *name, size_t n, struct strbuf *to)
{
	strbuf_addf(to, "%u %.*s\n", tid, (int)n, name);
}

void record_tasks_names(const struct hash *tasks, const char *saved, struct strbuf *to)
{
	struct hash seen = { .value_size = 1 };
	const struct task *task;
	uint32_t at = 0;

	for (const char *line = saved; line && *line; line = strchr(line, '\n') + 1) {
		const char *name = line, *end = strchr(line, '\n');
		uint64_t number;
		uint32_t tid;

		if (!end || !scan_number(&name, INT32_MAX, &number) || *name++ != ' ')
			break;
		tid = (uint32_t)number;
		if (hash_find(&seen, &tid, sizeof(tid)))
			continue;
		to->cut |= !hash_add(&seen, &tid, sizeof(tid));
		put_line(tid, name, (size_t)(end - name), to);
	}
	while ((task = hash_next(tasks, &at))) {
		const uint32_t tid = tid_of(tasks, task);

		if (!hash_find(&seen, &tid, sizeof(tid)))
			put_line(tid, task->name, strlen(task->name), to);
	}
	hash_clear(&seen);
}
