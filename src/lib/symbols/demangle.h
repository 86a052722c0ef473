/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DEMANGLE_H
#define SONDE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#define DEMANGLE_LENGTH 2048	/* of a name; longer ones stay as they are */

/*
 * The name that a C++ or Rust compiler made a symbol of, without the parameters of the function and
 * the hash of Rust. False: it is none, or would be longer than `size` allows: nothing is said of
 * `to` then. The name may be anybody's: work and stack are bounded.
 */
bool demangle(const char *symbol, char *to, size_t size);

#endif
