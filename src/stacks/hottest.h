/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOTTEST_H
#define SONDE_HOTTEST_H

#include "src/run.h"

/*
 * --top: of each interval the hottest functions and stacks, instead of all stacks: on a terminal
 * one picture over the other, else tables one below the other. Each interval is counted for itself,
 * and nothing of it is kept but what is on the screen.
 */
extern const struct guest hottest_guest;

/* The other functions are for runs that have the option. */
static inline bool hottest_shown(const struct run *r)
{
	return run_guest(r, &hottest_guest);
}

/* A stack of this interval; those with the least value come first, and `left` follow it. */
void hottest_add(struct run *r, const struct stack_shown *s, unsigned int left);
/* All have been added; -1: out of memory. */
int hottest_show(struct run *r, struct error *err);

#endif
