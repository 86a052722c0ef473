/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXCERPT_H
#define SONDE_EXCERPT_H

#include "compat/kernel/kernel.h"

/* Lines of kallsyms for expected functions, and for symbols that compilers derived from them. */
struct excerpt_line {
	uint64_t address;		/* 0: hidden from this user */
	char *name, *module;		/* module: NULL is the kernel itself */
};

struct excerpt {
	enum { EXCERPT_UNREAD, EXCERPT_READ, EXCERPT_FAILED } state;
	char **expected;
	unsigned int n_expected;
	struct excerpt_line *lines;
	unsigned int n;
	struct names *names;		/* of the lines */
	uint64_t init_from, init_to;	/* addresses of code that only ran at boot */
};

/*
 * The excerpt with this function; it is read by the first call. Returns NULL if the function was
 * not expected, or if kallsyms can't be read.
 */
const struct excerpt *kernel_excerpt(struct kernel *k, const char *name);

#endif
