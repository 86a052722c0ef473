// SPDX-License-Identifier: GPL-2.0
#include "compat/tasks/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/kernel/doubt.h"
#include "compat/user/task_stat.h"

#define LOOK_MS 1000		/* a lock that is held for longer is not one of the usual moments */
#define PAUSE_MOST_MS 20

/*
 * Reads a line `1: FLOCK  ADVISORY  READ 4242 00:0c:7 0 EOF`. The process is the one that took the
 * lock; children that inherited the file may have it now. Waiting processes have `->` before FLOCK.
 */
static bool has_lock(const char *line, const struct stat *file, uint32_t *pid)
{
	uint64_t number, major, minor, inode;
	char kind[16];

	if (!scan_number(&line, UINT64_MAX, &number) || !scan_text(&line, ": FLOCK ADVISORY ") ||
	    !scan_until(&line, " ", kind, sizeof(kind)) || !scan_text(&line, " ") ||
	    !scan_number(&line, UINT32_MAX, &number) || !scan_text(&line, " ") ||
	    !scan_hex(&line, UINT32_MAX, &major) || !scan_text(&line, ":") ||
	    !scan_hex(&line, UINT32_MAX, &minor) || !scan_text(&line, ":") ||
	    !scan_number(&line, UINT64_MAX, &inode))
		return false;
	*pid = (uint32_t)number;
	return major == major(file->st_dev) && minor == minor(file->st_dev) &&
	       inode == file->st_ino && *pid != (uint32_t)getpid();
}

void lock_holder(int fd, struct lock_holder *h)
{
	FILE *locks = fopen("/proc/locks", "re");
	char *line = NULL, path[32];
	size_t size = 0;
	struct task_stat s;
	struct stat file;
	uint32_t pid;

	*h = (struct lock_holder){ };
	while (locks && !fstat(fd, &file) && getline(&line, &size, locks) > 0) {
		if (!has_lock(line, &file, &pid))
			continue;
		*h = (struct lock_holder){ .pid = pid };
		snprintf(path, sizeof(path), "/proc/%u/stat", pid);
		h->stopped = task_stat_read(AT_FDCWD, path, &s) &&
			     (*s.state == 'T' || *s.state == 't');
		snprintf(path, sizeof(path), "/proc/%u/comm", pid);
		file_line(path, h->name, sizeof(h->name));
		if (h->stopped)
			break;
	}
	free(line);
	if (locks)
		fclose(locks);
}

static void say_who(FILE *to, const char *path, const struct lock_holder *h)
{
	fprintf(to, "sonde: waiting for the lock (flock) of %s, which ", path);
	if (h->pid && *h->name)
		fprintf(to, "process %u (%s) has%s\n", h->pid, h->name,
			h->stopped ? ": that process is stopped" : "");
	else if (h->pid)
		fprintf(to, "process %u took\n", h->pid);
	else
		fprintf(to, "another process has\n");
}

struct wait {
	const volatile sig_atomic_t *stop;	/* NULL: signals do not end it */
	FILE *says;				/* NULL: says nothing */
	const char *path;
};

static bool lock(int fd, int how, const struct wait *w)
{
	const int64_t begin = monotonic_ms();
	struct lock_holder h = { };
	bool looked = false;
	int64_t waited = 0;
	long pause = 1;

	while (flock(fd, how | LOCK_NB)) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || (w->stop && *w->stop))
			return false;
		waited = monotonic_ms() - begin;
		if (waited >= LOOK_MS && !looked) {
			looked = true;
			lock_holder(fd, &h);
			if (w->says)
				say_who(w->says, w->path, &h);
		}
		if (waited >= LOCK_PATIENCE_MS || h.stopped) {
			if (w->says)
				fprintf(w->says, "sonde: going on without this lock: starting and "
						 "ending may take longer\n");
			return false;
		}
		pause_ms(pause);
		pause = pause * 2 < PAUSE_MOST_MS ? pause * 2 : PAUSE_MOST_MS;
	}
	return true;
}

bool lock_patiently(int fd, int how)
{
	return lock(fd, how, &(struct wait){ });
}

bool lock_for_run(struct kernel *k, int fd, int how, const char *path)
{
	return lock(fd, how, &(struct wait){ kernel_stop(k), kernel_says(k), path });
}
