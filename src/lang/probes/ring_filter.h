/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RING_FILTER_H
#define SONDE_RING_FILTER_H

#include "src/lang/inputs.h"

/*
 * As much of a question's filter as the kernel's event filters can say, exactly: comparisons of
 * what is in the event's record with numbers. They drop only what the question's program would
 * drop, which still runs; a side of `&&` that they can't say is left to it.
 */
enum filter_names { FILTER_BY_INPUT, FILTER_BY_FETCH };

/* "a0 > 20000", or of the inputs' notation "$sys3 > 20000". NULL: nothing can be said. */
char *ring_filter(const struct node *filter, const struct scope *s, enum filter_names names);

/*
 * Can a field be compared with a number? A pointer to char is a text for the kernel's filters:
 * they refuse the number, or read what the pointer leads to, wherever that is.
 */
bool ring_compares(const struct field *f);

#endif
