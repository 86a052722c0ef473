/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXCERPT_H
#define SONDE_EXCERPT_H

#include "compat/kernel/kernel.h"

/* Lines of kallsyms: functions that are expected, and what compilers made of them. */
struct excerpt_line {
	uint64_t address;		/* 0 if we may not see it */
	char *name, *module;		/* module: NULL is the kernel itself */
};

struct excerpt {
	enum { EXCERPT_UNREAD, EXCERPT_READ, EXCERPT_FAILED } state;
	char **expected;
	unsigned int n_expected;
	struct excerpt_line *lines;
	unsigned int n;
	struct names *names;		/* of the lines */
	uint64_t init_from, init_to;	/* what ran when the kernel booted */
};

/* Read when first asked for; NULL: nobody expected this function, or it can't be read. */
const struct excerpt *kernel_excerpt(struct kernel *k, const char *name);

#endif
