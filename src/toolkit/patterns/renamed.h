/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RENAMED_H
#define SONDE_RENAMED_H

#include "compat/kernel/kernel.h"

/* Functions that newer kernels replaced by others with the same arguments. */
struct renamed {
	const char *name, *now;
	/* kernels with `now` also have `name`, but do not call it */
	bool always;
	uint8_t user_arguments;		/* a bit for each argument that points to user memory */
	uint8_t same;			/* number of leading arguments that are the same; 0: all */
};

/* The row of a function. Returns NULL if there is none. */
const struct renamed *renamed_row(const char *name);
/* The function to trace on this kernel instead. Returns NULL if `name` itself is right. */
const char *renamed_now(struct kernel *k, const struct renamed *row);
/* Calls kernel_expect() for the function, and for its newer name. */
void renamed_expect(struct kernel *k, const char *name);

#endif
