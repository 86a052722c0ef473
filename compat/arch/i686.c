// SPDX-License-Identifier: GPL-2.0
#include "compat/arch/rows.h"

/* eax, ax, al */
#define WORD(word, low, at) \
	{ "e" word, .size = 4, .offset = at, .name = word }, \
	{ word, .size = 2, .offset = at, .name = word }, \
	{ low, .size = 1, .offset = at, .name = word }

static const struct arch_named registers[] = {
	WORD("ax", "al", 24), WORD("bx", "bl", 0), WORD("cx", "cl", 4), WORD("dx", "dl", 8),
	WORD("si", "sil", 12), WORD("di", "dil", 16), WORD("bp", "bpl", 20),
	WORD("sp", "spl", 60),
	{ "eip", .size = 4, .offset = 48, .name = "ip" },
	{ "ip", .size = 2, .offset = 48, .name = "ip" },
	{ }
};

static const int8_t numbers[] = { 0, 3, 1, 2, 6, 7, 5, 4, -1 };

/*
 * The kernel is built with -mregparm=3. Since 5.7 its system calls take a pt_regs. Before, all
 * their arguments were on the stack (asmlinkage), which this row can't express: so their older
 * names are not here.
 */
ARCH(i686) = {
	.name = "i686", .aliases = "i386 i486 i586", .audit = AUDIT_ARCH_I386,
#ifdef __i386__
	.own = true,
#endif
	.word = 4, .register_size = 4, .big_endian = false, .o_largefile = 0100000,
	.args = { { 24, "ax" }, { 8, "dx" }, { 4, "cx" } }, .n_args = 3, .stack_args = 1,
	.even_pairs = false,
	.result = { 24, "ax" }, .result_high = { 8, "dx" },
	.sp = { 60, "sp" }, .sp_since = V(5, 3), .link = { }, .return_on_stack = true,
	.perf_sp = 7, .task_stack = 0, .task_regs = 0, .user_cs = 0,
	.ip = 48, .fp = 20, .mode = 0, .wide_bit = 0, .narrow_bit = 0,
	.abis = { { EM_386, 4, .on_stack = true } },
	.syscall_args = { 0, 4, 8, 12, 16, 20 },		/* bx cx dx si di bp */
	.syscall_prefix = { { "__ia32_sys_", true } },
	.compat_args = { }, .compat_prefix = { }, .call_prefix = NULL,
	.syscall_absent = "system calls of this machine have their arguments elsewhere before 5.7, "
			  "where probes do not look",
	.compat_member = NULL, .compat_bits = 0, .filter_bits = 0,
	.calls = { [ARCH_KILL] = 37, [ARCH_TKILL] = 238, [ARCH_TGKILL] = 270, [ARCH_SYNC] = 36,
		   [ARCH_SYNCFS] = 344, [ARCH_FSYNC] = 118, [ARCH_FDATASYNC] = 148,
		   [ARCH_MSYNC] = 144 },
	.lacks = { { FEATURE_BPF_FENTRY, V(5, 5), UINT32_MAX } },
	.shared_addresses = true,
	.syntax = { .percent = true,
		    .arguments = "4@4(%esp) 4@8(%esp) 4@12(%esp) 4@16(%esp)" },
	.registers = registers,
	.plt = { 16, 16, PLT_I386, 8 },
	.unwind = { .fp = 5, .sp = 4, .link = -1, .bits = 32,
		    .all = 0x1ff, .caller = 0x80, .numbers = numbers },
	.c = { .most_align = 4, .long_double = 12, .long_double_align = 4, .largest_align = 16 },
	.tables = { "i386", NULL, .makes_task = { 2, 120, 190, 435 } },
	.flags = { .map_low = "@6 32BIT ABOVE4G" },
	.constants = "MAP_ 32BIT=0x40 ABOVE4G=0x80\n",

	.signed_returns = false, .returns_without_sp = false, .flags_second = false,
	.callers_twice = false, .ftrace_stacks_cut = false, .user_pc_behind_entry = false,
	.frame_pointers = false, .user_walk_sleeps = false, .texts_far = false,
	.kprobes_tell = false, .thumb = false, .local_entries = false, .compat_calls_tell = false,
};
