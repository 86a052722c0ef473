/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEAT_H
#define SONDE_HEAT_H

#include "src/run.h"

/*
 * --heatmap: makes columns of the session's intervals for the pictures of src/output/heatmap.h.
 * Without the option these functions do nothing.
 */

/* Before the engine is opened: a file that can't be written is an error now, not after an hour. */
int heat_open(struct run *r, struct error *err);
/* The output is open, and events are traced from now on. */
void heat_begin(struct run *r);
/* An interval has ended, and the tool has output its histograms. */
void heat_interval(struct run *r);
/*
 * For tools of `seconds`: the column of a second, which began at `start` (ns since the epoch), with
 * a count for each of HEAT_SLOTS parts of it.
 */
#define HEAT_SLOTS 50
#define HEAT_SLOT_MS 20
void heat_second(struct run *r, int64_t start, const uint64_t counts[HEAT_SLOTS]);
/* Now and then: the size of the window may have changed. */
void heat_poll(struct run *r);
/* After the last column: writes the picture and restores the terminal. May be called twice. */
int heat_end(struct run *r, struct error *err);
void heat_free(struct run *r);

#endif
