/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIVES_H
#define SONDE_LIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/stacks/called.h"

/*
 * When process ids became other programs, within one interval: what is counted by process has no
 * time, but the same id may have been several programs, whose addresses mean other functions.
 *
 * A name tells of a program only as long as all of its threads have the same: any may give itself
 * another, whenever it likes.
 */
struct lives {
	struct life *list;		/* in the order of time */
	unsigned int n;
	uint64_t blind;			/* what was before it is not known any more; 0: all is */
	struct called called;
};

#define LIVES_MOST 16			/* programs of one process id that are told apart */

/* What there is already, by /proc: a thread of the process has the name. */
void lives_seed(struct lives *l, uint32_t pid, const char *name, bool first);
/* In the order of time. The child is its parent's program, and was none before. */
void lives_fork(struct lives *l, uint32_t parent, uint32_t child, uint64_t time);
/* The process is another program from now on. */
void lives_exec(struct lives *l, uint32_t pid, uint64_t time, const char *name);
/* A thread of it has another name from now on. */
void lives_rename(struct lives *l, uint32_t pid, const char *name);
void lives_end(struct lives *l, uint32_t pid, uint64_t time);
/* To be called before lives_times(), and before the next event no more. */
void lives_sort(struct lives *l);
/*
 * Times in which the process `pid` may have had a thread `comm` ("": any), one in each program that
 * it may have been; 0: none is known, or they are too many. UINT64_MAX: what it is now.
 */
unsigned int lives_times(const struct lives *l, uint32_t pid, const char *comm,
			 uint64_t times[LIVES_MOST]);
/* A new interval, which began at that time. */
void lives_forget(struct lives *l, uint64_t before);
/* Nothing that is known is right any more; it is told anew. `now`: what was before is not known. */
void lives_lost(struct lives *l, uint64_t now);
void lives_free(struct lives *l);

#endif
