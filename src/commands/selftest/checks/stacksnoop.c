// SPDX-License-Identifier: GPL-2.0
/* stacksnoop: a row for each call. */
#include "src/commands/selftest/sleeps.h"

static const char *const options[] = { "-K", "--pid", "%pid", SLEEPS_FUNCTION, NULL };
static const char *const foreign[] = { "-K", "--name", "%name", SLEEPS_FUNCTION, NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = sleeps_rows },
	{ }
};

SELFTEST(stacksnoop, parts);
