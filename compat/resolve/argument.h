/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARGUMENT_H
#define SONDE_ARGUMENT_H

#include <stddef.h>

#include "compat/kernel/kernel.h"

/*
 * Write argument n of a function, from 1, at its beginning, as a fetch argument: `%si`, `+8(%sp)`;
 * `$arg2` if the kernel knows that word. Return -1 if its place is unknown.
 */
int argument_of_kernel(struct kernel *k, int n, char *to, size_t size);
int argument_of_user(const struct arch *arch, const struct arch_abi *abi, int n, char *to,
		     size_t size);

#endif
