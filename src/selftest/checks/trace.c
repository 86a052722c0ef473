// SPDX-License-Identifier: GPL-2.0
/* trace: a row for each call that the filter lets pass. */
#include "src/selftest/sleeps.h"

#define QUESTION SLEEPS_FUNCTION " ($tgid * 2 / 2 == $tgid && $cpu >= -1LL) \"%d %s\", $tid, $comm"

static const char *const options[] = { "--pid", "%pid", QUESTION, NULL };
static const char *const foreign[] = { "--name", "%name", QUESTION, NULL };

static const struct selftest_part parts[] = {
	{ .options = options, .foreign = foreign, .work = sleeps_rows },
	{ }
};

SELFTEST(trace, parts);
