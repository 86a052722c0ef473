/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FOUND_H
#define SONDE_FOUND_H

#include "compat/kinds/many.h"
#include "compat/listing/listing.h"
#include "src/toolkit/patterns/patterns.h"

#define WAYS_MOST 4

/* A hook made at run time, with everything that it points to. */
struct built {
	struct hook hook;
	struct alternative ways[WAYS_MOST];
	struct probe *singles, *at_once, *traced, *typed;
};

/* What a pattern matches. */
struct found {
	struct listing listing;		/* what can be probed */
	unsigned int *numbers;		/* for each entry: the number of its name */
	char (*inputs)[24];		/* by number: "function=N" */
	struct place *places;		/* in user space; NULL: in the kernel */
	/* the entries file by file, as probes on many functions at once take them */
	uint64_t *addresses, *cookies;
	const char **symbols;
	uint32_t *lines;
	unsigned int n_many;
	struct many *many;
	struct place *many_places;
	char too_many[160];		/* why single probes are not made; empty: they are */
	struct many graph;		/* all names, for the function graph tracer */
	struct built hit, returns;
};

/* Makes p->hook and p->returns from p->found. Returns -1 if there is no memory. */
int patterns_hooks(struct patterns *p);
void patterns_hooks_free(struct found *f);

#endif
