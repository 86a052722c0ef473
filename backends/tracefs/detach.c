// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/tracefs/holder.h"
#include "backends/tracefs/tracefs.h"
#include "compat/base/clock.h"
#include "compat/base/file.h"
#include "compat/base/scan.h"
#include "compat/user/task_stat.h"

#define MOMENT_MS 50		/* we wait so long for the detacher's end */
#define PAUSE_MS 10
#define LOCK_TRIES 100

/* Whether the first process here collects orphans that end: else they stay zombies. */
static bool first_collects(void)
{
	/* Blocked is for sigwait(3). */
	static const char *const kinds[] = { "SigBlk: ", "SigIgn: ", "SigCgt: " };
	FILE *status = fopen("/proc/1/status", "re");
	uint64_t signals, noticed = 0;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			const char *at = line;

			if (scan_text(&at, kinds[i]) && scan_hex(&at, UINT64_MAX, &signals))
				noticed |= signals;
		}
	if (status)
		fclose(status);
	return noticed >> (SIGCHLD - 1) & 1;
}

/*
 * All processes of a pid namespace end with its first one. Then the kernel closes their file
 * descriptors, but nobody removes what has a name in tracefs.
 */
static bool can_be_left(struct kernel *k, bool named)
{
	if (getpid() == 1)
		return false;
	return kernel_has(k, FEATURE_ROOT_PIDNS) || (!named && first_collects());
}

/* Others hold the directory's lock alone for a moment only, to see whether there are detachers. */
int detacher_lock(struct kernel *k)
{
	const char *tracefs = kernel_tracefs(k);
	int fd = tracefs ? open(tracefs, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	for (int try = 0; fd >= 0 && try < LOCK_TRIES; try++) {
		if (!flock(fd, LOCK_SH | LOCK_NB) || errno != EWOULDBLOCK)
			break;
		pause_ms(1);
	}
	return fd;
}

/* What sonde opens has FD_CLOEXEC. The rest it inherited: pipes, terminals, locks of others. */
static bool is_own(void *arg, int fd)
{
	const int flags = fcntl(fd, F_GETFD);

	(void)arg;
	return flags < 0 || flags & FD_CLOEXEC;
}

/* ps(1) must not look as if somebody still traced. The kernel tells where the command line is. */
static void rename_process(void)
{
	uint64_t start, end;
	struct task_stat s;

	prctl(PR_SET_NAME, DETACHER_NAME);
	/* Where the arguments begin and end. */
	if (!task_stat_read(AT_FDCWD, "/proc/self/stat", &s) ||
	    !task_stat_number(&s, 48, UINTPTR_MAX, &start) ||
	    !task_stat_number(&s, 49, UINTPTR_MAX, &end) || !start || end <= start)
		return;
	memset((char *)(uintptr_t)start, 0, (size_t)(end - start));
	snprintf((char *)(uintptr_t)start, (size_t)(end - start), DETACHER_NAME);
}

void detacher_begin(bool (*kept)(void *arg, int fd), void *arg)
{
	/* First: by its name others know what they need not show. */
	rename_process();
	setsid();
	if (chdir("/"))
		pause_ms(0);
	file_close_all(kept, arg);
}

struct pipes {
	int go[2];		/* the detacher begins when all have closed the writing end */
	int done[2];		/* only the detacher has the writing end */
};

static bool make_pipes(struct pipes *p)
{
	if (pipe2(p->go, O_CLOEXEC))
		return false;
	if (!pipe2(p->done, O_CLOEXEC))
		return true;
	close(p->go[0]);
	close(p->go[1]);
	return false;
}

struct needed {
	int lock, done;
};

/* Whoever sweeps needs no more. */
static bool is_needed(void *arg, int fd)
{
	const struct needed *n = arg;

	return fd == n->lock || fd == n->done;
}

/* All signals stay blocked. */
static void run_detacher(struct kernel *k, struct pipes *p, int lock, void (*end)(void *arg),
			 void *arg, bool named)
{
	struct pollfd go = { .fd = p->go[0] };

	close(p->go[1]);
	close(p->done[0]);
	detacher_begin(is_own, NULL);
	/* We have to be the last to close the file descriptors: the last one waits. */
	poll(&go, 1, -1);
	end(arg);
	/*
	 * Locks of what the process that goes on has made before and gives up while we sweep: we
	 * would find that in use by ourselves, and leave it to nobody.
	 */
	file_close_all(is_needed, &(struct needed){ lock, p->done[1] });
	if (named)
		tracefs_sweep_all(kernel_tracefs(k), holder_uprobes(k, NULL), true);
	_exit(0);
}

/* Whoever starts may be who waits for this. */
static void end_here(struct kernel *k, void (*end)(void *arg), void *arg, bool named,
		     const struct holder *h)
{
	end(arg);
	if (named)
		tracefs_sweep_all(kernel_tracefs(k), holder_uprobes(k, h), false);
}

void detach(struct kernel *k, void (*end)(void *arg), void *arg, bool named, struct holder *h)
{
	sigset_t all, before;
	bool ended = true;
	struct pipes p;
	pid_t pid;
	int lock;

	if (!can_be_left(k, named) || !make_pipes(&p)) {
		end_here(k, end, arg, named, h);
		holder_free(h, HOLDER_MS);
		return;
	}
	lock = detacher_lock(k);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (!pid)
		run_detacher(k, &p, lock, end, arg, named);
	close(p.go[0]);
	close(p.done[1]);
	end_here(k, end, arg, named && pid < 0, h);
	close(p.go[1]);
	if (pid > 0) {
		struct pollfd done = { .fd = p.done[0] };

		ended = poll(&done, 1, MOMENT_MS) == 1;
		if (ended)
			waitpid(pid, NULL, 0);
	}
	close(p.done[0]);
	holder_free(h, ended ? HOLDER_MS : 0);
	if (lock >= 0)
		close(lock);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

bool detach_wait(struct kernel *k, int timeout_ms)
{
	const char *tracefs = kernel_tracefs(k);
	bool none = true;
	int fd = tracefs ? open(tracefs, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd < 0)
		return true;
	for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB); waited += PAUSE_MS)
		if (waited >= timeout_ms || pause_ms(PAUSE_MS)) {
			none = false;
			break;
		}
	close(fd);
	return none;
}
