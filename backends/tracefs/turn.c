// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "compat/base/clock.h"

/* Starting sondes share the lock of one file of tracefs; a process that removes locks the other. */
#define STARTING "events"
#define REMOVING "README"

#define REST_MS 10000
#define LOOK_MS 20

static int open_in(const char *tracefs, const char *file)
{
	char path[PATH_MAX];

	if (!tracefs || snprintf(path, sizeof(path), "%s/%s", tracefs, file) >= (int)sizeof(path))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Locks the file. Returns fd, or -1. */
static int locked(int fd, int how)
{
	int failed = fd < 0;

	while (!failed && flock(fd, how))
		failed = errno != EINTR;
	if (failed && fd >= 0)
		close(fd);
	return failed ? -1 : fd;
}

/* Waits for the lock: turn_rest() of another process holds it alone, but only for a moment. */
int turn_starting(struct kernel *k)
{
	return locked(open_in(kernel_tracefs(k), STARTING), LOCK_SH);
}

void turn_started(int fd)
{
	if (fd < 0)
		return;
	flock(fd, LOCK_UN);
	close(fd);
}

int turn_share(const char *tracefs)
{
	return locked(open_in(tracefs, REMOVING), LOCK_SH | LOCK_NB);
}

int turn_take(const char *tracefs)
{
	const int turn = locked(open_in(tracefs, REMOVING), LOCK_EX | LOCK_NB);

	/* If the turn can be shared, only starting sondes have it, for a moment. */
	return turn >= 0 ? turn : locked(turn_share(tracefs), LOCK_EX);
}

int turn_wait(const char *tracefs)
{
	return locked(open_in(tracefs, REMOVING), LOCK_EX);
}

bool turn_rest(const char *tracefs)
{
	bool busy = true;
	int fd = open_in(tracefs, STARTING);

	for (int waited = 0; busy && waited <= REST_MS; waited += LOOK_MS) {
		if (waited)
			pause_ms(LOOK_MS);
		busy = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
	}
	if (fd >= 0)
		close(fd);
	return !busy;
}
