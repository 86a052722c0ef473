/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONSTANTS_H
#define SONDE_CONSTANTS_H

#include <stdint.h>

#include "compat/kernel/kernel.h"

/*
 * Numbers that kernels have differently, by the names that programs have for them (CONST). 1: here
 * it is; 0: there is none of that name; -1 and err: this kernel does not tell it.
 */
int kernel_constant(struct kernel *k, const char *name, int64_t *value, struct error *err);

#endif
