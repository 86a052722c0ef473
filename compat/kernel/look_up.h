/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOOK_UP_H
#define SONDE_LOOK_UP_H

#include "compat/kernel/kernel.h"

/*
 * A function of the running kernel by its whole name. To read all of kallsyms takes tens of
 * milliseconds; here the kernel looks in its own table.
 */
enum look_up {
	LOOK_UP_UNKNOWN,	/* it does not tell, or it is no plain case: read kallsyms */
	LOOK_UP_NONE,		/* no symbol has this name; one with a suffix may be there */
	LOOK_UP_ONE,		/* one symbol has it, and is code of the kernel itself */
};

/* `address` may be NULL. */
enum look_up kernel_look_up(struct kernel *k, const char *name, uint64_t *address);
void look_up_free(struct kernel *k);

#endif
