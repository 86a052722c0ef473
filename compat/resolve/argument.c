// SPDX-License-Identifier: GPL-2.0
#include "compat/resolve/argument.h"

#include <stdio.h>

#include "compat/base/text.h"

/* An argument in a register, or on the stack at the function's beginning. */
static int by_place(const struct arch *arch, int n, bool user, char *to, size_t size)
{
	struct arch_register reg;

	if (n < 1)
		return -1;
	reg = arch_argument(arch, (unsigned int)n);
	if (reg.offset == 0xffff)
		return -1;
	if (reg.word && user)
		text_cut(to, size, "+%d(%%%s)", (reg.word - 1) * arch->word, reg.name);
	else if (reg.word)
		snprintf(to, size, "$stack%d", reg.word - 1);
	else
		text_cut(to, size, "%%%s", reg.name);
	return 0;
}

int argument_of_kernel(struct kernel *k, int n, char *to, size_t size)
{
	const struct arch *arch = kernel_arch(k);

	/* On most kernels $argN knows registers only, and is 0 for an argument on the stack. */
	if (n > arch->n_args || !kernel_has(k, FEATURE_FETCH_ARG))
		return by_place(arch, n, false, to, size);
	snprintf(to, size, "$arg%d", n);
	return 0;
}

/* On the stack the return address is below the first argument. */
int argument_of_user(const struct arch *arch, const struct arch_abi *abi, int n, char *to,
		     size_t size)
{
	if (!abi->on_stack)
		return by_place(arch, n, true, to, size);
	text_cut(to, size, "+%d(%%%s)", abi->word * n, arch->sp.name);
	return 0;
}
