/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CALLED_H
#define SONDE_CALLED_H

#include <stdint.h>

#include "compat/base/hash.h"

/*
 * Names of processes' threads. A process has a known name only as long as all its threads have
 * the same one.
 */
#define CALLED_MOST 262144u		/* processes (19 MB); names of more are unknown */
struct called {				/* all zero: no name is known */
	struct hash processes;
};

/* All threads of the process have this name; "": the name is unknown. */
void called_all(struct called *c, uint32_t pid, const char *name);
/* One thread has this name: the process's name becomes unknown unless it is the same. */
void called_one(struct called *c, uint32_t pid, const char *name);
/* The name of a process's threads, valid until the next call. "": unknown. */
const char *called_name(const struct called *c, uint32_t pid);
void called_free(struct called *c);

#endif
