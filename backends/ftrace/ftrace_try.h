/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FTRACE_TRY_H
#define SONDE_FTRACE_TRY_H

#include "backends/ftrace/ftrace_read.h"

/*
 * Does this kernel record the stacks that the instance's options ask for? Some take an option and
 * record nothing: on machines where ftrace can't walk user space's stacks, and before 5.12 in any
 * instance. An event of sonde's own tells. The ring is empty behind it. -1 and err: it does not.
 * `whole`: is the kernel's, at the tracepoint of that event?
 */
int ftrace_try_stacks(struct kernel *k, const char *instance, const struct ftrace_reader *r,
		      bool *whole, struct error *err);
/*
 * What ftrace shows of an instance that recorded a task's rename with the kernel's stack: is the
 * function that renames in it? Without names of functions it is taken for granted.
 */
bool ftrace_stack_whole(struct kernel *k, const char *trace);

#endif
