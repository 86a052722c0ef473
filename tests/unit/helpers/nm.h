/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NM_H
#define SONDE_NM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What nm(1) says of a program: its symbols of code, by their addresses. */
struct nm_symbol {
	uint64_t at, size;
	char name[64];
};

/* How many there are; the caller frees the list. */
size_t nm_symbols(const char *path, struct nm_symbol **list);
/* Is this the name of what the address is in? `start`, if not NULL: where that begins. */
bool nm_has(const struct nm_symbol *list, size_t n, uint64_t address, const char *name,
	    uint64_t *start);

#endif
