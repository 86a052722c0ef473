// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/argument.h"

#include <stdio.h>
#include <string.h>

static int in_register(const struct arch *arch, int n, char *to, size_t size)
{
	const struct arch_register *reg;

	if (n < 1 || n > ARCH_ARGS || arch->args[n - 1].offset == 0xffff)
		return -1;
	reg = &arch->args[n - 1];
	if (reg->word)
		snprintf(to, size, "+%d(%%%s)", (reg->word - 1) * arch->word, reg->name);
	else
		snprintf(to, size, "%%%s", reg->name);
	return 0;
}

int argument_of_kernel(struct kernel *k, int n, char *to, size_t size)
{
	if (!kernel_has(k, FEATURE_FETCH_ARG))
		return in_register(kernel_arch(k), n, to, size);
	snprintf(to, size, "$arg%d", n);
	return 0;
}

/* On the stack the address to return to is below the first. */
int argument_of_user(const struct arch *arch, const struct arch_abi *abi, int n, char *to,
		     size_t size)
{
	if (!abi->on_stack)
		return in_register(arch, n, to, size);
	snprintf(to, size, "+%d(%%%s)", abi->word * n, arch->sp.name);
	return 0;
}

bool shared_addresses(const struct arch *arch)
{
	return !strcmp(arch->name, "x86_64") || !strcmp(arch->name, "i686") ||
	       !strncmp(arch->name, "arm", 3);
}
