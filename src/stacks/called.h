/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CALLED_H
#define SONDE_CALLED_H

#include <stdint.h>

/*
 * What the threads of processes are called, by those processes of which it is known: one name, as
 * long as no thread has another.
 */
#define CALLED_MOST 262144u		/* 12 MB: of more than these it is not known */
struct called_process;
struct called {				/* all zero: nothing is known */
	struct called_process **buckets;
	unsigned int n;
};

/* All of its threads have the name; "": it is not known. */
void called_all(struct called *c, uint32_t pid, const char *name);
/* One of its threads has the name: not known any more, unless it is that of the others. */
void called_one(struct called *c, uint32_t pid, const char *name);
/* "": not known. Valid until the next call. */
const char *called_name(const struct called *c, uint32_t pid);
void called_free(struct called *c);

#endif
