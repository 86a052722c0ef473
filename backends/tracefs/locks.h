/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACEFS_LOCKS_H
#define SONDE_TRACEFS_LOCKS_H

#include <stdbool.h>

#include "compat/kernel/kernel.h"

/*
 * Making and removing instances and probes takes locks that the kernel has one of: several
 * processes that remove at a time spin for them, and a sonde that starts waits for all. So one
 * process removes for all, and rests while a sonde starts. There is a lock to remove and a lock to
 * start (flock, of files that each tracefs has); they end with their process. They save time only:
 * nobody waits for a process that is stopped, nor for long (compat/tasks/lock.h).
 */

/*
 * Until start_unlock(), a process that removes rests (removal_rest()). Says what it waits for, if
 * that takes long; a signal that ends the run ends the wait. Returns a file descriptor, or -1 if
 * there is no tracefs.
 */
int start_lock(struct kernel *k);
/* Releases it, also for children that have inherited the file descriptor. */
void start_unlock(int fd);

/*
 * Takes the lock to remove, until close(2). Returns -1 if a process is removing, which looks again
 * when it is done. Waits for processes that only share the lock.
 */
int removal_lock(const char *tracefs);
/*
 * Shares the lock with other starting sondes that remove what dead ones left, once. Returns -1 if a
 * process has the lock.
 */
int removal_lock_shared(const char *tracefs);
/* Takes the lock; sleeps until it is free, a minute at most. */
int removal_lock_wait(const char *tracefs);

/*
 * Waits until no sonde starts, for *ms at most, and takes the wait from *ms. A sonde that is
 * stopped sets it to 0.
 */
void removal_rest(const char *tracefs, int *ms);

#endif
