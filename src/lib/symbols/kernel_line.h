/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_LINE_H
#define SONDE_KERNEL_LINE_H

#include <stdbool.h>
#include <string.h>

#include "compat/kernel/kallsyms.h"

/* What lines of /proc/kallsyms are, for those who look for functions. */

/*
 * What the linker put where code ends: it is no function, and what follows has no name, be it
 * called otherwise, too.
 */
static inline bool line_is_end(const struct kallsyms_line *l)
{
	static const char *const ends[] = { "_etext", "_einittext", "__exittext_end" };

	for (unsigned int i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (l->length == strlen(ends[i]) && !memcmp(l->name, ends[i], l->length))
			return true;
	return false;
}

/*
 * Local labels, which the kernel for riscv64 has two million of, and marks of arm's assembler: they
 * lie within functions.
 */
static inline bool line_is_label(const struct kallsyms_line *l)
{
	return l->name[0] == '$' || (l->name[0] == '.' && l->length > 1 && l->name[1] == 'L') ||
		(l->name[0] == 'L' && l->length > 1 && l->name[1] == '0');
}

#endif
