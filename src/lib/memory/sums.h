/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SUMS_H
#define SONDE_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "insns/programs/memleak.h"

/* What is held, added up by process and stack. Millions of allocations are of few stacks. */
struct sums {
	struct sum *list;
	size_t n;
	size_t *places;			/* a hash table: numbers in the list, from 1 on */
	size_t room;			/* a power of two; 0: none yet */
	bool failed;			/* out of memory */
};

struct sum {
	struct memleak_stack stack;
	struct memleak_sum sum;
};

/* Of a process, or UINT32_MAX: the kernel's. */
void sums_add(struct sums *s, uint32_t tgid, const struct memleak_held *held);
void sums_free(struct sums *s);

#endif
