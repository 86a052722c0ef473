/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOTTEST_H
#define SONDE_HOTTEST_H

#include "src/run.h"

/*
 * --top: of each interval the hottest functions and stacks, instead of all stacks: on a terminal
 * one picture over the other, else tables one below the other. Each interval is counted for itself,
 * and nothing of it is kept but what is on the screen. All but hottest_add() and hottest_show()
 * do nothing without the option.
 */
int hottest_open(struct run *r, struct error *err);
/* The output is open, and events are traced from now on. */
void hottest_begin(struct run *r);
/* A stack of this interval; those with the least value come first, and `left` follow it. */
void hottest_add(struct run *r, const struct stack_shown *s, unsigned int left);
/* All have been added; -1: out of memory. */
int hottest_show(struct run *r, struct error *err);
/* Now and then: the size of the window may have changed, the user may want to quit. */
void hottest_poll(struct run *r);
/* Restores the terminal, and leaves what was on it last. May be called twice. */
void hottest_end(struct run *r);
void hottest_free(struct run *r);

#endif
