/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIMITS_H
#define SONDE_LIMITS_H

#include <stdbool.h>
#include <sys/resource.h>

/* Limits of this process before limits_raise(). */
struct limits {
	struct rlimit files;		/* open files */
	bool huge_pages;		/* limits_raise() turned them off */
};

/* Raises the limit of open files to its maximum, and turns off huge pages. Both may fail. */
void limits_raise(struct limits *l);
/* Restores both, in the process of the user's command. `limits`: a struct limits. */
void limits_restore(void *limits);

#endif
