/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_LINE_H
#define SONDE_KERNEL_LINE_H

#include <stdbool.h>
#include <string.h>

#include "compat/kernel/kallsyms.h"

/* Which lines of /proc/kallsyms are not functions. */

/* A mark of the linker at the end of code: what follows it has no name. */
static inline bool line_is_end(const struct kallsyms_line *l)
{
	static const char *const ends[] = { "_etext", "_einittext", "__exittext_end" };

	for (unsigned int i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (l->length == strlen(ends[i]) && !memcmp(l->name, ends[i], l->length))
			return true;
	return false;
}

/*
 * Local labels (the kernel of riscv64 has two million) and marks of arm's assembler: they are
 * inside of functions.
 */
static inline bool line_is_label(const struct kallsyms_line *l)
{
	return l->name[0] == '$' || (l->name[0] == '.' && l->length > 1 && l->name[1] == 'L') ||
		(l->name[0] == 'L' && l->length > 1 && l->name[1] == '0');
}

#endif
