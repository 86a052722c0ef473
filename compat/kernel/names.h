/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NAMES_H
#define SONDE_NAMES_H

#include "compat/kernel/kernel.h"

/*
 * The names of all functions in little memory: the set of plain names, and the symbols that the
 * compiler derived from others (`.isra.0`).
 */
struct names *names_new(void);
void names_free(struct names *n);
/* Adds a name; a symbol_fn. */
void names_add(void *names, char type, const char *name, size_t length);
/* As kernel_function(), without its cache. The caller frees. */
char *names_symbol(const struct names *n, const char *name);
/*
 * Another symbol that the compiler derived from the function, valid as long as the names. Returns
 * NULL if there is none.
 */
const char *names_clone(const struct names *n, const char *name);

/* The names of the kernel, read by the first call. Returns NULL if there is no memory. */
const struct names *kernel_names(struct kernel *k);

#endif
