/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_WANTED_H
#define SONDE_KERNEL_WANTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The names of a few addresses, found while kallsyms is gone through once, and no further than the
 * last of them needs. What is behind the last symbol of the kernel or a module is left to those who
 * keep all symbols. All zero: nothing is wanted.
 */
struct kernel_wanted {
	struct wanted *list;		/* by address */
	size_t n;
	char *names;			/* each with its NUL */
	size_t n_names, names_room;
	uint32_t last;			/* the newest name */
	char **modules;
	uint32_t n_modules;
};

/* `kallsyms` NULL: the running kernel's. If it can't be read, nothing is found. */
void kernel_wanted_read(struct kernel_wanted *w, const char *kallsyms, const uint64_t *addresses,
			size_t n);
/* False: it was not wanted, or is not decided. `name` has room for KERNEL_NAME bytes. */
bool kernel_wanted_find(const struct kernel_wanted *w, uint64_t address, char *name,
			uint64_t *start, const char **module);
void kernel_wanted_free(struct kernel_wanted *w);

#endif
