// SPDX-License-Identifier: GPL-2.0
/* stackcount: each call is counted, by whatever stack. */
#include "src/commands/selftest/sleeps.h"

static void check(struct found *f)
{
	int64_t count = 0;

	if (!found_sum(f, "count", &count))
		cell_verdict(f->cell, VERDICT_WRONG, "a stack without a count");
	found_between(f, "calls", SLEEPS, count, f->foreign ? INT64_MAX : SLEEPS);
	found_sleep_caller(f);
}

static const char *const options[] = { "-K", "--pid", "%pid", SLEEPS_FUNCTION, NULL };
static const char *const foreign[] = { "-K", SLEEPS_FUNCTION, NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, NULL, sleeps_work, check },
	{ }
};

SELFTEST(stackcount, parts);
