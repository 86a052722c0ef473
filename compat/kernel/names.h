/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMES_H
#define SONDE_NAMES_H

#include "compat/kernel/kernel.h"

/*
 * The names of all functions, compactly: the set of the plain names, and the symbols that the
 * compiler made of others (`.isra.0`). names_symbol() is kernel_function() without its cache; the
 * caller frees.
 */
struct names *names_new(void);
void names_free(struct names *n);
void names_add(void *names, char type, const char *name, size_t length);	/* a symbol_fn */
char *names_symbol(const struct names *n, const char *name);
/* A symbol that the compiler also made of the function; NULL: none. Valid as long as the names. */
const char *names_clone(const struct names *n, const char *name);

/* The names of the kernel, read when first asked for; NULL: out of memory. */
const struct names *kernel_names(struct kernel *k);

#endif
