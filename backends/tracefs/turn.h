/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TURN_H
#define SONDE_TURN_H

#include <stdbool.h>

#include "compat/kernel/kernel.h"

/*
 * Turns at keeping the kernel busy. Making and removing instances and probes takes locks that the
 * kernel has one of: several processes that remove at a time spin for them, and a sonde that starts
 * waits for all. So one process removes for all, and rests while a sonde starts. Both turns are
 * locks (flock) of files that each tracefs has; they end with their process. A turn saves time
 * only: nobody waits for a process that is stopped, nor for long (compat/tasks/lock.h).
 */

/*
 * Until turn_started(), a process that removes rests (turn_rest()). Says what it waits for, if that
 * takes long; a signal that ends the run ends the wait. Returns a file descriptor, or -1 if there
 * is no tracefs.
 */
int turn_starting(struct kernel *k);
/* Ends that turn, also for children that have inherited the file descriptor. */
void turn_started(int fd);

/*
 * Takes the turn to remove, until close(2). Returns -1 if a process is removing, which looks again
 * when it is done. Waits for processes that only share the turn.
 */
int turn_take(const char *tracefs);
/*
 * Shares the turn with other starting sondes that remove what dead ones left, once. Returns -1 if a
 * process has the turn.
 */
int turn_share(const char *tracefs);
/* Takes the turn; sleeps until it is free, a minute at most. */
int turn_wait(const char *tracefs);

/*
 * Waits until no sonde starts, for *ms at most, and takes the wait from *ms. A sonde that is
 * stopped sets it to 0.
 */
void turn_rest(const char *tracefs, int *ms);

#endif
