// SPDX-License-Identifier: GPL-2.0
#include "held.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 65536			/* at least a page of any machine */
#define WAITER_MS 1000			/* the longest wait for the one who is to wait */

/* Memory that is not there: whoever touches it waits. Returns the descriptor that tells of it. */
static int missing_memory(char **page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register all = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0)
		return -1;
	*page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	all.range.start = (uintptr_t)*page;
	all.range.len = PAGE;
	if (*page == MAP_FAILED || ioctl(fd, UFFDIO_API, &api) ||
	    ioctl(fd, UFFDIO_REGISTER, &all))
		return -1;
	return fd;
}

/* The state of a process, as in /proc: 'D' while it waits for a lock. 0: unknown. */
static char state_of(int pid)
{
	char path[32], text[512];
	const char *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');		/* of its name */
	return end && end[1] ? end[2] : 0;
}

/* On a busy machine a process may come to the lock late. Without its /proc nobody knows when. */
static void await_waiter(int pid)
{
	const struct timespec tick = { 0, 1000000 };

	for (int i = 0; i < WAITER_MS && state_of(pid) != 'D'; i++)
		nanosleep(&tick, NULL);
}

/* Says that the lock is held, and gives the memory when the process has waited for the time. */
static void provide(int fd, int holds, int waiter, char *page, int64_t ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };
	struct uffdio_zeropage zero = { .range = { (uintptr_t)page, PAGE } };
	struct uffd_msg message;

	while (read(fd, &message, sizeof(message)) == sizeof(message)) {
		if (write(holds, "h", 1) != 1)
			break;
		await_waiter(waiter);
		nanosleep(&time, NULL);
		if (ioctl(fd, UFFDIO_ZEROPAGE, &zero))
			break;
	}
	_exit(1);
}

/* write(2) of a file locks its position, too. */
static ssize_t put(int fd, bool is_file, const char *bytes, size_t n)
{
	return is_file ? pwrite(fd, bytes, n, 0) : write(fd, bytes, n);
}

static void hold(int fd, bool is_file, int go, char *page)
{
	char byte;

	while (read(go, &byte, 1) == 1)
		if (madvise(page, PAGE, MADV_DONTNEED) || put(fd, is_file, page, 1) != 1)
			break;
	_exit(1);
}

static int child(void)
{
	int pid = fork();

	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

/* The holder's process. It says `e`, and why, if there is no such memory. */
static void serve(const struct held *h, int go, int holds, int waiter, int64_t ms)
{
	char *page = NULL, no[2] = { 'e', 0 };
	int fd = missing_memory(&page);

	no[1] = (char)errno;
	if (write(holds, fd < 0 ? no : "r", fd < 0 ? 2 : 1) < 0 || fd < 0)
		_exit(1);
	if (!child())
		provide(fd, holds, waiter, page, ms);
	hold(h->fd, h->drain < 0, go, page);
}

int held_start(struct held *h, int fd, int drain, int64_t ms)
{
	int go[2], holds[2], pid, waiter = getpid();
	char said[2];

	*h = (struct held){ .fd = fd, .drain = drain };
	if (pipe2(go, O_CLOEXEC) || pipe2(holds, O_CLOEXEC))
		return -1;
	pid = child();
	if (pid < 0)
		return -1;
	if (!pid) {
		close(go[1]);
		serve(h, go[0], holds[1], waiter, ms);
	}
	close(go[0]);
	close(holds[1]);
	h->go = go[1];
	h->holds = holds[0];
	if (read(h->holds, said, 1) != 1)
		return -1;
	if (said[0] == 'r')
		return 0;
	errno = read(h->holds, said, 1) == 1 ? said[0] : EIO;
	return -1;
}

int64_t held_wait(struct held *h)
{
	struct timespec from, to;
	char bytes[2];

	if (write(h->go, "g", 1) != 1 || read(h->holds, bytes, 1) != 1)
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &from);
	if (put(h->fd, h->drain < 0, "w", 1) != 1)
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &to);
	for (int i = 0; h->drain >= 0 && i < 2; i++)
		if (read(h->drain, bytes, 1) != 1)
			return -1;
	return (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec;
}
