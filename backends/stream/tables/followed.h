/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FOLLOWED_H
#define SONDE_FOLLOWED_H

#include "backends/vm/vm.h"
#include "compat/events/event.h"
#include "compat/kernel/kernel.h"

/* Tracepoints that update the tables of tasks, beside the plan's events. */

#define FOLLOWED_FIELDS 3

struct followed {
	const char *system, *name;
	const char *fields[FOLLOWED_FIELDS];	/* the inputs of its layout, in this order */
};

/*
 * Fills in n events, with a layout each. Returns -1 and sets err if the kernel lacks one; the text
 * begins with `what` ("process ids"). followed_free() is called in either case.
 */
int followed_make(struct kernel *k, const struct followed *wanted, unsigned int n,
		  struct event *events, struct layout *layouts, const char *what,
		  struct error *err);
void followed_free(struct layout *layouts, unsigned int n);

/* Reads a number of 4 or 8 bytes. Returns 0 if the record is too short. */
uint64_t followed_number(const struct sample *s, const struct input *in);
/* Finds a text, which may lack a NUL. Returns NULL if the record is too short. */
const char *followed_text(const struct sample *s, const struct input *in, uint32_t *length);

#endif
