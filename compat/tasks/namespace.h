/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMESPACE_H
#define SONDE_NAMESPACE_H

#include <stdint.h>

#include "compat/base/error.h"

struct kernel;

/*
 * The number of a namespace from a user's word: the number itself (4026531840), the text of a link
 * in /proc/PID/ns ("mnt:[4026531840]"), a namespace file ("/proc/PID/ns/mnt", or where it is
 * mounted), or a process (PID) in the namespace. `type`: as in /proc/PID/ns. Returns -1 and sets
 * err if it names none.
 */
int namespace_number(const char *word, const char *type, uint32_t *number, struct error *err);

/*
 * Returns 1 if sonde is in the initial pid namespace, and 0 if it is in another one, where ids mean
 * other processes. Returns -errno if /proc does not tell.
 */
int namespace_pid_initial(void);
/*
 * Sets err to why FEATURE_ROOT_PIDNS is missing: sonde runs in another pid namespace, or could not
 * find out; the caller's text follows on a line of its own. Returns -1.
 */
int namespace_not_initial(struct kernel *k, const char *text, struct error *err);

/*
 * The number of a task's namespace, as /proc shows it below the task's directory `dir`. 0: it can't
 * be told.
 */
uint64_t namespace_of(int dir, const char *type);

#endif
