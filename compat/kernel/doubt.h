/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DOUBT_H
#define SONDE_DOUBT_H

#include <stdbool.h>
#include <stdio.h>

#include "compat/kernel/kernel.h"

/*
 * What could not be found out, for a reason that is not the kernel's: too many open files, an input
 * error, no /proc. Sonde then does without, as without something that the kernel lacks; but it says
 * so.
 */

/*
 * Returns true if an errno tells of this process or of the moment, and nothing of what was asked
 * for.
 */
bool error_passes(int error);

/*
 * Notes that a fact could not be read. `what` names it. An error that tells of the kernel is not
 * noted.
 */
void kernel_doubt(struct kernel *k, const char *what, int error);
/* Sets err to the first of these notes: "PATH: Too many open files". Returns false if none. */
bool kernel_doubted(const struct kernel *k, struct error *err);
/*
 * Returns true if the trial of a feature failed so. The feature's answer is NO then, and its reason
 * is that of the failure. Such a failure is noted as well: whatever needs the feature looks as if
 * the kernel lacked it.
 */
bool kernel_unknown(struct kernel *k, enum feature f);

/*
 * As fail(), for what the kernel lacks: if something could not be read, that is the reason that err
 * gets. Returns -1.
 */
int kernel_lacks(const struct kernel *k, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Sets the file for messages about waits that take long. Without it (NULL) they are silent. */
void kernel_set_says(struct kernel *k, FILE *says);
FILE *kernel_says(const struct kernel *k);

#endif
