// SPDX-License-Identifier: GPL-2.0
/*
 * profile: a process is on a CPU for a second, however long that takes. Its samples are as many as
 * there are in a second; they are fewer where a machine's own CPU was taken away meanwhile, which
 * counts as the process's time.
 */
#include "src/commands/selftest/spin.h"

#define SAMPLES 99

static void check(struct found *f)
{
	int64_t samples = 0;

	found_sum(f, "samples", &samples);
	found_between(f, "samples", SAMPLES / 4, samples, SAMPLES * 3 / 2);
}

static const char *const options[] = { "-F", "99", "--pid", "%pid", NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .work = spin_work, .check = check },
	{ }
};

SELFTEST(profile, parts);
