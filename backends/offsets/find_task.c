// SPDX-License-Identifier: GPL-2.0
/*
 * Processes of sonde's own: a child, and the child's child. Both wait until sonde is done.
 * setpriority(2) to a process's own nice value changes nothing, and runs set_user_nice(task). On
 * arm64 the inner process has a seccomp filter that lets all calls pass. The flag of a filter is
 * beside the flag of 32-bit tasks.
 */
#include "backends/offsets/find_internal.h"
#include "compat/tasks/namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS 2000

/* Waits until sonde closes the other end, or dies. */
static void wait_for_end(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
}

static void end(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* If it fails, only the flags are not found. */
static void take_filter(void)
{
	struct sock_filter pass[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { .len = 1, .filter = pass };

	if (!arch_own()->filter_bits)
		return;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Runs in the child. The child's child writes its pid to `tell`. */
static void be_child(const int hold[2], const int tell[2])
{
	pid_t inner;

	close(hold[1]);
	close(tell[0]);
	inner = fork();
	if (!inner) {
		pid_t self = getpid();

		take_filter();
		if (write(tell[1], &self, sizeof(self)) != sizeof(self))
			_exit(1);
	}
	close(tell[1]);
	wait_for_end(hold[0]);
	if (inner > 0)
		end(inner);
	_exit(0);
}

int find_renice(pid_t pid, struct error *err)
{
	int nice;

	errno = 0;
	nice = getpriority(PRIO_PROCESS, (id_t)pid);
	if (errno || setpriority(PRIO_PROCESS, (id_t)pid, nice))
		return fail_with(err, errno, "setpriority(2): %m");
	return 0;
}

static int renice(void *arg, struct error *err)
{
	return find_renice(*(pid_t *)arg, err);
}

/* pids: sonde's, its child's, and the child's child's. Each task is the parent of the next. */
static int look_at(struct kernel *k, struct tap *t, const pid_t pids[3], struct specimen samples[2],
		   struct error *err)
{
	const struct arch *a = kernel_arch(k);
	int piece = t ? tap_add(t, "set_user_nice", 1, -1, TASK_BYTES, err) : -1,
		result = piece < 0 ? -1 : 0;
	uint64_t parent = 0;

	for (int i = 0; i < 3 && !result; i++) {
		pid_t pid = pids[i];
		const struct memory *m = tap_memory(t, piece);

		result = tap_fire(t, renice, &pid, err);
		if (!result && i) {
			result = find_keep(&samples[i - 1], DUMP_TASK, m, m->base, err);
			specimen_know_number(&samples[i - 1], a, KNOWN_TGID, (uint64_t)pid, 4);
			specimen_know_number(&samples[i - 1], a, KNOWN_PARENT, parent, a->word);
			specimen_know_number(&samples[i - 1], a, KNOWN_TASK_FLAGS,
					     i == 2 ? a->filter_bits : 0, 4);
		} else if (!result && !m->size) {
			result = fail(err, "set_user_nice() did not run");
		}
		parent = m->base;
	}
	return result;
}

int find_task(struct kernel *k, struct specimen samples[2], struct error *err)
{
	int hold[2], tell[2], result = -1;
	pid_t pids[3] = { getpid() };
	struct tap *t;

	if (!kernel_has(k, FEATURE_ROOT_PIDNS))
		return namespace_not_initial(k, "", err);
	if (pipe2(hold, O_CLOEXEC))
		return fail_with(err, errno, "pipe(2): %m");
	if (pipe2(tell, O_CLOEXEC)) {
		close(hold[0]);
		close(hold[1]);
		return fail_with(err, errno, "pipe(2): %m");
	}
	t = tap_new(k, err);
	pids[1] = fork();
	if (!pids[1])
		be_child(hold, tell);
	close(hold[0]);
	close(tell[1]);
	if (pids[1] > 0 && poll(&(struct pollfd){ .fd = tell[0], .events = POLLIN }, 1, WAIT_MS) ==
	    1 &&
	    read(tell[0], &pids[2], sizeof(pids[2])) == sizeof(pids[2]))
		result = look_at(k, t, pids, samples, err);
	else
		fail_with(err, errno, "can't make a process: %m");
	close(hold[1]);
	close(tell[0]);
	if (pids[1] > 0)
		end(pids[1]);
	/* After the children's end: the detacher would keep the pipe open that they wait for. */
	tap_free(t);
	return result;
}
