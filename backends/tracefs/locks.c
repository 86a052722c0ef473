// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/locks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/text.h"
#include "compat/tasks/lock.h"

/* Starting sondes share the lock of one file of tracefs; a process that removes locks the other. */
#define STARTING "events"
#define REMOVING "README"

#define LOOK_MS 20
#define STOPPED_MS 1000		/* then it looks whether the process that starts is stopped */
#define REMOVAL_MS 60000		/* for a process that removes what only it may remove */

static int open_in(const char *tracefs, const char *file)
{
	char path[PATH_MAX];
	int fd;

	if (!tracefs || snprintf(path, sizeof(path), "%s/%s", tracefs, file) >= (int)sizeof(path))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	/* There may be no memory for a moment; without the file nothing would be removed. */
	return fd >= 0 ? fd : open(path, O_RDONLY | O_CLOEXEC);
}

/* Returns a file descriptor with the lock; -1 if another process has it. */
static int locked(const char *tracefs, const char *file, int how)
{
	const int fd = open_in(tracefs, file);

	if (fd < 0 || !flock(fd, how | LOCK_NB))
		return fd;
	close(fd);
	return -1;
}

/* removal_rest() of another process holds the lock alone, but only for a moment. */
int start_lock(struct kernel *k)
{
	const char *tracefs = kernel_tracefs(k);
	const int fd = open_in(tracefs, STARTING);
	char path[PATH_MAX];

	if (fd < 0)
		return -1;
	text_all(path, sizeof(path), "%s/" STARTING, tracefs);
	lock_for_run(k, fd, LOCK_SH, path);
	return fd;
}

void start_unlock(int fd)
{
	if (fd < 0)
		return;
	flock(fd, LOCK_UN);
	close(fd);
}

int removal_lock_shared(const char *tracefs)
{
	return locked(tracefs, REMOVING, LOCK_SH);
}

/* A process that is stopped does not look again. */
static bool is_working(int fd)
{
	struct lock_holder h;

	lock_holder(fd, &h);
	return !h.stopped;
}

int removal_lock(const char *tracefs)
{
	const int fd = open_in(tracefs, REMOVING);

	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	/*
	 * If the lock can be shared, only starting sondes have it, for a moment. Each instance and
	 * each group of probes has a lock of its own, so two may sweep at once; it only costs more.
	 */
	if (!flock(fd, LOCK_SH | LOCK_NB)) {
		lock_patiently(fd, LOCK_EX);
		return fd;
	}
	if (!is_working(fd))
		return fd;
	close(fd);
	return -1;
}

int removal_lock_wait(const char *tracefs)
{
	const int fd = open_in(tracefs, REMOVING);

	for (int waited = 0; fd >= 0 && waited < REMOVAL_MS; waited += LOCK_PATIENCE_MS)
		if (lock_patiently(fd, LOCK_EX) || !is_working(fd))
			break;
	return fd;
}

void removal_rest(const char *tracefs, int *ms)
{
	bool busy = true;
	int fd = open_in(tracefs, STARTING);

	for (int waited = 0; busy && *ms > 0; waited += LOOK_MS) {
		busy = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
		if (busy && waited == STOPPED_MS && !is_working(fd))
			*ms = 0;
		if (busy && *ms > 0) {
			pause_ms(LOOK_MS);
			*ms -= LOOK_MS;
		}
	}
	if (fd >= 0)
		close(fd);
}
