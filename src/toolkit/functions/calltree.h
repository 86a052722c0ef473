/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CALLTREE_H
#define SONDE_CALLTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/hash.h"
#include "insns/programs/funcgraph.h"

/*
 * Calls and the calls within them as trees, made of records of beginnings and ends. Records may be
 * lost: a call without an end keeps no time, an end without a beginning is left out.
 */
#define CALLTREE_DEPTH 256		/* levels; the kernel has fewer */
#define CALLTREE_CALLS 500000		/* of all trees that are not complete */

struct call {
	uint64_t function, time;	/* its address; when it began */
	uint64_t ns, inner;		/* how long it took; of that, calls in it */
	uint32_t cpu;
	uint16_t depth;			/* 0: the tree's first call */
	bool ended;
	bool gap;			/* calls within may be missing */
};

/* The calls of a task since it is in a call, in the order of their beginnings. */
struct calltree {
	uint32_t task;			/* the thread's id; of the idle ones ~CPU */
	struct funcgraph_record first;	/* of the first call */
	struct call *calls;
	size_t n;
	unsigned int n_open;
	uint32_t open[CALLTREE_DEPTH];	/* numbers of the calls that have not ended */
	uint16_t levels[CALLTREE_DEPTH]; /* the kernel's depths of these */
	bool cut;			/* a call at the level `cut_at` found no room ... */
	uint16_t cut_at;		/* ... so those in it are left out, too */
};

struct calltrees {
	struct hash trees;		/* by task */
	size_t n_calls;
	uint64_t cut;			/* calls without room */
	/* called when the first call of a tree has ended, or will not be known to end */
	void (*done)(void *arg, const struct calltree *t);
	void *arg;
};

/* Adds a record. Returns -1 if there is no memory. */
int calltrees_add(struct calltrees *all, const struct funcgraph_record *record);
/* Hands over what is not complete. */
void calltrees_finish(struct calltrees *all);
void calltrees_free(struct calltrees *all);

#endif
