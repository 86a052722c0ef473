/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARGUMENT_H
#define SONDE_ARGUMENT_H

#include <stddef.h>

#include "compat/kernel/kernel.h"

/*
 * Argument N of a function, from 1, at its beginning, in the notation of fetch arguments: `%si`,
 * `+8(%sp)`; of the kernel `$arg2` where it knows that word. -1: it is not known where it is.
 */
int argument_of_kernel(struct kernel *k, int n, char *to, size_t size);
int argument_of_user(const struct arch *arch, const struct arch_abi *abi, int n, char *to,
		     size_t size);

/*
 * On these machines kernel and user memory share one range of addresses: what reads kernel memory
 * can read user memory too, as `string` did before 5.3.
 */
bool shared_addresses(const struct arch *arch);

#endif
