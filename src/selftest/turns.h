/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_TURNS_H
#define SONDE_SELFTEST_TURNS_H

#include "src/selftest/selftest.h"

/*
 * A workload for tools about CPUs: a byte goes to a child and back, both on one CPU. With each turn
 * this process sleeps once, and waits for the CPU once when it is woken. The kernel counts its
 * switches, voluntary and not.
 */
#define TURNS 500
/* Switches before and after the counts are read, and those that are no wait: woken just before. */
#define TURNS_SLACK 25

struct turns {
	int there, back;
};

/* prepare() and work() of a check whose state is struct turns. */
int turns_prepare(struct work *w);
int turns_work(struct work *w);
/* Its switches, voluntary and not; how long it took, in microseconds. */
int64_t turns_switches(const struct found *f);
int64_t turns_usecs(const struct found *f);

#endif
