// SPDX-License-Identifier: GPL-2.0
/* offwaketime: as offcputime, and half of the time ends when the other process wakes this one. */
#include "src/commands/selftest/naps.h"

static void check(struct found *f)
{
	int64_t off = naps_off(f);

	found_between(f, "us", off - NAPS_SLACK_US, naps_shown(f),
		      f->foreign ? INT64_MAX : off + NAPS_SLACK_US);
	if (!f->foreign)
		found_between(f, "us until woken", NAPS * NAP_US - NAPS_SLACK_US, naps_woken(f),
			      off);
}

static const char *const options[] = { "--pid", "%child", NULL }, *const foreign[] = { NULL };

static const struct selftest_part parts[] = {
	{ NULL, options, foreign, naps_prepare, naps_work, check },
	{ }
};

SELFTEST(offwaketime, parts, .state_size = sizeof(struct naps));
