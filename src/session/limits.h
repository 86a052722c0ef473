/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIMITS_H
#define SONDE_LIMITS_H

#include <stdbool.h>
#include <sys/resource.h>

/* What the kernel let this process do before sonde asked for more. */
struct limits {
	struct rlimit files;		/* open ones */
	bool huge_pages;		/* sonde turned them off */
};

/* Asks for all open files that are allowed, and for small pages; both may fail. */
void limits_raise(struct limits *l);
/* Takes both back, in the process of a command that is not sonde. `limits`: a struct limits. */
void limits_restore(void *limits);

#endif
