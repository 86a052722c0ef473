/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROC_H
#define SONDE_PROC_H

#include "src/tool.h"

/*
 * What /proc says, as long as a process lives: nothing where its ids are not those of records, nor
 * of a process that was made later than `before` (CLOCK_MONOTONIC, ns): it may be another one that
 * got the id.
 */

#define PROC_COMM 65		/* names of the kernel's own tasks may be longer than 15 bytes */
#define PROC_LOAD 128
struct text proc_comm(const struct run *r, int64_t pid, int64_t before, char comm[PROC_COMM]);

/*
 * Of a stat file, below `dir` (AT_FDCWD: a whole path), the parent and when the task was made:
 * ticks since boot, of a clock that runs in suspend too. False if it can't be read.
 */
struct proc_stat {
	uint32_t ppid;
	uint64_t ticks;
};
bool proc_stat(int dir, const char *path, struct proc_stat *stat);

/* The first line of /proc/loadavg; nothing if it can't be read. */
struct text load_average(char line[PROC_LOAD]);

#endif
