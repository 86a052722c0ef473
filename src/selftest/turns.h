/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_TURNS_H
#define SONDE_SELFTEST_TURNS_H

#include "src/selftest/selftest.h"

/*
 * A workload for tools about CPUs: a byte goes to a child and back, both on one CPU: with each turn
 * this process gives way once, and waits for the CPU once when it is woken. How often it gave way,
 * or was preempted, the kernel itself counts.
 */
#define TURNS 500
/* Switches before and after the two counts, and those that are no wait: woken just before. */
#define TURNS_SLACK 25

struct turns {
	int there, back;
};

/* prepare() and work() of a check whose state is struct turns. */
int turns_prepare(struct work *w);
int turns_work(struct work *w);
/* How often it gave way or was preempted; how long it took, in microseconds. */
int64_t turns_switches(const struct found *f);
int64_t turns_usecs(const struct found *f);

#endif
