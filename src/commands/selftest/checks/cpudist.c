// SPDX-License-Identifier: GPL-2.0
/* cpudist: with each turn a process is on its CPU once, and off it once. */
#include "src/commands/selftest/turns.h"

static void check(struct found *f)
{
	int64_t switches = turns_switches(f);

	found_between(f, "times", switches - TURNS_SLACK, found_counted(f, NULL, NULL),
		      switches + TURNS_SLACK);
	/* The first time, until the workload goes on, began before. */
	if (found_total(f) > turns_usecs(f) + 1000000)
		cell_verdict(f->cell, VERDICT_WRONG,
			     "wanted times of at most %lld us together, got %lld",
			     (long long)turns_usecs(f), (long long)found_total(f));
}

/* Of the whole machine only a least number of times is known. */
static void check_all(struct found *f)
{
	cell_verdict(f->cell, VERDICT_DEGRADED, "one process can't be counted alone");
	found_between(f, "times", 2 * TURNS, found_counted(f, NULL, NULL), INT64_MAX);
}

static void check_either(struct found *f)
{
	(f->foreign ? check_all : check)(f);
}

static const char *const on[] = { "--pid", "%pid", NULL },
	*const off[] = { "-O", "--pid", "%pid", NULL };
static const char *const foreign_on[] = { NULL }, *const foreign_off[] = { "-O", NULL };

static const struct selftest_part parts[] = {
	{ "on", on, foreign_on, turns_prepare, turns_work, check_either },
	{ "off", off, foreign_off, turns_prepare, turns_work, check_either },
	{ }
};

SELFTEST(cpudist, parts, .state_size = sizeof(struct turns));
