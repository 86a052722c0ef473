// SPDX-License-Identifier: GPL-2.0
/* futexctn: a process waits for words in vain, as often as it is known to, and is woken once. */
#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "src/commands/selftest/selftest.h"

#define TIMEOUTS 10
#define WAKE_MS 50

struct words {
	uint32_t vain, woken;
};

static long futex(uint32_t *word, int op, uint32_t value, const struct timespec *time)
{
	return syscall(SYS_futex, word, op, value, time, NULL, 0);
}

/* The words are shared with a child, which wakes this process. */
static int prepare(struct work *w)
{
	struct words *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			       -1, 0);

	if (s == MAP_FAILED)
		return not_here(w, "no memory: %s", strerror(errno));
	*(struct words **)w->state = s;
	return 0;
}

static int work(struct work *w)
{
	const struct timespec soon = { .tv_nsec = 2000000 };
	const struct timespec later = { .tv_nsec = WAKE_MS * 1000000 };
	struct words *s = *(struct words **)w->state;
	int child;

	for (int i = 0; i < TIMEOUTS; i++)
		if (!futex(&s->vain, FUTEX_WAIT, 0, &soon) || errno != ETIMEDOUT)
			return not_here(w, "a wait was no timeout");
	child = work_fork();
	if (child < 0)
		return not_here(w, "can't make a process: %s", strerror(errno));
	if (!child) {
		nanosleep(&later, NULL);
		_exit(futex(&s->woken, FUTEX_WAKE, 1, NULL) != 1);
	}
	if (futex(&s->woken, FUTEX_WAIT, 0, NULL))
		return not_here(w, "a wait failed: %s", strerror(errno));
	return 0;
}

static void check(struct found *f)
{
	int64_t waits = 0, timeouts = 0;

	if (!found_sum(f, "waits", &waits) || !found_sum(f, "timeouts", &timeouts))
		cell_verdict(f->cell, VERDICT_WRONG, "a row without a count");
	found_between(f, "waits", 1, waits, f->foreign ? INT64_MAX : 1);
	found_between(f, "timeouts", TIMEOUTS, timeouts, f->foreign ? INT64_MAX : TIMEOUTS);
}

static const char *const options[] = { "-s", "--pid", "%pid", NULL }, *const foreign[] = {
	"-s", NULL
};

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, prepare, work, check },
	{ }
};

SELFTEST(futexctn, parts, .state_size = sizeof(struct words *));
