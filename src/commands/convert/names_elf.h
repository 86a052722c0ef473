/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONVERT_NAMES_ELF_H
#define SONDE_CONVERT_NAMES_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "compat/base/strbuf.h"

/* A function at a position of its file. */
struct named_function {
	uint64_t at, length;
	const char *name;
};

/*
 * Makes an ELF file with nothing but a build id and the symbols of functions, of which each begins
 * at another position. elf->cut says that there was no memory; the caller frees elf->s.
 */
void names_elf(struct strbuf *elf, const uint8_t *id, size_t id_size,
	       const struct named_function *list, size_t n);

#endif
