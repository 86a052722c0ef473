/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIVES_H
#define SONDE_LIVES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * When process ids became other programs, within one interval: what is counted by process has no
 * time, but the same id may have been several programs, whose addresses mean other functions.
 */
struct lives {
	struct life *list;		/* in the order of time */
	unsigned int n;
	uint64_t blind;			/* what was before it is not known any more; 0: all is */
};

#define LIVES_MOST 16			/* programs of one process id that are told apart */

/* The process is another program from now on: it was forked (name NULL), or has called exec. */
void lives_begin(struct lives *l, uint32_t pid, uint64_t time, const char *name);
void lives_end(struct lives *l, uint32_t pid, uint64_t time);
/* To be called before lives_times(), and before the next lives_begin() no more. */
void lives_sort(struct lives *l);
/*
 * Times in which the process `pid` may have had the name `comm`, one in each program that it may
 * have been; at least one. UINT64_MAX: what it is now.
 */
unsigned int lives_times(const struct lives *l, uint32_t pid, const char *comm,
			 uint64_t times[LIVES_MOST]);
/* A new interval. `blind`: 0, or until when what happened is not known. */
void lives_forget(struct lives *l, uint64_t blind);
void lives_free(struct lives *l);

#endif
