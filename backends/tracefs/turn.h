/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TURN_H
#define SONDE_TURN_H

#include <stdbool.h>

#include "compat/kernel/kernel.h"

/*
 * Who may make the kernel busy. To make and to remove instances and probes takes locks that the
 * kernel has one of: several who remove at a time spin for them, and who starts waits for all. So
 * one process removes, for all, and rests while a sonde starts. Both are locks (flock) of files
 * that each tracefs has; they end with whoever has them.
 */

/* Until turn_started() nobody else removes anything. -1: they do, as there is no tracefs. */
int turn_starting(struct kernel *k);
/* Also for children who have the file descriptor meanwhile. */
void turn_started(int fd);

/*
 * The turn to remove, until close(2); -1: somebody has it, who looks again when he has ended. Those
 * who only share it do not: it is waited for.
 */
int turn_take(const char *tracefs);
/* With others who start and look for what is dead, once; -1: somebody removes. */
int turn_share(const char *tracefs);
/* The same, when nobody has it any more; asleep until then. */
int turn_wait(const char *tracefs);

/* Waits until no sonde starts, but not for ever: false, if one took too long. */
bool turn_rest(const char *tracefs);

#endif
