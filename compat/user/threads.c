// SPDX-License-Identifier: GPL-2.0
#include "compat/user/threads.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void each_thread(int proc, const char *name,
			void (*each)(void *arg, uint32_t tid, uint32_t tgid, int threads),
			void *arg)
{
	uint32_t tgid = (uint32_t)strtoul(name, NULL, 10);
	struct dirent *thread;
	char path[32];
	DIR *list;
	int fd;

	snprintf(path, sizeof(path), "%u/task", tgid);
	fd = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	list = fd < 0 ? NULL : fdopendir(fd);
	if (!list) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((thread = readdir(list)))
		if (isdigit((unsigned char)thread->d_name[0]))
			each(arg, (uint32_t)strtoul(thread->d_name, NULL, 10), tgid, fd);
	closedir(list);
}

void each_task(void (*each)(void *arg, uint32_t tid, uint32_t tgid, int threads), void *arg)
{
	DIR *proc = opendir("/proc");
	struct dirent *process;

	if (!proc)
		return;
	while ((process = readdir(proc)))
		if (isdigit((unsigned char)process->d_name[0]))
			each_thread(dirfd(proc), process->d_name, each, arg);
	closedir(proc);
}
