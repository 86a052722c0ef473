/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SUMS_H
#define SONDE_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "insns/programs/memleak.h"

/* Held memory, added up by process and stack: millions of allocations have few stacks. */
struct sums {
	struct sum *list;
	size_t n;
	size_t *places;			/* a hash table: index in the list + 1; 0: empty */
	size_t room;			/* slots of `places`, a power of two; 0: none yet */
	bool failed;			/* out of memory: the sums are incomplete */
};

struct sum {
	struct memleak_stack stack;
	struct memleak_sum sum;
};

/* Adds an allocation of a process. tgid UINT32_MAX: an allocation of the kernel. */
void sums_add(struct sums *s, uint32_t tgid, const struct memleak_held *held);
void sums_free(struct sums *s);

#endif
