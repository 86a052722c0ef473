// SPDX-License-Identifier: GPL-2.0
/*
 * runqlat: a byte goes to a child and back, both on one CPU: with each turn this process gives way once, and waits
 * for the CPU once when it is woken. How often it gave way, or was preempted, the kernel itself counts.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "src/selftest/selftest.h"

#define TURNS 500
#define SLACK 25	/* switches before and after the two counts, and those that are no wait: woken just before */

struct state {
	int there, back;
};

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static int prepare(struct work *w)
{
	struct state *s = w->state;
	int there[2], back[2], cpu = sched_getcpu(), child;
	cpu_set_t one;
	char byte;

	CPU_ZERO(&one);
	CPU_SET(cpu < 0 ? 0 : cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return not_here(w, "tasks can't be held on CPU %d: %s", cpu, strerror(errno));
	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		return not_here(w, "no pipe: %s", strerror(errno));
	child = work_fork();
	if (child < 0)
		return not_here(w, "no process can be made: %s", strerror(errno));
	if (!child) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	s->there = there[1];
	s->back = back[0];
	return 0;
}

static int work(struct work *w)
{
	const struct state *s = w->state;
	struct rusage before, after;
	int64_t start = now_us();
	char byte = 0;

	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < TURNS; i++)
		if (write(s->there, &byte, 1) != 1 || read(s->back, &byte, 1) != 1)
			return not_here(w, "a pipe broke: %s", strerror(errno));
	getrusage(RUSAGE_SELF, &after);
	say_integer(w, "gave_way", after.ru_nvcsw - before.ru_nvcsw);
	say_integer(w, "preempted", after.ru_nivcsw - before.ru_nivcsw);
	say_integer(w, "usecs", now_us() - start);
	return 0;
}

static void check(struct found *f)
{
	int64_t waits = said_integer(f, "gave_way") + said_integer(f, "preempted");

	found_between(f, "waits", waits - SLACK, found_counted(f, NULL, NULL), waits + SLACK);
	/* It can't have waited longer than it took; the first wait, for the word to begin, was before. */
	if (found_total(f) > said_integer(f, "usecs") + 1000000)
		cell_verdict(f->cell, VERDICT_WRONG, "wanted waits of at most %lld us together, got %lld",
			     (long long)said_integer(f, "usecs"), (long long)found_total(f));
}

static const char *const options[] = { "--pid", "%pid", NULL };

/* Of the whole machine's waits only the least number is known. */
static void check_all(struct found *f)
{
	cell_verdict(f->cell, VERDICT_DEGRADED, "one process can't be counted alone");
	found_between(f, "waits", TURNS, found_counted(f, NULL, NULL), INT64_MAX);
}

static const char *const foreign[] = { NULL };

static void check_either(struct found *f)
{
	(f->foreign ? check_all : check)(f);
}

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, prepare, work, check_either },
	{ }
};

const struct selftest selftest_runqlat = { "runqlat", parts, .state_size = sizeof(struct state) };
