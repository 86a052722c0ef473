// SPDX-License-Identifier: GPL-2.0
/* Kprobes and kretprobes on the functions of system calls. */
#include "compat/kinds/syscall.h"

#include <string.h>

#include "compat/base/text.h"
#include "compat/kinds/find.h"

/* The function of a system call. Its prefix differs by machine, kernel and ABI. */
static const char *syscall_function(struct kernel *k, const struct arch_prefix *prefixes,
				    const char *call, const struct arch_prefix **which)
{
	char name[80];

	for (const struct arch_prefix *p = prefixes; p->prefix; p++) {
		const char *function;

		if (kernel_version_code(k) < p->since)
			continue;
		text_all(name, sizeof(name), "%s%s", p->prefix, call);
		function = kernel_function_as_is(k, name);
		if (!function)
			continue;
		*which = p;
		return function;
	}
	return NULL;
}

bool kernel_has_compat_tasks(struct kernel *k)
{
	const struct arch *arch = kernel_arch(k);
	const struct arch_prefix *which;
	const char *config;

	if (arch->word != 8)
		return false;
	if (arch->compat_calls_tell)
		return syscall_function(k, arch->compat_prefix, "execve", &which) != NULL;
	/* Only kernels that run 32-bit tasks have these sysctls: x86, arm64. */
	if (kernel_text(k, "/proc/sys/abi/vsyscall32") ||
	    kernel_text(k, "/proc/sys/abi/cp15_barrier"))
		return true;
	/*
	 * A snapshot may have only the configuration. For the running kernel the configuration does
	 * not decide: 32-bit tasks may have been disabled at boot.
	 */
	config = kernel_live(k) ? NULL : kernel_text(k, "config");
	return config && strstr(config, "\nCONFIG_COMPAT=y\n");
}

bool kernel_has_syscall(struct kernel *k, const char *name)
{
	const struct arch_prefix *which;

	return syscall_function(k, kernel_arch(k)->syscall_prefix, name, &which) != NULL;
}

const char *kernel_syscall(struct kernel *k, const char *name, struct syscall_function *function)
{
	const struct arch *arch = kernel_arch(k);
	const struct arch_prefix *which;
	const char *call = arch_call_name(name);
	const char *symbol = call ? syscall_function(k, arch->syscall_prefix, call, &which) : NULL;

	if (symbol && function)
		*function = (struct syscall_function){
			symbol, which->wrapped, arch->syscall_args,
		};
	return symbol ? call : NULL;
}

const char *syscall_argument_type(const char *type)
{
	static const char *const types[][2] = {
		{ "int", ":s32" }, { "unsigned int", ":u32" }, { "umode_t", ":u16" },
		{ "pid_t", ":s32" }, { "uid_t", ":u32" }, { "gid_t", ":u32" }, { "mode_t", ":u32" },
		{ "u32", ":u32" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i][0], type))
			return types[i][1];
	return ":uW";
}

static const char *look_up(struct builder *b, const struct arch_prefix *prefixes,
			   const uint16_t *args)
{
	const struct arch_prefix *which;
	const char *function = syscall_function(b->k, prefixes, b->probe->name, &which);

	if (function) {
		b->wrapped = which->wrapped;
		b->syscall_args = args;
	}
	return function;
}

static const char *native(struct builder *b)
{
	return look_up(b, b->arch->syscall_prefix, b->arch->syscall_args);
}

static const char *compat(struct builder *b)
{
	return look_up(b, b->arch->compat_prefix, b->arch->compat_args);
}

static int find_native(struct builder *b)
{
	if (b->arch->syscall_absent && !native(b))
		return not_served(b->refusal, b->hook, "%s", b->arch->syscall_absent);
	return find_function(b, native);
}

static int find_compat(struct builder *b)
{
	return find_function(b, compat);
}

const struct probe_finder syscall_finder = { .event = EVENT_KPROBE, .find = find_native };
const struct probe_finder sysret_finder = { .event = EVENT_KRETPROBE, .find = find_native };
const struct probe_finder compat_finder = {
	.event = EVENT_KPROBE, .find = find_compat, .compat = true,
};
const struct probe_finder compatret_finder = { .event = EVENT_KRETPROBE, .find = find_compat };
