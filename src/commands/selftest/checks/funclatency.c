// SPDX-License-Identifier: GPL-2.0
/* funclatency: a function of the kernel in which a process sleeps, so often and so long. */
#include "src/commands/selftest/sleeps.h"

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

static const char *const options[] = { "-u", "--pid", "%pid", SLEEPS_FUNCTION, NULL };
static const char *const foreign[] = { "-u", SLEEPS_FUNCTION, NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, NULL, sleeps_work, check_either },
	{ }
};

SELFTEST(funclatency, parts);
