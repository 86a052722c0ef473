// SPDX-License-Identifier: GPL-2.0
/*
 * cpufreq: a process is on a CPU for a second, however long that takes, and is found there at some
 * frequency as often as there are samples in a second.
 */
#include <time.h>

#include "src/selftest/selftest.h"

#define SAMPLES 99

static int work(struct work *w)
{
	struct timespec t;

	(void)w;
	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (!t.tv_sec);
	return 0;
}

/* Of all, and of its name: each sample is in two histograms. */
static void check(struct found *f)
{
	found_between(f, "samples", SAMPLES / 2, found_counted(f, "histogram", NULL), SAMPLES * 3);
}

static const char *const options[] = { "--pid", "%pid", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .work = work, .check = check },
	{ }
};

SELFTEST(cpufreq, parts);
