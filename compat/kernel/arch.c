// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/arch.h"

#include <elf.h>
#include <string.h>

#define V(major, minor) ((major) << 16 | (minor) << 8)

/*
 * Offsets are offsets in struct pt_regs. On arm64, riscv, powerpc and s390 the context of a kprobe
 * program is the first part of pt_regs, which user space also knows (user_pt_regs,
 * user_regs_struct).
 */
static const struct arch arches[] = {
{
	.name = "x86_64", .word = 8, .register_size = 8, .o_largefile = 0100000,
	.args = { { 112, "di" }, { 104, "si" }, { 96, "dx" }, { 88, "cx" }, { 72, "r8" },
		  { 64, "r9" } }, .n_args = 6, .stack_args = 1,
	.result = { 80, "ax" }, .result_high = { 96, "dx" },
	.sp = { 152, "sp" }, .return_on_stack = true, .perf_sp = 7,
	.task_stack = 16384, .task_regs = 16384 - 168, .user_cs = 0x33,
	.ip = 128, .fp = 32, .mode = 136, .wide_bit = 0x10,	/* cs: 0x33; 32 bits: 0x23 */
	.abis = { { EM_X86_64, 8 }, { EM_386, 4, .on_stack = true, .narrow = "i686" } },
	.syscall_args = { 112, 104, 96, 56, 72, 64 },		/* di si dx r10 r8 r9 */
	.compat_args = { 40, 88, 96, 104, 112, 32 },		/* bx cx dx si di bp */
	/* wrapped since 4.17 */
	.syscall_prefix = { { "__x64_sys_", true }, { "sys_", false }, { "SyS_", false } },
	/* A call that needs no translation for 32 bits is __ia32_sys_x since 4.17, sys_x before. */
	.compat_prefix = { { "__ia32_compat_sys_", true }, { "__ia32_sys_", true },
			   { "compat_sys_", false }, { "compat_SyS_", false } },
	/* TS_COMPAT */
	.compat_member = "task_struct.thread_info.status", .compat_bits = 0x2,
},
{
	.name = "aarch64", .word = 8, .register_size = 8, .o_largefile = 0400000,
	.args = { { 0, "x0" }, { 8, "x1" }, { 16, "x2" }, { 24, "x3" }, { 32, "x4" },
		  { 40, "x5" }, { 48, "x6" }, { 56, "x7" } }, .n_args = 8,
	.result = { 0, "x0" },
	.sp = { 248, "sp" }, .link = { 240, "x30" }, .perf_sp = 31,
	.ip = 256, .fp = 232, .signed_returns = true, .mode = 264, .narrow_bit = 0x10,
	.abis = { { EM_AARCH64, 8 } },
	.syscall_args = { 0, 8, 16, 24, 32, 40 },
	.compat_args = { 0, 8, 16, 24, 32, 40 },
	/* wrapped since 4.19 */
	.syscall_prefix = { { "__arm64_sys_", true }, { "sys_", false }, { "SyS_", false } },
	.compat_prefix = { { "__arm64_compat_sys_", true }, { "compat_sys_", false },
			   { "compat_SyS_", false } },
	/* TIF_32BIT */
	.compat_member = "task_struct.thread_info.flags", .compat_bits = 1 << 22,
},
{
	.name = "armv7l", .word = 4, .register_size = 4, .o_largefile = 0400000,
	.args = { { 0, "r0" }, { 4, "r1" }, { 8, "r2" }, { 12, "r3" } }, .n_args = 4,
	.result = { 0, "r0" }, .result_high = { 4, "r1" }, .even_pairs = true,
	.sp = { 52, "sp" }, .link = { 56, "lr" },
	.returns_without_sp = true,		/* before 5.16 */
	.ip = 60,
	.abis = { { EM_ARM, 4 } },
	/*
	 * After a probed return the kernel continues at the caller's address. It does not switch to
	 * Thumb where the address asks for it: the program dies.
	 */
	.thumb = true,
	.user_pc_behind_entry = true,	/* save_trace(), if in_entry_text() */
	.syscall_args = { 0, 4, 8, 12, 16, 20 },
	.syscall_prefix = { { "sys_", false }, { "SyS_", false } },
},
{
	/*
	 * The kernel is built with -mregparm=3. Since 5.7 its system calls take a pt_regs. Before,
	 * all their arguments were on the stack (asmlinkage), which this table can't express: so
	 * their older names are not here.
	 */
	.name = "i686", .word = 4, .register_size = 4, .o_largefile = 0100000,
	.args = { { 24, "ax" }, { 8, "dx" }, { 4, "cx" } }, .n_args = 3, .stack_args = 1,
	.sp_since = V(5, 3),
	.result = { 24, "ax" }, .result_high = { 8, "dx" },
	.sp = { 60, "sp" }, .return_on_stack = true, .perf_sp = 7,
	.ip = 48, .fp = 20,
	.abis = { { EM_386, 4, .on_stack = true } },
	.syscall_args = { 0, 4, 8, 12, 16, 20 },		/* bx cx dx si di bp */
	.syscall_prefix = { { "__ia32_sys_", true } },
	.syscall_absent = "system calls of this machine have their arguments elsewhere before 5.7, "
			  "where probes do not look",
},
{
	.name = "riscv64", .word = 8, .register_size = 8, .o_largefile = 0100000,
	.args = { { 80, "a0" }, { 88, "a1" }, { 96, "a2" }, { 104, "a3" }, { 112, "a4" },
		  { 120, "a5" }, { 128, "a6" }, { 136, "a7" } }, .n_args = 8,
	.result = { 80, "a0" },
	.sp = { 16, "sp" }, .link = { 8, "ra" }, .returns_without_sp = true,
	.ip = 0,
	.abis = { { EM_RISCV, 8 } },
	/* When a wrapped call runs, a0 is already -ENOSYS: the first argument is in orig_a0. */
	.syscall_args = { 280, 88, 96, 104, 112, 120 },
	.compat_args = { 280, 88, 96, 104, 112, 120 },
	.syscall_prefix = { { "__riscv_sys_", true }, { "sys_", false } },	/* wrapped: 6.6 */
	.compat_prefix = { { "__riscv_compat_sys_", true }, { "compat_sys_", false } },
	/*
	 * Functions begin with instructions that ftrace patches. Kernels without kprobes on top of
	 * ftrace (6.12) refuse all probes there, and so all return probes.
	 */
	.kprobes_tell = true,
	.compat_calls_tell = true,
},
{
	.name = "ppc64le", .word = 8, .register_size = 8, .o_largefile = 0200000,
	.args = { { 24, "r3" }, { 32, "r4" }, { 40, "r5" }, { 48, "r6" }, { 56, "r7" },
		  { 64, "r8" }, { 72, "r9" }, { 80, "r10" } },
	.n_args = 8, .stack_args = 12,	/* above a head of 4 words, and a word for each register */
	.result = { 24, "r3" },
	.sp = { 8, "r1" }, .link = { 288, "link" },
	.ip = 256,
	.callers_twice = true,		/* perf_callchain_user_64() */
	.ftrace_stacks_cut = true,
	.abis = { { EM_PPC64, 8 } },
	.syscall_args = { 24, 32, 40, 48, 56, 64 },
	/*
	 * Since 6.1 sys_x() takes a pt_regs if the kernel is built so, and its name does not tell.
	 * But __se_sys_x(), SyS_x() before 4.17, always takes the arguments. Where sys_x() takes
	 * the arguments as well, both are names of one function.
	 */
	.syscall_prefix = { { "__se_sys_", false }, { "SyS_", false }, { "sys_", true } },
},
{
	.name = "s390x", .word = 8, .register_size = 8, .o_largefile = 0100000, .big_endian = true,
	.args = { { 40, "r2" }, { 48, "r3" }, { 56, "r4" }, { 64, "r5" }, { 72, "r6" } },
	.n_args = 5, .stack_args = 20,	/* above the area where the function saves registers */
	.result = { 40, "r2" },
	.sp = { 144, "r15" }, .link = { 136, "r14" },
	.ip = 16,
	.ftrace_stacks_cut = true,
	.abis = { { EM_S390, 8 } },
	.syscall_args = { 152, 48, 56, 64, 72, 80 },		/* orig_gpr2 r3 r4 r5 r6 r7 */
	.compat_args = { 152, 48, 56, 64, 72, 80 },
	/* Names with the machine since 5.0, wrapped since 5.12. */
	.syscall_prefix = { { "__s390x_sys_", true, V(5, 12) }, { "__s390x_sys_", false },
			    { "sys_", false }, { "SyS_", false } },
	.compat_prefix = { { "__s390_compat_sys_", true, V(5, 12) },
			   { "__s390_compat_sys_", false },
			   { "compat_sys_", false }, { "compat_SyS_", false } },
	.compat_calls_tell = true,
},
};

