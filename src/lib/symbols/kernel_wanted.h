/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KERNEL_WANTED_H
#define SONDE_KERNEL_WANTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The names of a few addresses, found in one reading of kallsyms that stops behind the last of
 * them. An address behind the last symbol of the kernel or of a module is undecided: only
 * kernel_symbols.c, which keeps all symbols, can tell. All zero: no addresses.
 */
struct kernel_wanted {
	struct wanted *list;		/* sorted by address */
	size_t n;
	char *names;			/* each with its NUL */
	size_t n_names, names_room;	/* bytes of `names`: used, allocated */
	uint32_t last;			/* where the newest name begins in `names` */
	char **modules;
	uint32_t n_modules;
};

/* kallsyms NULL: the running kernel's. If it can't be read, no name is found. */
void kernel_wanted_read(struct kernel_wanted *w, const char *kallsyms, const uint64_t *addresses,
			size_t n);
/* The same for variables of the kernel itself, and of modules. */
void kernel_wanted_read_data(struct kernel_wanted *w, const char *kallsyms,
			     const uint64_t *addresses, size_t n);
/*
 * As kernel_symbols_find(). Returns false if the address was not read or is undecided. `name` has
 * room for KERNEL_NAME bytes.
 */
bool kernel_wanted_find(const struct kernel_wanted *w, uint64_t address, char *name,
			uint64_t *start, const char **module);
void kernel_wanted_free(struct kernel_wanted *w);

#endif
