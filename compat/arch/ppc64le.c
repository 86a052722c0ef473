// SPDX-License-Identifier: GPL-2.0
#include "compat/arch/rows.h"

static const struct arch_named registers[] = {
	{ "r", '\0', 0, 32, 8, 0, 8, 0, "r" }, { "", '\0', 0, 32, 8, 0, 8, 0, "r" },
	{ }
};

/* The context of a kprobe program is the first part of pt_regs, user_pt_regs. */
ARCH(ppc64le) = {
	.name = "ppc64le", .aliases = NULL, .audit = AUDIT_ARCH_PPC64LE,
#if defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	.own = true,
#endif
	.word = 8, .register_size = 8, .big_endian = false, .o_largefile = 0200000,
	.args = { { 24, "r3" }, { 32, "r4" }, { 40, "r5" }, { 48, "r6" }, { 56, "r7" },
		  { 64, "r8" }, { 72, "r9" }, { 80, "r10" } },
	.n_args = 8, .stack_args = 12,	/* above a head of 4 words, and a word for each register */
	.even_pairs = false,
	.result = { 24, "r3" }, .result_high = { },
	.sp = { 8, "r1" }, .sp_since = 0, .link = { 288, "link" },
	.perf_sp = 0, .task_stack = 0, .task_regs = 0, .user_cs = 0,
	.ip = 256, .fp = 0, .mode = 0, .wide_bit = 0, .narrow_bit = 0,
	.callers_twice = true,		/* perf_callchain_user_64() */
	.ftrace_stacks_cut = true,
	.abis = { { EM_PPC64, 8 } },
	.local_entries = true,
	.syscall_args = { 24, 32, 40, 48, 56, 64 },
	/*
	 * Since 6.1 sys_x() takes a pt_regs if the kernel is built so, and its name does not tell.
	 * But __se_sys_x(), SyS_x() before 4.17, always takes the arguments. Where sys_x() takes
	 * the arguments as well, both are names of one function.
	 */
	.syscall_prefix = { { "__se_sys_", false }, { "SyS_", false }, { "sys_", true } },
	.compat_args = { }, .compat_prefix = { },
	.call_prefix = "__powerpc_sys_", .syscall_absent = NULL,
	.compat_member = NULL, .compat_bits = 0, .filter_bits = 0,
	.calls = { [ARCH_KILL] = 37, [ARCH_TKILL] = 208, [ARCH_TGKILL] = 250, [ARCH_SYNC] = 36,
		   [ARCH_SYNCFS] = 348, [ARCH_FSYNC] = 118, [ARCH_FDATASYNC] = 148,
		   [ARCH_MSYNC] = 144 },
	.lacks = { { FEATURE_BPF_FENTRY, V(5, 5), V(6, 13) } },
	.syntax = { .bare = true, .arguments = "8@3 8@4 8@5 8@6" },
	.registers = registers,
	.plt = { },
	.unwind = { .fp = 31, .sp = 1, .link = 65 },
	.c = { .most_align = 8, .long_double = 16, .long_double_align = 16,
	       .largest_align = 16 },
	.tables = { "ppc64", "ppc", .high_first = true, .even = true,
		    .makes_task = { 2, 120, 189, 435 } },
	.flags = {
		.open = "=0x404000 TMPFILE @14 DIRECTORY NOFOLLOW LARGEFILE DIRECT",
		.map = "@6 NORESERVE LOCKED GROWSDOWN @11 DENYWRITE EXECUTABLE @15",
		.ioctl = "=0x402c7413 TCGETS =0x802c7414 TCSETS TCSETSW TCSETSF "
			 "=0x4004667f FIONREAD =0x8004667e FIONBIO =0x8004667d FIOASYNC "
			 "=0x20006601 FIOCLEX FIONCLEX =0x40087468 TIOCGWINSZ "
			 "=0x80087467 TIOCSWINSZ =0x8004667c FIOSETOWN",
		.sockopt = "RCVLOWAT SNDLOWAT RCVTIMEO SNDTIMEO PASSCRED PEERCRED",
	},
	.constants = "SO_ RCVLOWAT=16 SNDLOWAT RCVTIMEO SNDTIMEO PASSCRED PEERCRED\n"
		     "O_ DIRECTORY=040000 NOFOLLOW=0100000 LARGEFILE=0200000 DIRECT=0400000 "
		     "TMPFILE=020040000\n"
		     "MAP_ NORESERVE=0x40 LOCKED=0x80\n"
		     "PROT_ SAO=16\n"
		     "E DEADLOCK=58\n",

	.signed_returns = false, .return_on_stack = false, .returns_without_sp = false,
	.flags_second = false, .user_pc_behind_entry = false, .frame_pointers = false,
	.user_walk_sleeps = false, .shared_addresses = false, .texts_far = false,
	.kprobes_tell = false, .thumb = false, .compat_calls_tell = false,
};