struct arch_register arch_argument(const struct arch *arch, unsigned int n)
{
	struct arch_register reg = arch->sp;

	if (n <= arch->n_args)
		return arch->args[n - 1];
	reg.word = (uint8_t)(arch->stack_args + n - arch->n_args);
	return reg;
}

/* A machine whose name begins with `prefix` is the machine `name`. */
static const struct {
	const char *prefix, *name;
} aliases[] = {
	{ "amd64", "x86_64" },
	{ "arm64", "aarch64" },
	{ "armv5t", "armv7l" },
	{ "armv6", "armv7l" },
	{ "armv7", "armv7l" },
	{ "armv8l", "armv7l" },		/* an arm kernel on an armv8 CPU */
	{ "i386", "i686" },
	{ "i486", "i686" },
	{ "i586", "i686" },
};

const struct arch *arch_by_name(const char *machine)
{
	size_t length = strlen(machine);

	for (unsigned int i = 0; i < sizeof(arches) / sizeof(*arches); i++)
		if (strcmp(machine, arches[i].name) == 0)
			return &arches[i];
	/* armv7b and similar names are big-endian kernels, which are not tested. */
	if (!length || (strncmp(machine, "armv", 4) == 0 && machine[length - 1] == 'b'))
		return NULL;
	for (unsigned int i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (strncmp(machine, aliases[i].prefix, strlen(aliases[i].prefix)) == 0)
			return arch_by_name(aliases[i].name);
	return NULL;
}
