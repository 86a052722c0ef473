/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_NAPS_H
#define SONDE_SELFTEST_NAPS_H

#include "src/commands/selftest/selftest.h"

/*
 * A workload for tools about time off CPUs. In turn, a child sleeps by itself, and sleeps until
 * this process wakes it. The child measures its time off CPUs by the kernel's clocks. It waits
 * asleep for the beginning; that first sleep has no known stack.
 */
#define NAPS 20
#define NAP_US 10000
#define NAPS_SLACK_US 50000		/* for the child's end, and for errors of the clocks */

struct naps {
	int there, back;		/* pipes to and from the child */
	int child, spinner;		/* process ids */
};

/* prepare() and work() of a check with state struct naps; options may have %child. */
int naps_prepare(struct work *w);
int naps_work(struct work *w);
/*
 * The child's time off CPUs in microseconds: as it measured it; as rows have it, without its first
 * sleep; as rows with this process as the waker have it.
 */
int64_t naps_off(const struct found *f);
int64_t naps_shown(const struct found *f);
int64_t naps_woken(const struct found *f);

#endif
