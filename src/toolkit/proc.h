/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROC_H
#define SONDE_PROC_H

#include "src/run/tool.h"

/*
 * The name of a living process. Nothing is returned if records have other ids than /proc, or if the
 * process was made after `before` (CLOCK_MONOTONIC ns): it may then be another one with the same
 * id.
 */
#define PROC_COMM 65		/* names of the kernel's own tasks may exceed 15 bytes */
#define PROC_LOAD 128
struct text proc_comm(const struct run *r, int64_t pid, int64_t before, char comm[PROC_COMM]);

/*
 * The path of the control group of a living task, in the tree of version 2 or, where that was never
 * mounted, of systemd or of memory. The caller frees. NULL: as above, or there is none.
 */
char *proc_cgroup(const struct run *r, int64_t tid, int64_t before);

/*
 * Reads a stat file. Its path is relative to `dir`, or absolute with AT_FDCWD. `ticks` is when the
 * task was made: clock ticks since boot, with suspended time. Returns false if it can't be read.
 */
struct proc_stat {
	uint32_t ppid, flags;
	uint64_t ticks;
};
bool proc_stat(int dir, const char *path, struct proc_stat *stat);

/* each_task(). Returns -1 and sets err if threads are missing that could not be listed. */
int proc_each_task(void (*each)(void *arg, uint32_t tid, uint32_t tgid, int threads), void *arg,
		   struct error *err);

/* The process of a living thread; NOTHING if it has ended, or if records have other ids. */
int64_t proc_tgid(const struct run *r, int64_t tid);

/* The first line of /proc/loadavg; nothing if it can't be read. */
struct text load_average(const struct run *r, char line[PROC_LOAD]);

#endif
