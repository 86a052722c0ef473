// SPDX-License-Identifier: GPL-2.0
#include "src/toolkit/proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/user/task_stat.h"

bool proc_stat(int dir, const char *path, struct proc_stat *stat)
{
	struct task_stat s;
	uint64_t ppid, ticks;

	if (!task_stat_read(dir, path, &s) || !task_stat_number(&s, 4, UINT32_MAX, &ppid) ||
	    !task_stat_number(&s, 22, UINT64_MAX, &ticks))
		return false;
	*stat = (struct proc_stat){ (uint32_t)ppid, ticks };
	return true;
}

static bool made_before(int dir, int64_t before)
{
	int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK),
		asleep = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	struct proc_stat stat;

	return proc_stat(dir, "stat", &stat) && (int64_t)(stat.ticks + 1) * tick <= before + asleep;
}

struct text proc_comm(const struct run *r, int64_t pid, int64_t before, char comm[PROC_COMM])
{
	char path[32];
	int dir, n = 0;

	if (pid == NOTHING || !run_ids_are_procs(r))
		return (struct text){ };
	snprintf(path, sizeof(path), "/proc/%u", (unsigned int)pid);
	/* Both files are read through the process's directory, so that they are of one process. */
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return (struct text){ };
	if (made_before(dir, before))
		n = file_begin(dir, "comm", comm, PROC_COMM);
	close(dir);
	/* It ends with a newline, and may contain others. */
	return n > 1 ? (struct text){ .s = comm, .length = (uint32_t)n - 1 } : (struct text){ };
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
