// SPDX-License-Identifier: GPL-2.0
/* funclatency: a function of the kernel in which a process sleeps, so often and so long. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "compat/base/clock.h"
#include "src/selftest/selftest.h"

#define SLEEPS 20
#define SLEEP_US 3000

static int work(struct work *w)
{
	const struct timespec ms3 = { 0, SLEEP_US * 1000 };
	int64_t start = clock_ns(CLOCK_MONOTONIC) / 1000;

	for (int i = 0; i < SLEEPS; i++)
		if (nanosleep(&ms3, NULL))
			return not_here(w, "it can't sleep: %s", strerror(errno));
	say_integer(w, "usecs", clock_ns(CLOCK_MONOTONIC) / 1000 - start);
	return 0;
}

/* Each call is counted; together they took what they slept at least, and no more than it took. */
static void check(struct found *f)
{
	int64_t usecs = said_integer(f, "usecs");

	found_between(f, "calls", SLEEPS, found_counted(f, NULL, NULL), SLEEPS);
	/* A slot's lowest value is up to an eighth less than the value. */
	found_between(f, "usecs", SLEEPS * (SLEEP_US - SLEEP_US / 8), found_total(f), usecs);
}

static void check_all(struct found *f)
{
	cell_verdict(f->cell, VERDICT_DEGRADED, "one process can't be timed alone");
	found_between(f, "calls", SLEEPS, found_counted(f, NULL, NULL), INT64_MAX);
}

static void check_either(struct found *f)
{
	(f->foreign ? check_all : check)(f);
}

static const char *const options[] = { "-u", "--pid", "%pid", "hrtimer_nanosleep", NULL };
static const char *const foreign[] = { "-u", "hrtimer_nanosleep", NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, NULL, work, check_either },
	{ }
};

SELFTEST(funclatency, parts);
