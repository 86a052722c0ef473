// SPDX-License-Identifier: GPL-2.0
#include "compat/user/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compat/base/clock.h"
#include "compat/user/confine.h"
#include "compat/user/task_stat.h"

#define TICK_MS 100		/* a signal may come just before the wait */
/* The longest wait for a process that was killed. If the kernel does not end it, sonde goes on. */
#define GRACE_MS 1000

/* In the process: errno of the first message that could not be sent; 0: none. */
static int unsent;

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int))];
};

bool guard_send(int to, const void *message, size_t size, int fd)
{
	struct iovec part = { (void *)message, size };
	union control control = { };
	struct msghdr head = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t n;

	if (fd >= 0) {
		head.msg_control = control.bytes;
		head.msg_controllen = sizeof(control.bytes);
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.align), &fd, sizeof(fd));
	}
	do
		n = sendmsg(to, &head, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)size && !unsent)
		unsent = n < 0 ? errno : EIO;
	return n == (ssize_t)size;
}

/*
 * Returns the size of the message; 0 at the end; -1, and sets errno, on failure. EMFILE: a file
 * came with the message, and sonde has no room for another one. The kernel then cuts the file off,
 * and the message seems to have none.
 */
static ssize_t receive(int from, void *message, int *fd)
{
	struct iovec part = { message, GUARD_MESSAGE };
	union control control = { };
	struct msghdr head = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t n = recvmsg(from, &head, MSG_CMSG_CLOEXEC);

	*fd = -1;
	if (n > 0 && head.msg_controllen && control.align.cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(&control.align), sizeof(*fd));
	if (n < 0 || !(head.msg_flags & MSG_CTRUNC))
		return n;
	if (*fd >= 0)
		close(*fd);
	errno = EMFILE;
	return -1;
}

/* The CPU time in ms of a process that was not waited for yet; 0: unknown. */
static int64_t cpu_of(pid_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) ? 0 : clock_ns(clock) / NS_PER_MS;
}

/*
 * Returns true if the process waits for a CPU. On a busy machine that may take seconds: the process
 * is ready to run, and has not used the CPU time that it may take. Without /proc it counts as
 * blocked.
 */
static bool starves(pid_t pid, int64_t cpu_ms, int ms)
{
	struct task_stat s;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return task_stat_read(AT_FDCWD, path, &s) && *s.state == 'R' && cpu_of(pid) - cpu_ms < ms;
}

static enum guard_end collect(const struct guarded *g, pid_t pid, int from)
{
	struct pollfd polled = { .fd = from, .events = POLLIN };
	int64_t until = monotonic_ms() + g->ms, cpu_ms = cpu_of(pid);
	char message[GUARD_MESSAGE];

	for (;;) {
		ssize_t n;
		int fd;

		if (g->stop && *g->stop)
			return GUARD_STOPPED;
		if (poll(&polled, 1, TICK_MS) <= 0) {
			if (monotonic_ms() > until && !starves(pid, cpu_ms, g->ms))
				return GUARD_HANGS;
			continue;
		}
		n = receive(from, message, &fd);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return GUARD_FAILED;
		if (!n)
			return GUARD_DONE;
		g->take(g->arg, message, (size_t)n, fd);
		until = monotonic_ms() + g->ms;
		cpu_ms = cpu_of(pid);
	}
}

/* Waits for the process. Returns 0 if it came to its end by itself and sent all, or an errno. */
static int reap(pid_t pid, bool done)
{
	int64_t until = monotonic_ms() + GRACE_MS;
	struct timespec pause = { .tv_nsec = 1000000 };
	int status = 0;
	pid_t got;

	if (!done)
		kill(pid, SIGKILL);
	while ((got = waitpid(pid, &status, done ? 0 : WNOHANG)) != pid) {
		if (got < 0 && errno != EINTR)
			return done ? 0 : errno;
		if (!done && monotonic_ms() > until)
			return ETIMEDOUT;
		nanosleep(&pause, NULL);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : ECANCELED;
}

/* A file tells the sizes of its parts, and may tell other sizes when it is read again. */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__		/* ASan takes more addresses than there is memory */
	setrlimit(RLIMIT_AS, &(struct rlimit){ GUARD_MEMORY, GUARD_MEMORY });
#endif
}

struct kept {
	const struct guarded *guarded;
	int to;
};

static bool is_kept(void *arg, int fd)
{
	const struct kept *k = arg;
	const struct guarded *g = k->guarded;

	/* A sanitizer says what it found on standard error. */
#ifdef __SANITIZE_ADDRESS__
	if (fd == STDERR_FILENO)
		return true;
#endif
	return fd == k->to || (g->file && fd == *g->file) || (g->kept && g->kept(g->arg, fd));
}

enum guard_end guard_run(const struct guarded *g)
{
	pid_t parent = getpid(), pid;
	enum guard_end end;
	int ends[2], error, ended;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return GUARD_FAILED;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ends[0]);
		unsent = 0;
		limit_memory();
		confine(g->opens ? CONFINED_OPENS : CONFINED_READS, is_kept,
			&(struct kept){ g, ends[1] });
		if (getppid() == parent)
			g->work(g->arg, ends[1]);
		_exit(unsent);
	}
	close(ends[1]);
	end = pid < 0 ? GUARD_FAILED : collect(g, pid, ends[0]);
	error = errno;
	close(ends[0]);
	ended = pid > 0 ? reap(pid, end == GUARD_DONE) : 0;
	if (ended && end == GUARD_DONE) {
		end = GUARD_FAILED;
		error = ended;
	}
	errno = error;
	return end;
}
