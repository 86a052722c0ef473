/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TRACED_CALLS_H
#define SONDE_TRACED_CALLS_H

#include "compat/hooks/hooks.h"
#include "compat/kernel/kernel.h"
#include "src/language/expressions/tree.h"

/*
 * System calls by their tracepoints, syscalls:sys_enter_read and sys_exit_read, for kernels without
 * kprobes. The inputs are the same; the tracepoint's fields take the place of arguments.
 */
#define TRACED_CALLS 4

struct traced_calls {
	struct probe probes[TRACED_CALLS];
	char *texts[3 * TRACED_CALLS];	/* names, inputs and filters of the probes */
	unsigned int n;
	char never[96];			/* why tracepoints can't serve; empty: they may */
};

/* The call of a function, "read", if the call has a tracepoint. Returns NULL otherwise. */
const char *traced_call_of(struct kernel *k, const char *function);

/* Lists names and types of the call's parameters. Returns their number; -1: unknown. */
int traced_call_parameters(struct kernel *k, const char *call, unsigned int word,
			   struct parameter *list);

/*
 * The number, from 1, of the argument that is this field of a call's tracepoint; sets *field.
 * Returns 0 if the field is no argument.
 */
int traced_call_argument(const struct format *f, const char *name, const struct field **field);

/*
 * Finds the tracepoints of a call; call NULL: of all calls that come through a function of the
 * kernel. `inputs` and `filter` (NULL: none) are those for the function. `calls`: adds the inputs
 * that tell calls apart (insns/calls.h). t->n becomes 0 if there are no tracepoints. Returns -1 if
 * there is no memory; traced_calls_free() is called in either case.
 */
int traced_calls_find(struct kernel *k, struct traced_calls *t, const char *call,
		      const char *function, bool returns, const char *inputs,
		      const char *filter, bool calls);
void traced_calls_free(struct traced_calls *t);

#endif
