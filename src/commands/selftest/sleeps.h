/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SELFTEST_SLEEPS_H
#define SONDE_SELFTEST_SLEEPS_H

#include "src/commands/selftest/selftest.h"

/*
 * A workload for tools about functions: a process sleeps SLEEPS times for SLEEP_US. Each sleep
 * calls the kernel's function SLEEPS_FUNCTION.
 */
#define SLEEPS 20
#define SLEEP_US 3000
#define SLEEPS_FUNCTION "hrtimer_nanosleep"

/* work() of a check: says `usecs`, the time of all sleeps. */
int sleeps_work(struct work *w);
/* The same for tools that show a row for each call: also says the rows. */
int sleeps_rows(struct work *w);
/*
 * For tools that show stacks of the kernel: degraded, unless one of the stacks has a caller that
 * any sleep has, the system call or a function of timers. Without names it is not judged.
 */
void found_sleep_caller(struct found *f);

#endif
