/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_SUMS_H
#define SONDE_LANG_SUMS_H

#include "src/language/expressions/code.h"

/*
 * What maps hold of values. Count, sum, minimum and maximum by a key: a struct argdist_sums, whose
 * key is a struct argdist_key and the values behind it (insns/programs/argdist.h).
 */

/* stack[sums] = the sums of the one value `n`. If it can't be read, goes to the label `end`. */
void value_sums_make(struct code *c, const struct node *n, int sums, const char *end);
/*
 * map[stack[key]] += stack[sums]; sets the key's owner and epoch. May go to the label `end`, which
 * the caller adds behind.
 */
void value_sums_add(struct code *c, const char *map, int key, int sums, bool is_signed,
		    const char *end);

/*
 * r7 = the slot of r6 in a histogram of powers of two. `may_be_exact`: the programs' tool has the
 * constant "exact" (insns/hist.h).
 */
void value_slot(struct code *c, bool is_signed, bool may_be_exact);

#endif
