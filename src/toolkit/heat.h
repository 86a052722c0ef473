/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HEAT_H
#define SONDE_HEAT_H

#include "src/run/run.h"

/*
 * --heatmap: makes columns of the session's intervals, for pictures by src/lib/output/heatmap.h. A
 * file that can't be written is an error before the engine is opened.
 */
extern const struct run_listener heat_listener;

/*
 * For tools with `seconds` that have the option: adds the column of a second, which began at
 * `start` (ns since the epoch). It has HEAT_SLOTS counts, one for each HEAT_SLOT_MS.
 */
#define HEAT_SLOTS 50
#define HEAT_SLOT_MS 20
void heat_second(struct run *r, int64_t start, const uint64_t counts[HEAT_SLOTS]);

#endif
