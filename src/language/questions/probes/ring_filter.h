/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RING_FILTER_H
#define SONDE_RING_FILTER_H

#include "src/language/expressions/inputs.h"

/*
 * The part of a question's filter that the kernel's event filters can express exactly: comparisons
 * of fields of the event's record with numbers. Event filters drop only events that the question's
 * program would drop. The program still runs, and tests what event filters can't express.
 */
enum filter_names { FILTER_BY_INPUT, FILTER_BY_FETCH };

/*
 * The event filter: "a0 > 20000", or by the inputs' notation "$sys3 > 20000". The caller frees.
 * Returns NULL if no part of it can be expressed.
 */
char *ring_filter(const struct node *filter, const struct scope *s, enum filter_names names);

/*
 * Returns true if an event filter can compare the field with a number. Kernel filters take a
 * pointer to char for a text: they refuse the number, or read the memory that it points to.
 */
bool ring_compares(const struct field *f);

#endif
