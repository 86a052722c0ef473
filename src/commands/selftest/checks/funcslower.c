// SPDX-License-Identifier: GPL-2.0
/* funcslower: a row for each call that took as long as the process slept. */
#include "src/commands/selftest/sleeps.h"

static const char *const options[] = { "-u", "3000", "-K", "--pid", "%pid", SLEEPS_FUNCTION, NULL };
static const char *const foreign[] = { "-u", "3000", "--name", "%name", SLEEPS_FUNCTION, NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = sleeps_rows },
	{ }
};

SELFTEST(funcslower, parts);
