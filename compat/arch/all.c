// SPDX-License-Identifier: GPL-2.0
/* The list of machines, and how they are found. */
#include <string.h>

#include "compat/arch/arch.h"

extern const struct arch arch_x86_64, arch_aarch64, arch_armv7l, arch_i686, arch_riscv64,
	arch_ppc64le, arch_s390x;

const struct arch *const arches[] = {
	&arch_x86_64, &arch_aarch64, &arch_armv7l, &arch_i686, &arch_riscv64, &arch_ppc64le,
	&arch_s390x, NULL
};

const struct arch arch_unknown = {
	.name = "unknown",
	.word = sizeof(void *),
	.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	.register_size = sizeof(void *),
	.o_largefile = 0100000,
	.args = { [0 ... ARCH_ARGS - 1] = { 0xffff, "" } },
	.result = { 0xffff, "" },
	.sp = { 0xffff, "" },
	.ip = 0xffff,
	.syscall_args = { [0 ... ARCH_SYSCALL_ARGS - 1] = 0xffff },
	.compat_args = { [0 ... ARCH_SYSCALL_ARGS - 1] = 0xffff },
	.syntax = { .arguments = "" },
	.c = { .most_align = 8, .long_double = 16, .long_double_align = 16,
	       .largest_align = 16 },
};

struct arch_register arch_argument(const struct arch *arch, unsigned int n)
{
	struct arch_register reg = arch->sp;

	if (n <= arch->n_args)
		return arch->args[n - 1];
	reg.word = (uint8_t)(arch->stack_args + n - arch->n_args);
	return reg;
}

/* Returns true if a name begins with one of the words. */
static bool begins(const char *name, const char *words)
{
	for (size_t n; words && *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (!strncmp(name, words, n))
			return true;
	}
	return false;
}

const struct arch *arch_by_name(const char *machine)
{
	const size_t length = strlen(machine);

	for (const struct arch *const *a = arches; *a; a++)
		if (!strcmp(machine, (*a)->name))
			return *a;
	/* armv7b and similar names are big-endian kernels, which are not tested. */
	if (!strncmp(machine, "armv", 4) && machine[length - 1] == 'b')
		return NULL;
	for (const struct arch *const *a = arches; *a; a++)
		if (begins(machine, (*a)->aliases))
			return *a;
	return NULL;
}

const struct arch *arch_by_elf(uint16_t machine)
{
	for (const struct arch *const *a = arches; *a; a++)
		if ((*a)->abis[0].machine == machine)
			return *a;
	return NULL;
}

const struct arch *arch_own(void)
{
	const struct arch *const *a = arches;

	while (*a && !(*a)->own)
		a++;
	return *a ? *a : &arch_unknown;
}

const char *arch_call_name(const char *function)
{
	const char *prefix = "sys_";

	if (!strncmp(function, prefix, strlen(prefix)) || !strncmp(function, "SyS_", 4))
		return function + strlen(prefix);
	for (const struct arch *const *a = arches; *a; a++) {
		prefix = (*a)->call_prefix;
		if (prefix && !strncmp(function, prefix, strlen(prefix)))
			return function + strlen(prefix);
	}
	return NULL;
}
