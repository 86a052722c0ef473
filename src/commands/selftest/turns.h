/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_TURNS_H
#define SONDE_SELFTEST_TURNS_H

#include "src/commands/selftest/selftest.h"

/*
 * A workload for tools about CPUs: a byte goes to a child and back, both on one CPU. In each turn
 * this process sleeps once; when it is woken it waits for the CPU once. The kernel counts its
 * switches, voluntary and involuntary.
 */
#define TURNS 500
/*
 * Switches outside of the turns, and switches without a wait because the wakeup came just before.
 */
#define TURNS_SLACK 25

struct turns {
	int there, back;		/* pipes to and from the child */
};

/* prepare() and work() of a check with state struct turns. */
int turns_prepare(struct work *w);
int turns_work(struct work *w);
/* Its switches, voluntary and involuntary; the time of all turns in microseconds. */
int64_t turns_switches(const struct found *f);
int64_t turns_usecs(const struct found *f);

#endif
