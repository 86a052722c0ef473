/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOOK_UP_H
#define SONDE_LOOK_UP_H

#include "compat/kernel/kernel.h"

/*
 * Looks up a function of the running kernel by its whole name in the kernel's own table. Reading
 * all of kallsyms would take tens of milliseconds.
 */
enum look_up {
	LOOK_UP_UNKNOWN,	/* not found out: kallsyms must be read */
	LOOK_UP_NONE,		/* no symbol has this name; one with a suffix may exist */
	LOOK_UP_ONE,		/* exactly one symbol has it, code of the kernel itself */
};

/* `address` may be NULL. */
enum look_up kernel_look_up(struct kernel *k, const char *name, uint64_t *address);
void look_up_free(struct kernel *k);

#endif
