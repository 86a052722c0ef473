// SPDX-License-Identifier: GPL-2.0
#include "backends/stream/tables/proc_task.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/base/file.h"

#define REREAD_NS 100000000ULL

int proc_task_ask(struct task_entry *e, uint64_t now)
{
	char path[32];

	if (e->asked && now - e->asked < REREAD_NS)
		return -1;
	e->asked = now;
	snprintf(path, sizeof(path), "/proc/%u", e->tid);
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int proc_task_open(int threads, uint32_t tid)
{
	char name[16];

	snprintf(name, sizeof(name), "%u", tid);
	return openat(threads, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool proc_task_tgid(int dir, uint32_t *tgid)
{
	char status[512];	/* the name can take 64 bytes of it, escaped */
	const char *line;

	if (file_begin(dir, "status", status, sizeof(status)) <= 0 ||
	    !(line = strstr(status, "\nTgid:")))
		return false;
	*tgid = (uint32_t)strtoul(line + strlen("\nTgid:"), NULL, 10);
	return *tgid != 0;
}
