/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_SHARES_H
#define SONDE_STAT_SHARES_H

#include "src/commands/stat/counters.h"

/* Counts as they are shown: scaled to the whole time, and in relation to other counts. */
struct stat_count {
	const struct stat_event *event;
	enum { STAT_COUNTED, STAT_NOT_COUNTED, STAT_NOT_SUPPORTED } state;
	double value;			/* scaled, before the PMU's own scale */
	uint64_t exact;			/* the unscaled count; valid if no run was scaled */
	bool scaled;			/* it was on a counter only for a part of the time */
	uint64_t enabled, running;	/* ns */
	double noise;			/* per cent, of several runs; < 0: there was one */
};

/*
 * Makes a count of a reading. If the event was on a counter for a part of the time, the count is
 * scaled to the whole time.
 */
struct stat_count stat_scale(const struct stat_event *e, const struct stat_state *state,
			     const struct stat_reading *reading);

enum stat_share_kind {
	SHARE_NONE, SHARE_RATIO, SHARE_PERCENT, SHARE_RATE,
};
/* A count in relation to another, or to time. */
struct stat_share {
	enum stat_share_kind kind;
	double value;
	const char *unit;		/* "insn per cycle", "of all branches", "K/sec" */
};

/* The share of counts[i], by the other counts and the elapsed time. */
struct stat_share stat_share_of(const struct stat_count *counts, unsigned int n, unsigned int i,
				double elapsed_ns);

#endif
