/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NUMBERED_H
#define SONDE_NUMBERED_H

#include "compat/kinds/builder.h"

/*
 * For a tracepoint of a system call, on a kernel whose calls have none: finds the tracepoint of all
 * calls. Programs then leave out other calls, and calls of 32-bit tasks, which have other numbers
 * (insns/lower/lower.c). Returns -1 if there is none.
 */
int find_numbered(struct builder *b);
/* Inputs that such a layout has for this. */
#define NUMBER_CALLED	".called"
#define NUMBER_WANTED	".wanted"
#define NUMBER_COMPAT	".compat"

/* The number of a call of which it is known; -1: it is not. */
int numbered_call(const struct arch *arch, const char *name);

#endif
