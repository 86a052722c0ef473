/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MOMENTS_H
#define SONDE_MOMENTS_H

#include "src/run/run.h"
#include "src/toolkit/heat.h"

/*
 * profile --heatmap: when within each second samples were taken. Seconds begin with those of the
 * wall clock at the start, and follow each other even if that clock is set later.
 */
struct moments {
	int64_t began;			/* the first second, ns since the epoch */
	int64_t began_ms;		/* the same in ms of CLOCK_MONOTONIC */
	uint64_t next;			/* number of the first second that is not yet a column */
	uint64_t (*waiting)[HEAT_SLOTS];	/* counts of n seconds, from `next` on */
	size_t n;
	bool failed;			/* out of memory */
};

/* For started(). */
void moments_start(struct run *r, struct moments *m);
/*
 * For interval_end(): takes `map`, whose keys have a field `ms`. A second becomes a column one
 * second after its end, when all of its samples have arrived; at the end of the run all seconds do.
 * Returns -1 and sets err on failure.
 */
int moments_show(struct run *r, struct moments *m, const char *map, struct error *err);
void moments_free(struct moments *m);

#endif
