// SPDX-License-Identifier: GPL-2.0
/*
 * System calls of 32-bit and of 64-bit tasks. On x86_64 any task can make a call of 32-bit tasks,
 * by `int $0x80`. setpriority(2) to sonde's own nice value changes nothing, and runs
 * set_user_nice(task): once by a call of each kind.
 */
#include "backends/offsets/find_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__) && !defined(__ILP32__)

#define COMPAT_GETPID 20
#define COMPAT_SETPRIORITY 97

static long compat_call(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(a), "c"(b), "d"(c)
			 : "memory", "cc", "r8", "r9", "r10", "r11");
	return (int)result;
}

/* A child makes the call. It dies if the kernel was built without such calls, or refuses them. */
static int try_compat(struct error *err)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(compat_call(COMPAT_GETPID, 0, 0, 0) != getpid());
	if (pid < 0)
		return fail_with(err, errno, "can't make a process: %m");
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail_with(err, errno, "waitpid(2): %m");
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 :
	       fail(err, "the kernel takes no system calls of 32-bit tasks");
}

#else

#define COMPAT_SETPRIORITY 0

static long compat_call(long number, long a, long b, long c)
{
	(void)number, (void)a, (void)b, (void)c;
	return -ENOSYS;
}

static int try_compat(struct error *err)
{
	return fail(err, "sonde can't make system calls of 32-bit and of 64-bit tasks on this "
			 "machine");
}

#endif

struct call {
	bool compat;
	int nice;
};

static int renice(void *arg, struct error *err)
{
	const struct call *c = arg;

	if (c->compat ? compat_call(COMPAT_SETPRIORITY, PRIO_PROCESS, 0, c->nice) :
			setpriority(PRIO_PROCESS, 0, c->nice))
		return fail(err, "setpriority(2) failed");
	return 0;
}

/*
 * Words that differ between two calls of one kind do not show the kind. They are changed so that
 * they match nothing.
 */
static void spoil_unsteady(struct memory *m, const struct memory *again, const struct memory *other)
{
	for (uint32_t at = 0; at + 4 <= m->size; at += 4)
		if (memcmp(m->bytes + at, again->bytes + at, 4))
			for (int i = 0; i < 4; i++)
				m->bytes[at + (uint32_t)i] =
					(uint8_t)~other->bytes[at + (uint32_t)i];
}

int find_call(struct kernel *k, struct specimen samples[2], struct error *err)
{
	const struct arch *a = kernel_arch(k);
	struct call calls[3] = { { .compat = false }, { .compat = true }, { .compat = false } };
	struct specimen again = { };
	struct tap *t = tap_new(k, err);
	int nice = getpriority(PRIO_PROCESS, 0);
	int piece = t && !try_compat(err) ?
		    tap_add(t, "set_user_nice", 1, -1, TASK_BYTES, err) : -1;
	int result = piece < 0 ? -1 : 0;

	for (int i = 0; i < 3 && !result; i++) {
		const struct memory *m = tap_memory(t, piece);

		calls[i].nice = nice;
		if (tap_fire(t, renice, &calls[i], err) ||
		    find_keep(i < 2 ? &samples[i] : &again, DUMP_TASK, m, m->base, err))
			result = -1;
		else if (i < 2)
			specimen_know_number(&samples[i], a, KNOWN_STATUS,
					   calls[i].compat ? a->compat_bits : 0, 4);
	}
	if (!result)
		spoil_unsteady(&samples[0].dumps[DUMP_TASK], &again.dumps[DUMP_TASK],
			       &samples[1].dumps[DUMP_TASK]);
	free(again.dumps[DUMP_TASK].bytes);
	tap_free(t);
	return result;
}
