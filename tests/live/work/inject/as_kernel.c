// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a command that meets perf_event_open(2) of an older kernel: what that one did not know is
 * refused as it refused it. The kernel asks another process about these calls (seccomp's
 * notifications, since 5.5). The command has the process id of the job: it gets its signals.
 */
#include <linux/filter.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "keys.h"

#ifdef CAN_INJECT
enum place { SAMPLE_TYPE = 24, FLAGS = 40 };	/* words of struct perf_event_attr */

/* What came when: bits of a word, the first of its declaration first. */
static const struct {
	enum place at;
	unsigned int bit, major, minor;
} since[] = {
	{ SAMPLE_TYPE, 16, 3, 12 },	/* PERF_SAMPLE_IDENTIFIER */
	{ SAMPLE_TYPE, 17, 3, 13 }, { SAMPLE_TYPE, 18, 3, 19 }, { SAMPLE_TYPE, 19, 4, 14 },
	{ FLAGS, 23, 3, 16 },		/* mmap2 */
	{ FLAGS, 24, 3, 16 },		/* comm_exec */
	{ FLAGS, 25, 4, 1 },		/* use_clockid */
	{ FLAGS, 26, 4, 3 },		/* context_switch */
	{ FLAGS, 27, 4, 7 },		/* write_backward */
	{ FLAGS, 28, 4, 12 }, { FLAGS, 29, 5, 1 }, { FLAGS, 30, 5, 1 }, { FLAGS, 31, 5, 4 },
	{ FLAGS, 32, 5, 7 }, { FLAGS, 33, 5, 9 },
	{ FLAGS, 34, 5, 12 },		/* build_id */
};

/* Big-endian machines have the first flag at the other end of its word. */
static uint64_t mask_of(enum place at, unsigned int bit)
{
	const bool turned = at == FLAGS && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return 1ULL << (turned ? 63 - bit : bit);
}

static bool unknown(const struct seccomp_notif *n, unsigned int major, unsigned int minor)
{
	uint64_t word;

	for (size_t i = 0; i < sizeof(since) / sizeof(since[0]); i++) {
		if (major > since[i].major ||
		    (major == since[i].major && minor >= since[i].minor))
			continue;
		if (peek((pid_t)n->pid, n->data.args[0] + since[i].at, &word, sizeof(word)) &&
		    word & mask_of(since[i].at, since[i].bit))
			return true;
	}
	return false;
}

/* Until the last process with the filter has ended. */
static void answer_all(int listener, unsigned int major, unsigned int minor)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };

	while (!(p.revents & POLLHUP)) {
		struct seccomp_notif n = { 0 };
		struct seccomp_notif_resp r = { 0 };

		if (poll(&p, 1, -1) < 0 || !(p.revents & POLLIN) ||
		    ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n))
			continue;
		r.id = n.id;
		if (unknown(&n, major, minor))
			r.error = -EINVAL;
		else
			r.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
	}
}

static int install(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* What both processes wait for: -1, then the listener there; 0, then 1 if it is here, or -1. */
struct shared {
	volatile int listener, taken;
};

/* The process that answers is nobody's child: the command waits for its own alone. */
static void answering(struct shared *s, pid_t command, unsigned int major, unsigned int minor)
{
	int process, listener;

	if (fork())
		_exit(0);
	setsid();
	process = (int)syscall(SYS_pidfd_open, command, 0);
	while (s->listener == -1 && !kill(command, 0))
		sched_yield();
	listener = (int)syscall(SYS_pidfd_getfd, process, s->listener, 0);
	s->taken = listener < 0 ? -1 : 1;
	close(process);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	if (listener >= 0)
		answer_all(listener, major, minor);
	_exit(0);
}

static int job_as_kernel(int argc, char **argv)
{
	struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const pid_t command = getpid();
	unsigned int major, minor;
	pid_t child;

	(void)argc;
	if (sscanf(argv[1], "%u.%u", &major, &minor) != 2) {
		fprintf(stderr, "work: %s is no version of a kernel\n", argv[1]);
		return 2;
	}
	if (s == MAP_FAILED)
		die("mmap");
	s->listener = -1;
	child = fork();
	if (child < 0)
		die("fork");
	if (!child)
		answering(s, command, major, minor);
	waitpid(child, NULL, 0);
	s->listener = install();
	while (s->listener >= 0 && !s->taken)
		sched_yield();
	if (s->listener < 0 || s->taken < 0) {
		fputs("work: this kernel can't be asked about the calls of others\n", stderr);
		return 77;
	}
	close(s->listener);
	execvp(argv[2], argv + 2);
	die(argv[2]);
}
#else
static int job_as_kernel(int argc, char **argv)
{
	(void)argc, (void)argv;
	fputs("work: it was built with headers of a kernel that can't be asked about calls\n",
	      stderr);
	return 77;
}
#endif

const struct job as_kernel_jobs[] = {
	{ "as-kernel", "VERSION COMMAND...", 2, job_as_kernel,
	  "runs a command for which perf_event_open(2) is that of this kernel" },
	{ 0 }
};
