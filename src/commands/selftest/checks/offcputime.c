// SPDX-License-Identifier: GPL-2.0
/* offcputime: the times of a process are those that it was off its CPU, by the kernel's clocks. */
#include "src/commands/selftest/naps.h"
#include "src/commands/selftest/sleeps.h"

static void check(struct found *f)
{
	int64_t off = naps_off(f);

	found_between(f, "us", off - NAPS_SLACK_US, naps_shown(f),
		      f->foreign ? INT64_MAX : off + NAPS_SLACK_US);
	found_sleep_caller(f);
}

static const char *const options[] = { "--pid", "%child", NULL }, *const foreign[] = { NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, naps_prepare, naps_work, check },
	{ }
};

SELFTEST(offcputime, parts, .state_size = sizeof(struct naps));
