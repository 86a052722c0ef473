// SPDX-License-Identifier: GPL-2.0
#include "src/proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/clock.h"

static size_t read_file(int dir, const char *name, char *text, size_t size)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size);

	if (fd >= 0)
		close(fd);
	return n > 0 ? (size_t)n : 0;
}

bool proc_stat(int dir, const char *path, struct proc_stat *stat)
{
	char text[1024];
	size_t n = read_file(dir, path, text, sizeof(text) - 1);
	unsigned long long ticks;
	unsigned int ppid;
	const char *at;

	text[n] = '\0';
	at = strrchr(text, ')');	/* there may be others in the name, and anything else */
	if (!at || sscanf(at, ") %*c %u %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
			  &ppid, &ticks) != 2)
		return false;
	*stat = (struct proc_stat){ ppid, ticks };
	return true;
}

static bool made_before(int dir, int64_t before)
{
	int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK), asleep = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	struct proc_stat stat;

	return proc_stat(dir, "stat", &stat) && (int64_t)(stat.ticks + 1) * tick <= before + asleep;
}

struct text proc_comm(const struct run *r, int64_t pid, int64_t before, char comm[PROC_COMM])
{
	char path[32];
	size_t n = 0;
	int dir;

	if (pid == NOTHING || !run_ids_are_procs(r))
		return (struct text){ };
	snprintf(path, sizeof(path), "/proc/%u", (unsigned int)pid);
	/* Both files are of one process: they are read through its directory, which goes with it. */
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return (struct text){ };
	if (made_before(dir, before))
		n = read_file(dir, "comm", comm, PROC_COMM);
	close(dir);
	/* It ends with a newline; there may be others in it. */
	return n > 1 ? (struct text){ .s = comm, .length = (uint32_t)n - 1 } : (struct text){ };
}

struct text load_average(char line[PROC_LOAD])
{
	FILE *f = fopen("/proc/loadavg", "re");
	const char *read = f ? fgets(line, PROC_LOAD, f) : NULL;

	if (f)
		fclose(f);
	return read ? (struct text){ .s = line, .length = (uint32_t)strcspn(line, "\n") } : (struct text){ };
}
