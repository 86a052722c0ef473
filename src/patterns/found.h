/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FOUND_H
#define SONDE_FOUND_H

#include "compat/kinds/many.h"
#include "compat/listing/listing.h"
#include "src/patterns/patterns.h"

#define WAYS_MOST 3

/* A hook that was built, and all that it points to. */
struct built {
	struct hook hook;
	struct alternative ways[WAYS_MOST];
	struct probe *singles, *at_once, *traced;
};

/* What a pattern found. */
struct found {
	struct listing listing;		/* what can be probed */
	unsigned int *numbers;		/* of each entry: that of its name */
	char (*inputs)[24];		/* by number: "function=N" */
	struct place *places;		/* of user space; NULL: of the kernel */
	/* the listing, file by file: what probes on many at once are made of */
	uint64_t *addresses, *cookies;
	const char **symbols;
	uint32_t *lines;
	unsigned int n_many;
	struct many *many;
	struct place *many_places;
	char too_many[160];
	struct built hit, returns;
};

/* Makes p->hook and p->returns of p->found; -1: out of memory. */
int patterns_hooks(struct patterns *p);
void patterns_hooks_free(struct found *f);

#endif
