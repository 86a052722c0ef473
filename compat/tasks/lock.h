/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOCK_H
#define SONDE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/kernel/kernel.h"

/*
 * Locks (flock) of files of tracefs. Sondes hold them for moments, but a process that is stopped
 * keeps its locks, and other programs may take them for good. So no sonde needs them to be right:
 * they order work, and after a while it is done without them.
 */

#define LOCK_PATIENCE_MS 5000

/* A process with a lock. Where several share it: one of them. */
struct lock_holder {
	uint32_t pid;		/* 0: unknown, as behind another pid namespace */
	char name[65];		/* "": unknown, as of a process that has ended */
	bool stopped;		/* by a signal, or by a debugger */
};

/* Finds who else has a lock of the file, by /proc/locks. */
void lock_holder(int fd, struct lock_holder *h);

/*
 * Locks the file, as `how` says (LOCK_SH or LOCK_EX). Gives up after LOCK_PATIENCE_MS, and after a
 * second if the process with the lock is stopped. Returns true with the lock.
 */
bool lock_patiently(int fd, int how);
/*
 * The same for a run that starts: a signal that ends the run ends the wait too. After a second it
 * names the process with the lock of `path`, and says when it goes on without.
 */
bool lock_for_run(struct kernel *k, int fd, int how, const char *path);

#endif
