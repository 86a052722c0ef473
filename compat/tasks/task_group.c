// SPDX-License-Identifier: GPL-2.0
#include "compat/tasks/task_group.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/containers/container_path.h"
#include "compat/user/task_stat.h"

#define TEXT (64U << 10)		/* a line of up to 4 KB for each tree */
#define EXITING 4			/* PF_EXITING, in a task's flags */
enum { FLAGS = 9, STARTED = 22 };	/* fields of /proc/PID/stat */

enum told { NOTHING_TOLD, ROOT, GROUP, UNIT, CONTAINER };

static enum told told_by(const char *path)
{
	struct container_path c;
	size_t n, length;

	return container_of_path(path, &c) ? CONTAINER :
	       unit_of_path(path, &n, &length) ? UNIT : path[1] ? GROUP : ROOT;
}

const char *task_group_path(char *text)
{
	enum told most = NOTHING_TOLD, told;
	const char *found = NULL;
	char *next;

	for (char *line = text; *line; line = next) {
		const char *path = strchr(line, ':');

		next = strchr(line, '\n');
		/* A path without an end may be a longer one's beginning. */
		if (!next)
			break;
		*next++ = '\0';
		path = path ? strchr(path + 1, ':') : NULL;
		if (!path || path[1] != '/')
			continue;
		told = told_by(path + 1);
		/* Version 2, whose line is the last one, goes before equals. */
		if (told < most || (told == most && strncmp(line, "0::", 3)))
			continue;
		most = told;
		found = path + 1;
	}
	return found;
}

/*
 * Was the process there at that time? Its start is known in ticks of 10 ms, rounded down. An id is
 * given again only when all others were: that takes longer than a tick.
 */
static bool was_there(int dir, uint64_t time)
{
	const uint64_t tick = NS_PER_SECOND / (uint64_t)sysconf(_SC_CLK_TCK);
	const int64_t asleep = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	struct task_stat stat;
	uint64_t flags, ticks;

	return task_stat_read(dir, "stat", &stat) &&
	       task_stat_number(&stat, FLAGS, UINT32_MAX, &flags) &&
	       task_stat_number(&stat, STARTED, UINT64_MAX, &ticks) &&
	       !(flags & EXITING) && ticks * tick <= time + (uint64_t)asleep;
}

/* All files are of one process, because they are read through one directory, which ends with it. */
char *task_group(uint32_t pid, uint64_t time)
{
	const char *path = NULL;
	char name[32], *text, *found = NULL;
	int dir;

	snprintf(name, sizeof(name), "/proc/%u", (unsigned int)pid);
	dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return NULL;
	text = malloc(TEXT);
	if (text && file_begin(dir, "cgroup", text, TEXT) > 0)
		path = task_group_path(text);
	/* A task that ends goes back to the root of trees of version 1: so this is read last. */
	if (path && was_there(dir, time))
		found = strdup(path);
	free(text);
	close(dir);
	return found;
}
