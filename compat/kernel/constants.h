/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CONSTANTS_H
#define SONDE_CONSTANTS_H

#include <stdint.h>

#include "compat/kernel/kernel.h"

/*
 * Looks up a number that differs between kernels, by its name in programs (CONST). Returns 1 and
 * the value; 0 if there is no such name; -1, and sets err, if it is unknown for this kernel.
 */
int kernel_constant(struct kernel *k, const char *name, int64_t *value, struct error *err);

#endif
