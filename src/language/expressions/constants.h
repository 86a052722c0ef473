/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LANG_CONSTANTS_H
#define SONDE_LANG_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/arch/arch.h"

/*
 * Numbers that headers have as macros, which type information does not keep: O_CREAT, ENOENT,
 * SIGKILL. They are a part of the kernel's interface to programs. `arch` is the kernel's, because
 * they differ by it. Returns false if there is none of this name, of `length`
 * letters.
 */
bool constant_named(const struct arch *arch, const char *name, size_t length, int64_t *value);

#endif
