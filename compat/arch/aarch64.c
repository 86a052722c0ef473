// SPDX-License-Identifier: GPL-2.0
#include "compat/arch/rows.h"

static const struct arch_named registers[] = {
	{ "x", '\0', 0, 31, 8, 0, 8, 0, "x" }, { "w", '\0', 0, 31, 4, 0, 8, 0, "x" },
	{ "sp", .size = 8, .offset = 248, .name = "sp" },
	{ "wsp", .size = 4, .offset = 248, .name = "sp" },
	{ "fp", .size = 8, .offset = 232, .name = "x29" },
	{ "lr", .size = 8, .offset = 240, .name = "x30" },
	{ }
};

static const int8_t numbers[] = { [29] = 29, [30] = 30, [31] = 31, [32] = -1 };

/* The context of a kprobe program is the first part of pt_regs, user_pt_regs. */
ARCH(aarch64) = {
	.name = "aarch64", .aliases = "arm64", .audit = AUDIT_ARCH_AARCH64,
#ifdef __aarch64__
	.own = true,
#endif
	.word = 8, .register_size = 8, .big_endian = false, .o_largefile = 0400000,
	.args = { { 0, "x0" }, { 8, "x1" }, { 16, "x2" }, { 24, "x3" }, { 32, "x4" },
		  { 40, "x5" }, { 48, "x6" }, { 56, "x7" } }, .n_args = 8, .stack_args = 0,
	.even_pairs = false,
	.result = { 0, "x0" }, .result_high = { },
	.sp = { 248, "sp" }, .sp_since = 0, .link = { 240, "x30" }, .perf_sp = 31,
	.task_stack = 0, .task_regs = 0, .user_cs = 0,
	.ip = 256, .fp = 232, .signed_returns = true,
	.mode = 264, .wide_bit = 0, .narrow_bit = 0x10,
	.abis = { { EM_AARCH64, 8 } },
	.syscall_args = { 0, 8, 16, 24, 32, 40 },
	.compat_args = { 0, 8, 16, 24, 32, 40 },
	/* wrapped since 4.19 */
	.syscall_prefix = { { "__arm64_sys_", true }, { "sys_", false }, { "SyS_", false } },
	.compat_prefix = { { "__arm64_compat_sys_", true }, { "compat_sys_", false },
			   { "compat_SyS_", false } },
	.call_prefix = "__arm64_sys_", .syscall_absent = NULL,
	/* TIF_32BIT, TIF_SECCOMP */
	.compat_member = "task_struct.thread_info.flags", .compat_bits = 1 << 22,
	.filter_bits = 1 << 11,
	.calls = { [ARCH_KILL] = 129, [ARCH_TKILL] = 130, [ARCH_TGKILL] = 131, [ARCH_SYNC] = 81,
		   [ARCH_SYNCFS] = 267, [ARCH_FSYNC] = 82, [ARCH_FDATASYNC] = 83,
		   [ARCH_MSYNC] = 227 },
	.lacks = { { FEATURE_BPF_FENTRY, V(5, 5), V(6, 4) } },
	.frame_pointers = true, .texts_far = true,
	.syntax = { .brackets = true, .arguments = "8@x0 8@x1 8@x2 8@x3" },
	.registers = registers,
	.plt = { 32, 16, PLT_AARCH64, 8 },
	.unwind = { .fp = 29, .sp = 31, .link = 30, .bits = 48,
		    .all = 0x1e0000000, .caller = 0x40000000, .numbers = numbers },
	.c = { .most_align = 8, .long_double = 16, .long_double_align = 16, .largest_align = 16,
	       .unnamed_aligns = true },
	/* These kernels do not tell of the return in a new task. */
	.tables = { "arm64", "arm", .even = true },
	.flags = { .open = "=0x404000 TMPFILE @14 DIRECTORY NOFOLLOW DIRECT LARGEFILE" },
	.constants = "PROT_ BTI=16 MTE=32\n"
		     "O_ DIRECTORY=040000 NOFOLLOW=0100000 DIRECT=0200000 LARGEFILE=0400000 "
		     "TMPFILE=020040000\n",

	.return_on_stack = false, .returns_without_sp = false, .flags_second = false,
	.callers_twice = false, .ftrace_stacks_cut = false, .user_pc_behind_entry = false,
	.user_walk_sleeps = false, .shared_addresses = false, .kprobes_tell = false,
	.thumb = false, .local_entries = false, .compat_calls_tell = false,
};
