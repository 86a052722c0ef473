// SPDX-License-Identifier: GPL-2.0
#include "src/proc.h"

#include <stdio.h>
#include <string.h>

struct text proc_comm(const struct run *r, int64_t pid, char comm[PROC_COMM])
{
	char path[32];
	size_t n = 0;
	FILE *f;

	if (pid == NOTHING || !run_ids_are_procs(r))
		return (struct text){ };
	snprintf(path, sizeof(path), "/proc/%u/comm", (unsigned int)pid);
	f = fopen(path, "re");
	n = f ? fread(comm, 1, PROC_COMM, f) : 0;
	if (f)
		fclose(f);
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
