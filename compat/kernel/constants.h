/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONSTANTS_H
#define SONDE_CONSTANTS_H

#include <stdint.h>

#include "compat/kernel/kernel.h"

/*
 * Numbers that differ between kernels, by their names in programs (CONST). Returns 1 and the value;
 * 0 if there is no such name; -1 and err if this kernel does not tell it.
 */
int kernel_constant(struct kernel *k, const char *name, int64_t *value, struct error *err);

#endif
