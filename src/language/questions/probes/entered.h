/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ENTERED_H
#define SONDE_ENTERED_H

#include "compat/hooks/hooks.h"
#include "src/language/expressions/inputs.h"

/*
 * Texts and numbers behind the pointers of syscalls:sys_enter_*. A record has only pointers, and
 * when sonde reads the ring, the task's memory may be another. For the rings they come from the
 * call's function, which has the same arguments, or from the copies of texts that newer kernels put
 * into the record.
 */
#define ENTERED_WAYS 2

struct entered {
	struct probe probes[ENTERED_WAYS];	/* the function; the record with copies */
	char *inputs[ENTERED_WAYS];		/* NULL: it lacks what is asked for */
};

/*
 * Finds these ways for the tracepoint of the scope. None is found for another tracepoint, or if no
 * memory is asked for. Returns -1 if there is no memory; entered_free() is called in either case.
 */
int entered_find(const struct scope *s, struct entered *e);
void entered_free(struct entered *e);

#endif
