// SPDX-License-Identifier: GPL-2.0
#include "compat/arch/rows.h"

#define ONE(word, at, known) { word, .size = 8, .offset = at, .name = known }

/* pt_regs begins with the instruction pointer. x0 is always 0, and pt_regs does not have it. */
static const struct arch_named registers[] = {
	{ "a", '\0', 0, 8, 8, 80, 8, 0, "a" }, { "s", '\0', 0, 2, 8, 64, 8, 0, "s" },
	{ "s", '\0', 2, 10, 8, 144, 8, 2, "s" }, { "t", '\0', 0, 3, 8, 40, 8, 0, "t" },
	{ "t", '\0', 3, 4, 8, 224, 8, 3, "t" },
	ONE("ra", 8, "ra"), ONE("sp", 16, "sp"), ONE("gp", 24, "gp"), ONE("tp", 32, "tp"),
	ONE("fp", 64, "s0"),
	{ }
};

/* The context of a kprobe program is the first part of pt_regs, user_regs_struct. */
ARCH(riscv64) = {
	.name = "riscv64", .aliases = NULL, .audit = AUDIT_ARCH_RISCV64,
#if defined(__riscv) && __riscv_xlen == 64
	.own = true,
#endif
	.word = 8, .register_size = 8, .big_endian = false, .o_largefile = 0100000,
	.args = { { 80, "a0" }, { 88, "a1" }, { 96, "a2" }, { 104, "a3" }, { 112, "a4" },
		  { 120, "a5" }, { 128, "a6" }, { 136, "a7" } }, .n_args = 8, .stack_args = 0,
	.even_pairs = false,
	.result = { 80, "a0" }, .result_high = { },
	.sp = { 16, "sp" }, .sp_since = 0, .link = { 8, "ra" }, .returns_without_sp = true,
	.perf_sp = 0, .task_stack = 0, .task_regs = 0, .user_cs = 0,
	.ip = 0, .fp = 0, .mode = 0, .wide_bit = 0, .narrow_bit = 0,
	.abis = { { EM_RISCV, 8 } },
	/* When a wrapped call runs, a0 is already -ENOSYS: the first argument is in orig_a0. */
	.syscall_args = { 280, 88, 96, 104, 112, 120 },
	.compat_args = { 280, 88, 96, 104, 112, 120 },
	.syscall_prefix = { { "__riscv_sys_", true }, { "sys_", false } },	/* wrapped: 6.6 */
	.compat_prefix = { { "__riscv_compat_sys_", true }, { "compat_sys_", false } },
	.call_prefix = "__riscv_sys_", .syscall_absent = NULL,
	.compat_member = NULL, .compat_bits = 0, .filter_bits = 0,
	.calls = { [ARCH_KILL] = 129, [ARCH_TKILL] = 130, [ARCH_TGKILL] = 131, [ARCH_SYNC] = 81,
		   [ARCH_SYNCFS] = 267, [ARCH_FSYNC] = 82, [ARCH_FDATASYNC] = 83,
		   [ARCH_MSYNC] = 227 },
	.lacks = { { FEATURE_BPF_FENTRY, V(5, 5), V(6, 3) } },
	/*
	 * Functions begin with instructions that ftrace patches. Kernels without kprobes on top of
	 * ftrace (6.12) refuse all probes there, and so all return probes.
	 */
	.kprobes_tell = true,
	.compat_calls_tell = true,
	.user_walk_sleeps = true,
	.syntax = { .arguments = "8@a0 8@a1 8@a2 8@a3" },
	.registers = registers,
	.plt = { 32, 16, PLT_BY_ORDER },
	.unwind = { },
	.c = { .most_align = 8, .long_double = 16, .long_double_align = 16,
	       .largest_align = 16 },
	.tables = { "riscv64", "riscv32", .makes_task = { 220, 435 } },
	.flags = { }, .constants = NULL,

	.signed_returns = false, .return_on_stack = false, .flags_second = false,
	.callers_twice = false, .ftrace_stacks_cut = false, .user_pc_behind_entry = false,
	.frame_pointers = false, .shared_addresses = false, .texts_far = false, .thumb = false,
	.local_entries = false,
};
