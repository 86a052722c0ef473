/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NM_H
#define SONDE_NM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A code symbol of a program, as nm(1) prints it. */
struct nm_symbol {
	uint64_t at, size;
	char name[64];
};

/* Lists the symbols by address, and returns their number; the caller frees the list. */
size_t nm_symbols(const char *path, struct nm_symbol **list);
/*
 * Returns true if the symbol that the address is in has this name. `start`, if not NULL: where the
 * symbol begins.
 */
bool nm_has(const struct nm_symbol *list, size_t n, uint64_t address, const char *name,
	    uint64_t *start);

#endif
