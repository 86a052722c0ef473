/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACED_CALLS_H
#define SONDE_TRACED_CALLS_H

#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"
#include "src/lang/tree.h"

/*
 * System calls by their tracepoints, syscalls:sys_enter_read and sys_exit_read, for kernels that
 * have no kprobes: the same inputs, by the tracepoint's fields in the place of arguments.
 */
#define TRACED_CALLS 4

struct traced_calls {
	struct probe probes[TRACED_CALLS];
	char *texts[3 * TRACED_CALLS];	/* names, inputs and filters of the probes */
	unsigned int n;
	char never[96];			/* why they do not serve; empty: they may */
};

/* "read" of the name of its function, if there is a tracepoint of that call; else NULL. */
const char *traced_call_of(struct kernel *k, const char *function);

/* What the call's parameters are named, and of which types; how many, -1: not known. */
int traced_call_parameters(struct kernel *k, const char *call, unsigned int word,
			   struct parameter *list);

/*
 * The tracepoints of a call, or, if that is NULL, of the calls that come through a function of the
 * kernel; `inputs`, and `filter` unless it is NULL, are as they are for its function. With `calls`
 * the inputs that tell calls apart (insns/calls.h), too. t->n is 0 if there are none. -1: out of
 * memory; traced_calls_free() in either case.
 */
int traced_calls_find(struct kernel *k, struct traced_calls *t, const char *call,
		      const char *function, bool returns, const char *inputs,
		      const char *filter, bool calls);
void traced_calls_free(struct traced_calls *t);

#endif
