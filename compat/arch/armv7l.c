// SPDX-License-Identifier: GPL-2.0
#include "compat/arch/rows.h"

#define ONE(word, at, known) { word, .size = 4, .offset = at, .name = known }

static const struct arch_named registers[] = {
	{ "r", '\0', 0, 11, 4, 0, 4, 0, "r" },
	ONE("r11", 44, "fp"), ONE("r12", 48, "ip"), ONE("r13", 52, "sp"), ONE("r14", 56, "lr"),
	ONE("sl", 40, "r10"), ONE("fp", 44, "fp"), ONE("ip", 48, "ip"), ONE("sp", 52, "sp"),
	ONE("lr", 56, "lr"),
	{ }
};

static const int8_t numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1 };

ARCH(armv7l) = {
	/* armv8l: an arm kernel on an armv8 CPU */
	.name = "armv7l", .aliases = "armv5t armv6 armv7 armv8l", .audit = AUDIT_ARCH_ARM,
#ifdef __arm__
	.own = true,
#endif
	.word = 4, .register_size = 4, .big_endian = false, .o_largefile = 0400000,
	.args = { { 0, "r0" }, { 4, "r1" }, { 8, "r2" }, { 12, "r3" } }, .n_args = 4,
	.stack_args = 0, .even_pairs = true,
	.result = { 0, "r0" }, .result_high = { 4, "r1" },
	.sp = { 52, "sp" }, .sp_since = 0, .link = { 56, "lr" },
	.returns_without_sp = true,		/* before 5.16 */
	.perf_sp = 0, .task_stack = 0, .task_regs = 0, .user_cs = 0,
	.ip = 60, .fp = 0, .mode = 0, .wide_bit = 0, .narrow_bit = 0,
	.abis = { { EM_ARM, 4 } },
	/*
	 * After a probed return the kernel continues at the caller's address. It does not switch to
	 * Thumb where the address asks for it: the program dies.
	 */
	.thumb = true,
	.user_pc_behind_entry = true,	/* save_trace(), if in_entry_text() */
	.syscall_args = { 0, 4, 8, 12, 16, 20 },
	.syscall_prefix = { { "sys_", false }, { "SyS_", false } },
	.compat_args = { }, .compat_prefix = { }, .call_prefix = NULL, .syscall_absent = NULL,
	.compat_member = NULL, .compat_bits = 0, .filter_bits = 0,
	.calls = { [ARCH_KILL] = 37, [ARCH_TKILL] = 238, [ARCH_TGKILL] = 268, [ARCH_SYNC] = 36,
		   [ARCH_SYNCFS] = 373, [ARCH_FSYNC] = 118, [ARCH_FDATASYNC] = 148,
		   [ARCH_MSYNC] = 144 },
	.lacks = { { FEATURE_BPF_FENTRY, V(5, 5), UINT32_MAX } },
	.shared_addresses = true,
	.syntax = { .brackets = true, .arguments = "4@r0 4@r1 4@r2 4@r3" },
	.registers = registers,
	.plt = { 20, 12, PLT_BY_ORDER },
	.unwind = { .fp = 7, .sp = 13, .link = 14, .bits = 32, .other = 11,
		    .exidx = true, .all = 0xffff, .numbers = numbers },
	.c = { .most_align = 8, .long_double = 8, .long_double_align = 8, .largest_align = 8,
	       .unnamed_aligns = true },
	.tables = { "arm", NULL, .even = true, .makes_task = { 2, 120, 190, 435 } },
	.flags = { .open = "=0x404000 TMPFILE @14 DIRECTORY NOFOLLOW DIRECT LARGEFILE" },
	.constants = "O_ DIRECTORY=040000 NOFOLLOW=0100000 DIRECT=0200000 LARGEFILE=0400000 "
		     "TMPFILE=020040000\n",

	.signed_returns = false, .return_on_stack = false, .flags_second = false,
	.callers_twice = false, .ftrace_stacks_cut = false, .frame_pointers = false,
	.user_walk_sleeps = false, .texts_far = false, .kprobes_tell = false,
	.local_entries = false, .compat_calls_tell = false,
};
