// SPDX-License-Identifier: GPL-2.0
#include "compat/user/threads.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/base/text.h"
#include "compat/user/task_stat.h"

/* 0, or -errno: a process that has ended has no threads to read. */
static int each_thread(int proc, const char *name,
		       void (*each)(void *arg, uint32_t tid, uint32_t tgid, int threads), void *arg)
{
	uint32_t tgid = (uint32_t)strtoul(name, NULL, 10);
	struct dirent *thread;
	char path[32];
	int fd, why;
	DIR *list;

	snprintf(path, sizeof(path), "%u/task", tgid);
	fd = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	list = fd < 0 ? NULL : fdopendir(fd);
	if (!list) {
		why = errno;
		if (fd >= 0)
			close(fd);
		return why == ENOENT || why == ESRCH ? 0 : -why;
	}
	while (errno = 0, (thread = readdir(list)))
		if (isdigit((unsigned char)thread->d_name[0]))
			each(arg, (uint32_t)strtoul(thread->d_name, NULL, 10), tgid, fd);
	why = errno;
	closedir(list);
	return why == ENOENT || why == ESRCH ? 0 : -why;
}

int each_task(void (*each)(void *arg, uint32_t tid, uint32_t tgid, int threads), void *arg)
{
	DIR *proc = opendir("/proc");
	struct dirent *process;
	int result = 0, why;

	if (!proc)
		return -errno;
	while (errno = 0, (process = readdir(proc))) {
		if (!isdigit((unsigned char)process->d_name[0]))
			continue;
		why = each_thread(dirfd(proc), process->d_name, each, arg);
		result = result ? result : why;
	}
	result = result ? result : -errno;
	closedir(proc);
	return result;
}

#define EXITING 0x4		/* PF_EXITING of the kernel's flags, which `stat` has as field 9 */

/* Returns true if the thread has been killed: when a process ends, its threads are killed first. */
static bool is_killed(int threads, const char *tid)
{
	char path[64], text[4096];
	const char *at;
	uint64_t pending;

	text_all(path, sizeof(path), "%s/status", tid);
	if (file_begin(threads, path, text, sizeof(text)) <= 0)
		return true;
	at = strstr(text, "\nSigPnd:\t");
	return at && scan_text(&at, "\nSigPnd:\t") && scan_hex(&at, UINT64_MAX, &pending) &&
	       pending >> (SIGKILL - 1) & 1;
}

/* Looks for the signal first: a thread that has taken the signal is exiting a moment later. */
static bool thread_goes_on(int threads, const char *tid)
{
	const bool killed = is_killed(threads, tid);
	struct task_stat s;
	uint64_t flags;
	char path[64];

	text_all(path, sizeof(path), "%s/stat", tid);
	return !killed && task_stat_read(threads, path, &s) && *s.state != 'Z' && *s.state != 'X' &&
	       task_stat_number(&s, 9, UINT32_MAX, &flags) && !(flags & EXITING);
}

bool process_goes_on(uint32_t tgid)
{
	struct dirent *thread;
	bool found = false;
	char path[32];
	DIR *list;

	snprintf(path, sizeof(path), "/proc/%u/task", tgid);
	list = opendir(path);
	while (list && !found && (thread = readdir(list)))
		found = isdigit((unsigned char)thread->d_name[0]) &&
			thread_goes_on(dirfd(list), thread->d_name);
	if (list)
		closedir(list);
	return found;
}
