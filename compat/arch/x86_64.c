// SPDX-License-Identifier: GPL-2.0
#include "compat/arch/rows.h"

/* rax, eax, ax, al */
#define WORD(word, low, at) \
	{ "r" word, .size = 8, .offset = at, .name = word }, \
	{ "e" word, .size = 4, .offset = at, .name = word }, \
	{ word, .size = 2, .offset = at, .name = word }, \
	{ low, .size = 1, .offset = at, .name = word }
/* r8, r8d, r8w, r8b and those behind it */
#define NUMBERED(from, last, at, bytes) \
	{ "r", last, from, 4, .size = bytes, .offset = at, .step = -8, .number = from, \
	  .name = "r" }
#define FOUR(from, at) \
	NUMBERED(from, '\0', at, 8), NUMBERED(from, 'd', at, 4), NUMBERED(from, 'w', at, 2), \
	NUMBERED(from, 'b', at, 1)

static const struct arch_named registers[] = {
	WORD("ax", "al", 80), WORD("bx", "bl", 40), WORD("cx", "cl", 88), WORD("dx", "dl", 96),
	WORD("si", "sil", 104), WORD("di", "dil", 112), WORD("bp", "bpl", 32),
	WORD("sp", "spl", 152), FOUR(8, 72), FOUR(12, 24),
	{ "rip", .size = 8, .offset = 128, .name = "ip" },
	{ "eip", .size = 4, .offset = 128, .name = "ip" },
	{ "ip", .size = 2, .offset = 128, .name = "ip" },
	{ }
};

static const int8_t numbers[] = {
	[0] = 0, [1] = 3, [2] = 2, [3] = 1, [4] = 4, [5] = 5, [6] = 6, [7] = 7, [8] = -1,
	[16] = 8, [17] = 9, [18] = 10, [19] = 11, [20] = 12, [21] = 13, [22] = 14, [23] = 15,
};

ARCH(x86_64) = {
	.name = "x86_64", .aliases = "amd64", .audit = AUDIT_ARCH_X86_64,
#ifdef __x86_64__
	.own = true,
#endif
	.word = 8, .register_size = 8, .big_endian = false, .o_largefile = 0100000,
	.args = { { 112, "di" }, { 104, "si" }, { 96, "dx" }, { 88, "cx" }, { 72, "r8" },
		  { 64, "r9" } }, .n_args = 6, .stack_args = 1, .even_pairs = false,
	.result = { 80, "ax" }, .result_high = { 96, "dx" },
	.sp = { 152, "sp" }, .sp_since = 0, .link = { }, .return_on_stack = true, .perf_sp = 7,
	.task_stack = 16384, .task_regs = 16384 - 168, .user_cs = 0x33,
	.ip = 128, .fp = 32,
	.mode = 136, .wide_bit = 0x10, .narrow_bit = 0,		/* cs: 0x33; 32 bits: 0x23 */
	.abis = { { EM_X86_64, 8 },
		  { EM_386, 4, .on_stack = true, .narrow = "i686", .stacks_at_risk = true } },
	.syscall_args = { 112, 104, 96, 56, 72, 64 },		/* di si dx r10 r8 r9 */
	.compat_args = { 40, 88, 96, 104, 112, 32 },		/* bx cx dx si di bp */
	/* wrapped since 4.17 */
	.syscall_prefix = { { "__x64_sys_", true }, { "sys_", false }, { "SyS_", false } },
	/* A call that needs no translation for 32 bits is __ia32_sys_x since 4.17, sys_x before. */
	.compat_prefix = { { "__ia32_compat_sys_", true }, { "__ia32_sys_", true },
			   { "compat_sys_", false }, { "compat_SyS_", false } },
	.call_prefix = "__x64_sys_", .syscall_absent = NULL,
	/* TS_COMPAT */
	.compat_member = "task_struct.thread_info.status", .compat_bits = 0x2, .filter_bits = 0,
	.calls = { [ARCH_KILL] = 62, [ARCH_TKILL] = 200, [ARCH_TGKILL] = 234, [ARCH_SYNC] = 162,
		   [ARCH_SYNCFS] = 306, [ARCH_FSYNC] = 74, [ARCH_FDATASYNC] = 75,
		   [ARCH_MSYNC] = 26 },
	/* Why: see lacking[] of compat/kernel/features.c. */
	.lacks = {
		{ FEATURE_URETPROBE_SECCOMP, V(6, 11), V(6, 12) + 20 },
		{ FEATURE_URETPROBE_SECCOMP, V(6, 13), V(6, 13) + 8 },
		{ FEATURE_UPROBE_32, V(4, 15), V(5, 3) },
		{ FEATURE_URETPROBE_32, V(3, 10), V(5, 3) },
	},
	.shared_addresses = true,
	.syntax = { .percent = true, .by_distance = true,
		    .arguments = "8@%rdi 8@%rsi 8@%rdx 8@%rcx" },
	.registers = registers,
	.plt = { 16, 16, PLT_X86_64, 8 },
	.unwind = { .fp = 6, .sp = 7, .link = -1, .bits = 56,
		    .all = 0xff01ff, .caller = 0x80, .numbers = numbers },
	.c = { .most_align = 8, .long_double = 16, .long_double_align = 16,
	       .largest_align = 16 },
	.tables = { "x86_64", "i386", .x32 = true,
		    .makes_task = { 56, 57, 58, 435, 2, 120, 190 } },
	.flags = { .map_low = "@6 32BIT ABOVE4G" },
	.constants = "MAP_ 32BIT=0x40 ABOVE4G=0x80\n",

	.signed_returns = false, .returns_without_sp = false, .flags_second = false,
	.callers_twice = false, .ftrace_stacks_cut = false, .user_pc_behind_entry = false,
	.frame_pointers = false, .user_walk_sleeps = false, .texts_far = false,
	.kprobes_tell = false, .thumb = false, .local_entries = false, .compat_calls_tell = false,
};
