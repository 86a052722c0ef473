// SPDX-License-Identifier: GPL-2.0
/*
 * cpufreq: a process is on a CPU for a second, however long that takes, and is found there at some
 * frequency as often as there are samples in a second.
 */
#include "src/commands/selftest/spin.h"

#define SAMPLES 99

/* Of all, and of its name: each sample is in two histograms. */
static void check(struct found *f)
{
	found_between(f, "samples", SAMPLES / 2, found_counted(f, "histogram", NULL), SAMPLES * 3);
}

static const char *const options[] = { "--pid", "%pid", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .work = spin_work, .check = check },
	{ }
};

SELFTEST(cpufreq, parts);
