/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOTTEST_H
#define SONDE_HOTTEST_H

#include "src/run/run.h"

/*
 * --top: shows the hottest functions and stacks of each interval instead of all stacks. On a
 * terminal each table replaces the one before; otherwise tables follow each other. Each interval is
 * counted by itself; only the table on the screen is kept.
 */
extern const struct run_listener hottest_listener;

/* Returns true if the run has the option. The functions below are for such runs. */
static inline bool hottest_shown(const struct run *r)
{
	return run_listener_state(r, &hottest_listener);
}

/* Adds a stack of this interval, least values first; `left` more calls follow. */
void hottest_add(struct run *r, const struct stack_shown *s, unsigned int left);
/* Prints the table, after all stacks are added. Returns -1 if there is no memory. */
int hottest_show(struct run *r, struct error *err);

#endif
