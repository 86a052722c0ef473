// SPDX-License-Identifier: GPL-2.0
/* wakeuptime: a process sleeps as long as it is known to, and half of it until another wakes it. */
#include "src/commands/selftest/naps.h"

static void check(struct found *f)
{
	found_between(f, "us", 2 * NAPS * NAP_US - NAPS_SLACK_US, naps_shown(f), INT64_MAX);
	if (!f->foreign)
		found_between(f, "us until woken", NAPS * NAP_US - NAPS_SLACK_US, naps_woken(f),
			      INT64_MAX);
}

static const char *const options[] = { "--pid", "%child", NULL }, *const foreign[] = { NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, naps_prepare, naps_work, check },
	{ }
};

SELFTEST(wakeuptime, parts, .state_size = sizeof(struct naps));
