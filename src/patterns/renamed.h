/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RENAMED_H
#define SONDE_RENAMED_H

#include "compat/kernel/kernel.h"

/* Functions that have become others, with the same arguments. */
struct renamed {
	const char *name, *now;
	bool always;			/* the old one is there as well, but calls pass it by */
	uint8_t user_arguments;		/* bits: those that point to memory of user space */
	uint8_t same;			/* so many arguments are the same; 0: all */
};

/* NULL: nothing is known of the function. */
const struct renamed *renamed_row(const char *name);
/* Its name on this kernel; NULL: its own. */
const char *renamed_now(struct kernel *k, const struct renamed *row);
/* kernel_expect() of the function, and of what it may be now. */
void renamed_expect(struct kernel *k, const char *name);

#endif
