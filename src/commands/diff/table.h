/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DIFF_TABLE_H
#define SONDE_DIFF_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "compat/base/hash.h"

/* Sums of two sides, by the keys of rows and by what was measured. */
enum diff_side { DIFF_OLD, DIFF_NEW, DIFF_SIDES };

/* The limits of memory. Keys beyond the first share one, which has no columns. */
#define DIFF_KEYS 100000u
#define DIFF_SLOTS 2000000u
#define DIFF_MEASURES 24
#define DIFF_FINE 1000000		/* ns of a value in ms: six decimals are kept */

enum diff_kind {
	DIFF_SUM,			/* adds up: it is compared per second */
	DIFF_PART,			/* the same, but a value is in several keys: no total */
	DIFF_MEAN,			/* does not add up: the mean of the rows is compared */
	DIFF_COUNTS,			/* the counts of a histogram */
};

struct diff_measure {
	char name[64], unit[32];
	enum diff_kind kind;
	bool spread;			/* slots of its values are kept, for percentiles */
	bool scaled, fine;		/* values in slots are millionths; scaled: it is known */
};

/* Counts of values from `low` to `high`, in order; slots of one run don't overlap. */
struct diff_slot {
	int64_t low, high;
	uint64_t count;
};
struct diff_spread {
	struct diff_slot *slots;
	uint32_t n;
	uint64_t count;			/* sum of the counts */
};

struct diff_amount {
	double sum[DIFF_SIDES];
	uint64_t n[DIFF_SIDES];		/* rows; 0: the side has none of this key */
	struct diff_spread spread[DIFF_SIDES];
};

/* The amounts of a key, by measure. */
struct diff_entry {
	struct diff_amount *amounts;
	unsigned int n;
	size_t key_size;
};

struct diff_table {
	struct diff_measure measures[DIFF_MEASURES];
	unsigned int n_measures;
	struct hash entries;		/* of struct diff_entry; keys are the caller's */
	uint64_t crowded;		/* additions to the shared key */
	uint32_t n_slots;
	bool no_slots;			/* some slots had no room: no percentiles are right */
};
/* The key beyond the limit. */
#define DIFF_OTHERS "\xff"

/* An empty table; and freeing all that it has. */
void diff_table_init(struct diff_table *t);
void diff_table_free(struct diff_table *t);
/* The number of a measure, which is made if there is none of the name; -1: there are too many. */
int diff_measure(struct diff_table *t, const char *name, const char *unit, enum diff_kind kind,
		 bool spread);
/* The amount of a key. Returns NULL without memory. */
struct diff_amount *diff_amount(struct diff_table *t, const void *key, size_t size,
				unsigned int measure);
/* Adds to a slot. Without room it sets no_slots. Returns -1 without memory. */
int diff_spread(struct diff_table *t, struct diff_spread *s, const struct diff_slot *slot);
/* The slot that a value falls into: an eighth of a power of two, as in histograms. */
struct diff_slot diff_slot_of(int64_t value);
/* The largest value of the slot that `parts` of 1000 values do not exceed; it has some. */
int64_t diff_percentile(const struct diff_spread *s, unsigned int parts);
/*
 * How many values a second are elsewhere: the sum, over all slots, of the differences of their
 * counts per second.
 */
double diff_shift(const struct diff_amount *a, const double seconds[DIFF_SIDES]);

#endif
