/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CHART_BINS_H
#define SONDE_CHART_BINS_H

#include <stdint.h>

/*
 * Sums over time, in bins of equal width. Their width doubles when a time comes that is beyond the
 * last of BINS: so the memory of a process is bounded, and small if it lives shortly.
 */
#define BINS 1024
#define BIN_SHIFT 14			/* at first 16 us wide */

enum bin_of { BIN_RUN, BIN_WAIT, BIN_SUMS };	/* of disks: read and written */

struct bin {
	float of[BIN_SUMS];
};

struct bins {
	uint32_t first, n;		/* the number of the first bin, and how many there are */
	struct bin *list;
};

/* Adds a value that is spread over [from, to), ns from the beginning. Returns -1 without memory. */
int bins_add(struct bins *b, unsigned int shift, uint64_t from, uint64_t to, enum bin_of what,
	     double value);
/* Makes one bin of two. */
void bins_halve(struct bins *b);
/* The sum of a bin by its number. */
double bins_at(const struct bins *b, uint32_t number, enum bin_of what);

#endif
