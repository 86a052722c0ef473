// SPDX-License-Identifier: GPL-2.0
/*
 * runqslower: with each turn a process waits for its CPU once; min_us is 0, so each wait has a row.
 */
#include "src/commands/selftest/turns.h"

static void check(struct found *f)
{
	int64_t waits = turns_switches(f), usecs = 0;

	found_between(f, "waits", waits - TURNS_SLACK, (int64_t)f->rows.n, waits + TURNS_SLACK);
	/*
	 * It can't have waited longer than it took; the first wait, until the workload goes on, was
	 * before.
	 */
	if (found_sum(f, "lat_us", &usecs) && usecs > turns_usecs(f) + 1000000)
		cell_verdict(f->cell, VERDICT_WRONG,
			     "wanted waits of at most %lld us together, got %lld",
			     (long long)turns_usecs(f), (long long)usecs);
}

/* In another pid namespace only the name tells the process, and its child has the same. */
static void check_both(struct found *f)
{
	found_between(f, "waits", 2 * TURNS - TURNS_SLACK, (int64_t)f->rows.n, INT64_MAX);
}

static void check_either(struct found *f)
{
	(f->foreign ? check_both : check)(f);
}

static const char *const options[] = { "--pid", "%pid", "0", NULL };
static const char *const foreign[] = { "--name", "%name", "0", NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, turns_prepare, turns_work, check_either },
	{ }
};

SELFTEST(runqslower, parts, .state_size = sizeof(struct turns));
