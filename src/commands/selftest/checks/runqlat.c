// SPDX-License-Identifier: GPL-2.0
/* runqlat: with each turn a process waits for its CPU once. */
#include "src/commands/selftest/turns.h"

static void check(struct found *f)
{
	int64_t waits = turns_switches(f);

	found_between(f, "waits", waits - TURNS_SLACK, found_counted(f, NULL, NULL),
		      waits + TURNS_SLACK);
	/*
	 * It can't have waited longer than it took; the first wait, until the workload goes on, was
	 * before.
	 */
	if (found_total(f) > turns_usecs(f) + 1000000)
		cell_verdict(f->cell, VERDICT_WRONG,
			     "wanted waits of at most %lld us together, got %lld",
			     (long long)turns_usecs(f), (long long)found_total(f));
}

static const char *const options[] = { "--pid", "%pid", NULL };

/* Of the whole machine only a least number of waits is known. */
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
	{ NULL, options, foreign, turns_prepare, turns_work, check_either },
	{ }
};

SELFTEST(runqlat, parts, .state_size = sizeof(struct turns));
