/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FOLLOWED_H
#define SONDE_FOLLOWED_H

#include "backends/vm/vm.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"

/* Tracepoints that tables of tasks are kept by, beside the plan's events. */

#define FOLLOWED_FIELDS 3

struct followed {
	const char *system, *name;
	const char *fields[FOLLOWED_FIELDS];	/* become the inputs of its layout, in this order */
};

/*
 * Fills in n events, with a layout each. -1 and err, which begins with `what` ("process ids"): the
 * kernel has not all of them. followed_free() in either case.
 */
int followed_make(struct kernel *k, const struct followed *wanted, unsigned int n,
		  struct event *events, struct layout *layouts, const char *what,
		  struct error *err);
void followed_free(struct layout *layouts, unsigned int n);

/* A number of 4 or 8 bytes; 0 if the record is too short for it. */
uint64_t followed_number(const struct sample *s, const struct input *in);
/* A text; it need not end with a NUL. NULL: the record is too short for it. */
const char *followed_text(const struct sample *s, const struct input *in, uint32_t *length);

#endif
