/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_SHARES_H
#define SONDE_STAT_SHARES_H

#include "src/stat/counters.h"

/* Counts as they are shown: scaled to the whole time, and what they are in relation to others. */
struct stat_count {
	const struct stat_event *event;
	enum { STAT_COUNTED, STAT_NOT_COUNTED, STAT_NOT_SUPPORTED } state;
	double value;			/* scaled, before the PMU's own scale */
	uint64_t exact;			/* the same, as it was counted; for what was never scaled */
	bool scaled;			/* it was not on a counter all the time */
	uint64_t enabled, running;
	double noise;			/* per cent, of several runs; < 0: there was one */
};

/*
 * What was counted where: of an event that was on a counter for a part of the time, as much as it
 * would have been in all of it.
 */
struct stat_count stat_scale(const struct stat_event *e, const struct stat_state *state,
			     const struct stat_reading *reading);

enum stat_share_kind {
	SHARE_NONE, SHARE_RATIO, SHARE_PERCENT, SHARE_RATE,
};
struct stat_share {
	enum stat_share_kind kind;
	double value;
	const char *unit;		/* "insn per cycle", "of all branches", "K/sec" */
};

/* Of counts[i], with those beside it and the time that passed. */
struct stat_share stat_share_of(const struct stat_count *counts, unsigned int n, unsigned int i,
				double elapsed_ns);

#endif
