// SPDX-License-Identifier: GPL-2.0
/* schedlat: with each turn a process leaves its CPU once; --timehist has a line for each time. */
#include "src/commands/selftest/turns.h"

/* Rows are of threads in intervals: together they are all switches. */
static void check(struct found *f)
{
	int64_t switches = turns_switches(f), voluntary = 0, involuntary = 0;

	if (found_sum(f, "voluntary", &voluntary) && found_sum(f, "involuntary", &involuntary))
		found_between(f, "switches", switches - TURNS_SLACK, voluntary + involuntary,
			      switches + TURNS_SLACK);
}

static void check_stays(struct found *f)
{
	int64_t switches = turns_switches(f);

	found_between(f, "stays", switches - TURNS_SLACK, (int64_t)f->rows.n,
		      switches + TURNS_SLACK);
}

/* In another pid namespace only the name tells the process, and its child has the same. */
static void check_both(struct found *f)
{
	int64_t voluntary = 0;

	if (found_sum(f, "voluntary", &voluntary))
		found_between(f, "switches", 2 * TURNS - TURNS_SLACK, voluntary, INT64_MAX);
}

static void check_both_stays(struct found *f)
{
	found_between(f, "stays", 2 * TURNS - TURNS_SLACK, (int64_t)f->rows.n, INT64_MAX);
}

static void check_either(struct found *f)
{
	(f->foreign ? check_both : check)(f);
}

static void check_either_stays(struct found *f)
{
	(f->foreign ? check_both_stays : check_stays)(f);
}

static const char *const table[] = { "--pid", "%pid", NULL },
	*const foreign_table[] = { "--name", "%name", NULL },
	*const stays[] = { "--timehist", "--pid", "%pid", NULL },
	*const foreign_stays[] = { "--timehist", "--name", "%name", NULL };

static const struct selftest_part parts[] = {
	{ "table", table, foreign_table, turns_prepare, turns_work, check_either },
	{ "timehist", stays, foreign_stays, turns_prepare, turns_work, check_either_stays },
	{ }
};

SELFTEST(schedlat, parts, .state_size = sizeof(struct turns));
