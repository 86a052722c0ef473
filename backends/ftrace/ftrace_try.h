/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_TRY_H
#define SONDE_FTRACE_TRY_H

#include "backends/ftrace/ftrace_read.h"

/*
 * Tries whether this kernel records the stacks that the instance's options ask for, by an event of
 * sonde's own. Some kernels accept an option and record nothing: on machines where ftrace can't
 * walk user stacks, and before 5.12 in any instance. The ring is empty afterwards. *whole: the
 * kernel's stack at the event's tracepoint is complete. Returns -1 and sets err if stacks are not
 * recorded.
 */
int ftrace_try_stacks(struct kernel *k, const char *instance, const struct ftrace_reader *r,
		      bool *whole, struct error *err);
/*
 * Returns true if a trace of a task's rename, with the kernel's stack, has the renaming function.
 * `trace`: the text of the instance's file. Returns true if names of functions are unavailable.
 */
bool ftrace_stack_whole(struct kernel *k, const char *trace);

#endif
