/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DEMANGLE_H
#define SONDE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define DEMANGLE_LENGTH 2048	/* bytes of a name; longer names are not demangled */

/*
 * Writes the source name of a C++ or Rust symbol to `to`, without the function's parameters and
 * without Rust's hash. Returns false if the symbol is not mangled, or if the name exceeds `size`;
 * then `to` is undefined. The symbol may have any bytes: work and stack are bounded.
 */
bool demangle(const char *symbol, char *to, size_t size);

#endif
