/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SIDE_BAND_H
#define SONDE_SIDE_BAND_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "backends/perf/local_clock.h"
#include "compat/base/error.h"
#include "compat/kernel/kernel.h"

/*
 * What perf tells beside samples: which process maps which code, begins, runs another program, and
 * ends. Whoever names addresses of user space needs it, on every engine: when the names are shown,
 * the process may have ended.
 */
struct side_band;

/* NAME: a thread of the process has another name, without an exec. */
enum side_band_kind {
	SIDE_BAND_MAP, SIDE_BAND_EXEC, SIDE_BAND_NAME, SIDE_BAND_FORK, SIDE_BAND_EXIT,
};

struct side_band_event {
	enum side_band_kind kind;
	uint64_t time;		/* ns, CLOCK_MONOTONIC */
	uint32_t pid;		/* the process; ids are those of sonde's own pid namespace */
	uint32_t parent;	/* FORK: its parent */
	/* MAP: addresses, and where in the file they begin */
	uint64_t start, end, offset;
	/* of the file; all 0: this kernel does not tell (before 3.16) */
	uint32_t major, minor;
	uint64_t inode, generation;
	/*
	 * The file, or what it is in brackets; EXEC, NAME: the name of the task. Valid during
	 * the callback.
	 */
	const char *path;
};
typedef void (*side_band_fn)(void *arg, const struct side_band_event *e);

/*
 * From now on it is told, on all CPUs. `clock`: where perf's times are of the kernel's own clock;
 * NULL: they are then those of side_band_read(). NULL and err: it can't be told.
 */
struct side_band *side_band_open(struct kernel *k, const struct local_clock *clock, FILE *verbose,
				 struct error *err);
void side_band_close(struct side_band *s);

/*
 * Hands over all that was told and is older than `until`, in order of time. To be called several
 * times a second: the kernel keeps half a megabyte a CPU. -1 and err: it can't be read any more.
 */
int side_band_read(struct side_band *s, uint64_t until, side_band_fn fn, void *arg,
		   struct error *err);

/* How often something was lost: of what was told before that, nothing may be right any more. */
uint64_t side_band_losses(const struct side_band *s);

/*
 * Reads one of perf's records, which ends with its time. False: it is none that is told, or of a
 * thread of a process that goes on.
 */
bool side_band_event(const struct perf_event_header *record, struct side_band_event *e);

#endif
