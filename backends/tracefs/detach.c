// SPDX-License-Identifier: GPL-2.0
#include "backends/tracefs/detach.h"

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
#include "compat/base/text.h"
#include "compat/user/task_stat.h"

#define MOMENT_MS 50		/* time to wait for the detacher's end */
#define PAUSE_MS 10
#define LOCK_TRIES 100
#define LOOK_MS 1000
#define GO_MS 60000		/* for sonde to close its files, which is fast here */

/*
 * Returns true if the first process of this pid namespace collects orphans that end. Otherwise they
 * stay zombies.
 */
static bool first_collects(void)
{
	/* A blocked signal may be one that sigwait(3) waits for. */
	static const char *const kinds[] = { "SigBlk: ", "SigIgn: ", "SigCgt: " };
	FILE *status = fopen("/proc/1/status", "re");
	uint64_t signals, noticed = 0;
	char *line = NULL;
	size_t size = 0;

	while (status && getline(&line, &size, status) > 0)
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			const char *at = line;

			if (scan_text(&at, kinds[i]) && scan_hex(&at, UINT64_MAX, &signals))
				noticed |= signals;
		}
	free(line);
	if (status)
		fclose(status);
	return noticed >> (SIGCHLD - 1) & 1;
}

/*
 * Returns true if the work can be left to a detacher. All processes of a pid namespace end with its
 * first process. Then the kernel closes their file descriptors, but no process removes the things
 * with names in tracefs.
 */
static bool can_be_left(struct kernel *k, bool named)
{
	if (getpid() == 1)
		return false;
	return kernel_has(k, FEATURE_ROOT_PIDNS) || (!named && first_collects());
}

/* detach_wait() of other sondes holds the directory's lock alone, but only for a moment. */
int detacher_lock(struct kernel *k)
{
	const char *tracefs = kernel_tracefs(k);
	int fd = tracefs ? open(tracefs, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	for (int try = 0; fd >= 0 && try < LOCK_TRIES; try++) {
		if (!flock(fd, LOCK_SH | LOCK_NB))
			break;
		pause_ms(1);
	}
	return fd;
}

/*
 * Files that sonde opened have FD_CLOEXEC. It inherited the others: pipes, terminals, locks of
 * other programs.
 */
static bool is_own(void *arg, int fd)
{
	const int flags = fcntl(fd, F_GETFD);

	(void)arg;
	return flags < 0 || flags & FD_CLOEXEC;
}

/*
 * Replaces the name and the command line, so that ps(1) does not show a sonde that seems to trace.
 * The kernel tells where the command line is.
 */
static void rename_process(void)
{
	uint64_t start, end;
	struct task_stat s;

	prctl(PR_SET_NAME, DETACHER_NAME);
	/* The addresses at which the arguments begin and end. */
	if (!task_stat_read(AT_FDCWD, "/proc/self/stat", &s) ||
	    !task_stat_number(&s, 48, UINTPTR_MAX, &start) ||
	    !task_stat_number(&s, 49, UINTPTR_MAX, &end) || !start || end <= start)
		return;
	memset((char *)(uintptr_t)start, 0, (size_t)(end - start));
	text_cut((char *)(uintptr_t)start, (size_t)(end - start), DETACHER_NAME);
}

void detacher_begin(bool (*kept)(void *arg, int fd), void *arg)
{
	/* The name comes first: by this name other sondes know that they must not show it. */
	rename_process();
	setsid();
	if (chdir("/"))
		pause_ms(0);
	file_close_all(kept, arg);
}

struct pipes {
	int go[2];		/* the detacher begins when all processes closed the writing end */
	int done[2];		/* only the detacher has the writing end */
	pid_t parent;		/* of the detacher */
};

static bool make_pipes(struct pipes *p)
{
	p->parent = getpid();
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

/* A process that sweeps needs no other files. */
static bool is_needed(void *arg, int fd)
{
	const struct needed *n = arg;

	return fd == n->lock || fd == n->done;
}

void detacher_wait(int fd, pid_t parent, int most_ms)
{
	struct pollfd p = { .fd = fd };

	for (int waited = 0; getppid() == parent && poll(&p, 1, LOOK_MS) <= 0; waited += LOOK_MS)
		if (waited >= most_ms)
			break;
}

/* All signals stay blocked. */
static void run_detacher(struct kernel *k, struct pipes *p, int lock, void (*end)(void *arg),
			 void *arg, bool named)
{
	close(p->go[1]);
	close(p->done[0]);
	detacher_begin(is_own, NULL);
	/* The detacher must close the files last: the last process that closes them waits. */
	detacher_wait(p->go[0], p->parent, GO_MS);
	end(arg);
	/*
	 * The detacher also has the locks of things that sonde made before and goes on to use. If
	 * sonde released them while the detacher sweeps, the detacher's own locks would make them
	 * seem in use, and nobody would remove them.
	 */
	file_close_all(is_needed, &(struct needed){ lock, p->done[1] });
	if (named)
		tracefs_sweep_all(kernel_tracefs(k), holder_uprobes(k, NULL), true);
	_exit(0);
}

/* Sweeps without rests: the sonde that starts meanwhile may be the one that waits for this end. */
static void sweep_here(struct kernel *k, const struct holder *h)
{
	tracefs_sweep_all(kernel_tracefs(k), holder_uprobes(k, h), false);
}

/* The detacher was killed, or did not wait any longer. Its end of the pipe is closed. */
static bool is_gone(int go)
{
	struct pollfd p = { .fd = go };

	return poll(&p, 1, 0) == 1 && p.revents & POLLERR;
}

void detach(struct kernel *k, void (*end)(void *arg), void *arg, bool named, struct holder *h)
{
	sigset_t all, before;
	bool ended = true;
	struct pipes p;
	pid_t pid;
	int lock;

	if (!can_be_left(k, named) || !make_pipes(&p)) {
		end(arg);
		if (named)
			sweep_here(k, h);
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
	end(arg);
	if (named && (pid < 0 || is_gone(p.go[1])))
		sweep_here(k, h);
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

static void nothing(void *arg)
{
	(void)arg;
}

void detach_sweep(struct kernel *k)
{
	if (can_be_left(k, true))
		detach(k, nothing, NULL, true, NULL);
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
