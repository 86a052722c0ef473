/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEAT_H
#define SONDE_HEAT_H

#include "src/run.h"

/*
 * --heatmap: between the session, whose intervals are the columns, and the pictures of
 * src/output/heatmap.h. All of these do nothing without the option.
 */

/* Before there is an engine: a file that can't be written is an error now, not after an hour. */
int heat_open(struct run *r, struct error *err);
/* The output is there, events are seen from now on. */
void heat_begin(struct run *r);
/* An interval has ended, and the tool has handed over its histograms. */
void heat_interval(struct run *r);
/* Now and then: the window may have another size. */
void heat_poll(struct run *r);
/*
 * The last column is in: the picture is written, the terminal as it was. Twice is as good as once.
 */
int heat_end(struct run *r, struct error *err);
void heat_free(struct run *r);

#endif
