// SPDX-License-Identifier: GPL-2.0
/* Percentiles of histograms, as exact as the slots. */
#include "src/lib/output/writer.h"

const struct percentile percentiles[PERCENTILES] = {
	{ "p50", 500 }, { "p90", 900 }, { "p99", 990 }, { "p99.9", 999 }, { "max", 1000 },
};

/* How many of n values are a part in 1000 of them, rounded up: without the overflow of n * 1000. */
static uint64_t part_of(uint64_t n, unsigned int per_mille)
{
	return n / 1000 * per_mille + (n % 1000 * per_mille + 999) / 1000;
}

bool histogram_percentiles(const struct histogram *h, uint64_t values[PERCENTILES])
{
	uint64_t all = 0, below = 0;
	unsigned int found = 0;

	for (unsigned int i = 0; i < h->n; i++)
		all += h->counts[i];
	for (unsigned int i = 0; i < h->n && all; i++) {
		below += h->counts[i];
		while (found < PERCENTILES && below >= part_of(all, percentiles[found].per_mille))
			values[found++] = histogram_high(h, i);
	}
	return all;
}
