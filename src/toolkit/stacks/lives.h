/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LIVES_H
#define SONDE_LIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/toolkit/stacks/called.h"

/*
 * When process ids changed their program within one interval. Counts by process have no time, but
 * one id may have been several programs, in which an address means different functions.
 *
 * Names help to tell programs apart as long as all threads of a process have the same name: any
 * thread may change its own at any time.
 */
struct lives {
	struct life *list;		/* forks, execs and exits, in the order of time */
	unsigned int n;
	uint64_t blind;			/* events before this time were lost; 0: none were lost */
	struct called called;
};

#define LIVES_MOST 16			/* programs of one process id that are told apart */

/* A thread that exists already, by /proc; `first`: the first of its process that is handed over. */
void lives_seed(struct lives *l, uint32_t pid, const char *name, bool first);
/* These events come in the order of time. A child begins with its parent's program. */
void lives_fork(struct lives *l, uint32_t parent, uint32_t child, uint64_t time);
/* The process runs another program from now on. */
void lives_exec(struct lives *l, uint32_t pid, uint64_t time, const char *name);
/* A thread has another name from now on. */
void lives_rename(struct lives *l, uint32_t pid, const char *name);
void lives_end(struct lives *l, uint32_t pid, uint64_t time);
/* Sorts; to be called before lives_times() if events came since the last call. */
void lives_sort(struct lives *l);
/*
 * Times at which the process may have had a thread `comm` ("": any name): one time in each program
 * that it may have run; UINT64_MAX in its current program. Returns their number; 0 if none is known
 * or there are more than LIVES_MOST.
 */
unsigned int lives_times(const struct lives *l, uint32_t pid, const char *comm,
			 uint64_t times[LIVES_MOST]);
/* A new interval began at `before`: drops earlier events. */
void lives_forget(struct lives *l, uint64_t before);
/* Events were lost up to `now`: drops everything. The processes are seeded again. */
void lives_lost(struct lives *l, uint64_t now);
void lives_free(struct lives *l);

#endif
