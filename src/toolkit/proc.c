// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/tasks/cgroup.h"
#include "compat/user/task_stat.h"
#include "compat/user/threads.h"

bool proc_stat(int dir, const char *path, struct proc_stat *stat)
{
	struct task_stat s;
	uint64_t ppid, flags, ticks;

	if (!task_stat_read(dir, path, &s) || !task_stat_number(&s, 4, UINT32_MAX, &ppid) ||
	    !task_stat_number(&s, 9, UINT32_MAX, &flags) ||
	    !task_stat_number(&s, 22, UINT64_MAX, &ticks))
		return false;
	*stat = (struct proc_stat){ (uint32_t)ppid, (uint32_t)flags, ticks };
	return true;
}

#define EXITING 4			/* PF_EXITING, in a task's flags */
#define CGROUP_TEXT (64U << 10)		/* a line of up to 4 KB for each tree */

static bool made_before(int dir, int64_t before, uint32_t without)
{
	int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK),
		asleep = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	struct proc_stat stat;

	return proc_stat(dir, "stat", &stat) && !(stat.flags & without) &&
	       (int64_t)(stat.ticks + 1) * tick <= before + asleep;
}

/* Files that are read through a process's directory are of one process. */
static int open_process(const struct run *r, int64_t pid)
{
	char path[32];

	if (pid == NOTHING || !run_ids_are_procs(r))
		return -1;
	snprintf(path, sizeof(path), "/proc/%u", (unsigned int)pid);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

char *proc_cgroup(const struct run *r, int64_t tid, int64_t before)
{
	const bool version2 = cgroup_version2();
	unsigned int tree = version2 ? 0 : cgroup_hierarchy("name=systemd");
	const int dir = open_process(r, tid);
	char *text = malloc(CGROUP_TEXT), *found = NULL;
	const char *path = NULL;

	if (!version2 && !tree)
		tree = cgroup_hierarchy("memory");
	if (dir >= 0 && text)
		path = cgroup_of(dir, tree, text, CGROUP_TEXT);
	/* A task that ends goes back to the root of a tree of version 1. */
	if (path && made_before(dir, before, version2 ? 0 : EXITING))
		found = strdup(path);
	free(text);
	if (dir >= 0)
		close(dir);
	return found;
}

struct text proc_comm(const struct run *r, int64_t pid, int64_t before, char comm[PROC_COMM])
{
	const int dir = open_process(r, pid);
	int n = 0;

	if (dir < 0)
		return (struct text){ };
	if (made_before(dir, before, 0))
		n = file_begin(dir, "comm", comm, PROC_COMM);
	close(dir);
	/* It ends with a newline, and may contain others. */
	return n > 1 ? (struct text){ .s = comm, .length = (uint32_t)n - 1 } : (struct text){ };
}

int proc_each_task(void (*each)(void *arg, uint32_t tid, uint32_t tgid, int threads), void *arg,
		   struct error *err)
{
	const int result = each_task(each, arg);

	return result ? fail_with(err, -result, "the tasks in /proc can't be listed: %m") : 0;
}

int64_t proc_tgid(const struct run *r, int64_t tid)
{
	char path[40], status[512];
	const char *line;

	if (!run_ids_are_procs(r))
		return NOTHING;
	snprintf(path, sizeof(path), "/proc/%u/status", (unsigned int)tid);
	if (file_begin(AT_FDCWD, path, status, sizeof(status)) <= 0)
		return NOTHING;
	line = strstr(status, "\nTgid:");
	return line ? strtol(line + strlen("\nTgid:"), NULL, 10) : NOTHING;
}

struct text load_average(const struct run *r, char line[PROC_LOAD])
{
	return run_is_live(r) && file_line("/proc/loadavg", line, PROC_LOAD) ?
		(struct text){ .s = line, .length = (uint32_t)strlen(line) } :
		(struct text){ };
}
