/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MOMENTS_H
#define SONDE_MOMENTS_H

#include "src/run.h"
#include "src/toolkit/heat.h"

/*
 * profile --heatmap: when within each second samples were taken. Seconds are those of the clock on
 * the wall when it began, one behind the other whatever is done to that clock later.
 */
struct moments {
	int64_t began;			/* ns since the epoch: the first second */
	int64_t began_ms;		/* the same of CLOCK_MONOTONIC */
	uint64_t next;			/* the second behind those that are columns already */
	uint64_t (*waiting)[HEAT_SLOTS];	/* from `next` on: `n` seconds */
	size_t n;
	bool failed;			/* out of memory */
};

/* For started(). */
void moments_start(struct moments *m);
/*
 * For interval_end(): takes `map`, whose keys have a field `ms`. A second is a column one second
 * after its end, when all of its samples have come; at the end of the run all are. -1 and err.
 */
int moments_show(struct run *r, struct moments *m, const char *map, struct error *err);
void moments_free(struct moments *m);

#endif
