/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_NAPS_H
#define SONDE_SELFTEST_NAPS_H

#include "src/selftest/selftest.h"

/*
 * A workload for tools about time off CPUs: a child sleeps by itself, and then until this process
 * wakes it, in turn; it knows how long it was not on a CPU, by the kernel's clocks. It waits for
 * the beginning asleep: that time no stack is known of.
 */
#define NAPS 20
#define NAP_US 10000
#define NAPS_SLACK_US 50000		/* of its end, and of what clocks count as time on a CPU */

struct naps {
	int there, back;
	int child, spinner;
};

/* prepare() and work() of a check whose state is struct naps; options may say %child. */
int naps_prepare(struct work *w);
int naps_work(struct work *w);
/*
 * The child's microseconds: those it knows of; those that rows have, but for what was before; those
 * of rows with this process as the waker.
 */
int64_t naps_off(const struct found *f);
int64_t naps_shown(const struct found *f);
int64_t naps_woken(const struct found *f);

#endif
