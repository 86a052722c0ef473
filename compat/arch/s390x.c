// SPDX-License-Identifier: GPL-2.0
#include "compat/arch/rows.h"

static const struct arch_named registers[] = { { "r", '\0', 0, 16, 8, 24, 8, 0, "r" }, { } };

/* The context of a kprobe program is the first part of pt_regs, user_pt_regs. */
ARCH(s390x) = {
	.name = "s390x", .aliases = NULL, .audit = AUDIT_ARCH_S390X,
#ifdef __s390x__
	.own = true,
#endif
	.word = 8, .register_size = 8, .big_endian = true, .o_largefile = 0100000,
	.args = { { 40, "r2" }, { 48, "r3" }, { 56, "r4" }, { 64, "r5" }, { 72, "r6" } },
	.n_args = 5, .stack_args = 20,	/* above the area where the function saves registers */
	.even_pairs = false,
	.result = { 40, "r2" }, .result_high = { },
	.sp = { 144, "r15" }, .sp_since = 0, .link = { 136, "r14" },
	.perf_sp = 0, .task_stack = 0, .task_regs = 0, .user_cs = 0,
	.ip = 16, .fp = 0, .mode = 0, .wide_bit = 0, .narrow_bit = 0,
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
	.call_prefix = "__s390x_sys_", .syscall_absent = NULL,
	.compat_member = NULL, .compat_bits = 0, .filter_bits = 0,
	.compat_calls_tell = true,
	.calls = { [ARCH_KILL] = 37, [ARCH_TKILL] = 237, [ARCH_TGKILL] = 241, [ARCH_SYNC] = 36,
		   [ARCH_SYNCFS] = 338, [ARCH_FSYNC] = 118, [ARCH_FDATASYNC] = 148,
		   [ARCH_MSYNC] = 144 },
	.flags_second = true,
	.lacks = { { FEATURE_BPF_FENTRY, V(5, 5), V(6, 3) } },
	.syntax = { .index_first = true, .percent = true,
		    .arguments = "8@%r2 8@%r3 8@%r4 8@%r5" },
	.registers = registers,
	.plt = { 32, 32, PLT_BY_ORDER },
	.unwind = { },
	.c = { .most_align = 8, .long_double = 16, .long_double_align = 8, .largest_align = 8 },
	.tables = { "s390x", "s390", .high_first = true, .makes_task = { 2, 120, 190, 435 } },
	.flags = { .fadvise = "@6" }, .constants = NULL,

	.signed_returns = false, .return_on_stack = false, .returns_without_sp = false,
	.callers_twice = false, .user_pc_behind_entry = false, .frame_pointers = false,
	.user_walk_sleeps = false, .shared_addresses = false, .texts_far = false,
	.kprobes_tell = false, .thumb = false, .local_entries = false,
};
