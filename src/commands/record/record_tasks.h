/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RECORD_TASKS_H
#define SONDE_RECORD_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/error.h"
#include "compat/base/hash.h"
#include "compat/base/strbuf.h"

/* The tasks that are there when a trace.dat begins. */

/*
 * Adds all tasks of /proc to the table; a name of now takes the place of an earlier one. In another
 * pid namespace than the kernel's, ids mean other tasks: then the table stays empty. Returns -1 and
 * sets err on failure.
 */
int record_tasks_read(struct hash *tasks, struct error *err);

/* Where a process comes from that was there before the recording. */
struct record_origin {
	uint32_t ppid;			/* 0: it has none, or has ended */
	int64_t began;			/* CLOCK_MONOTONIC, ns, in whole ticks; 0: unknown */
};
/* Of a process whose folder `threads` is open (each_task()). Returns false if it has no parent. */
bool record_task_origin(int threads, uint32_t pid, struct record_origin *to);
/*
 * When it began in times of a recording: those of CLOCK_MONOTONIC (`clock`), or what they lack to
 * those (`apart`; 0: unknown). 0: unknown, or before the recording's clock began.
 */
uint64_t record_began(const struct record_origin *origin, bool clock, int64_t apart);
/* Adds them as lines of trace_side.h, with such times. */
void record_tasks_side(const struct hash *tasks, bool clock, int64_t apart, struct strbuf *to);
/*
 * Adds lines "TID NAME", each task once: those of `saved`, the kernel's saved_cmdlines, which may
 * be NULL, and those of the table that are not there. A task to which `saved` gives several names
 * has none of them.
 */
void record_tasks_names(const struct hash *tasks, const char *saved, struct strbuf *to);

#endif
