// SPDX-License-Identifier: GPL-2.0
#include "compat/kernel/arch.h"

#include <string.h>

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_arch(void);

#define COUNT(a) ((int)(sizeof(a) / sizeof(*(a))))

/* Equal strings, or both NULL. */
static void assert_same(const char *a, const char *b)
{
	ck_assert_str_eq(a ? a : "(none)", b ? b : "(none)");
}

static const struct {
	const char *machine, *name;
} machines[] = {
	{ "x86_64", "x86_64" }, { "amd64", "x86_64" }, { "aarch64", "aarch64" },
	{ "arm64", "aarch64" },
	{ "armv7l", "armv7l" }, { "armv6l", "armv7l" }, { "armv5tejl", "armv7l" },
	{ "armv8l", "armv7l" },
	{ "i686", "i686" }, { "i386", "i686" }, { "riscv64", "riscv64" },
	{ "ppc64le", "ppc64le" }, { "s390x", "s390x" },
	{ "armv7b", NULL }, { "ppc64", NULL }, { "s390", NULL }, { "", NULL }, { "x86", NULL },
};

START_TEST(machines_by_name)
{
	const struct arch *a = arch_by_name(machines[_i].machine);

	assert_same(a ? a->name : NULL, machines[_i].name);
}
END_TEST

/* Offsets in struct pt_regs; 0xffff: not in a register. */
static const struct {
	const char *machine;
	unsigned int word;
	const char *first;		/* ftrace's name of the first argument's register */
	uint16_t args[ARCH_ARGS], result, sp, ip;
	uint16_t syscall[ARCH_SYSCALL_ARGS], compat[ARCH_SYSCALL_ARGS];
	const char *prefix, *compat_prefix;
	bool wrapped;
	unsigned int o_largefile;
	bool big_endian;
} registers[] = {
	{ "x86_64", 8, "di", { 112, 104, 96, 88, 72, 64, 152, 152 }, 80, 152, 128,
	  { 112, 104, 96, 56, 72, 64 }, { 40, 88, 96, 104, 112, 32 },
	  "__x64_sys_", "__ia32_compat_sys_", true, 0100000 },
	{ "aarch64", 8, "x0", { 0, 8, 16, 24, 32, 40, 48, 56 }, 0, 248, 256,
	  { 0, 8, 16, 24, 32, 40 }, { 0, 8, 16, 24, 32, 40 },
	  "__arm64_sys_", "__arm64_compat_sys_", true, 0400000 },
	{ "armv7l", 4, "r0", { 0, 4, 8, 12, 52, 52, 52, 52 }, 0, 52, 60,
	  { 0, 4, 8, 12, 16, 20 }, { 0 }, "sys_", NULL, false, 0400000 },
	{ "i686", 4, "ax", { 24, 8, 4, 60, 60, 60, 60, 60 }, 24, 60, 48,
	  { 0, 4, 8, 12, 16, 20 }, { 0 },
	  "__ia32_sys_", NULL, true, 0100000 },
	{ "riscv64", 8, "a0", { 80, 88, 96, 104, 112, 120, 128, 136 }, 80, 16, 0,
	  { 280, 88, 96, 104, 112, 120 }, { 280, 88, 96, 104, 112, 120 },
	  "__riscv_sys_", "__riscv_compat_sys_", true, 0100000 },
	{ "ppc64le", 8, "r3", { 24, 32, 40, 48, 56, 64, 72, 80 }, 24, 8, 256,
	  { 24, 32, 40, 48, 56, 64 }, { 0 }, "__se_sys_", NULL, false, 0200000 },
	{ "s390x", 8, "r2", { 40, 48, 56, 64, 72, 144, 144, 144 }, 40, 144, 16,
	  { 152, 48, 56, 64, 72, 80 }, { 152, 48, 56, 64, 72, 80 },
	  "__s390x_sys_", "__s390_compat_sys_", true, 0100000, .big_endian = true },
};

START_TEST(registers_of_machines)
{
	const struct arch *a = arch_by_name(registers[_i].machine);

	ck_assert_uint_eq(a->word, registers[_i].word);
	ck_assert_uint_eq(a->register_size, registers[_i].word);
	ck_assert_uint_eq(a->o_largefile, registers[_i].o_largefile);
	ck_assert_int_eq(a->big_endian, registers[_i].big_endian);
	ck_assert_uint_eq(a->ip, registers[_i].ip);
	ck_assert_str_eq(a->args[0].name, registers[_i].first);
	for (unsigned int i = 0; i < ARCH_ARGS; i++)
		ck_assert_uint_eq(arch_argument(a, i + 1).offset, registers[_i].args[i]);
	for (int i = 0; i < ARCH_SYSCALL_ARGS; i++) {
		ck_assert_uint_eq(a->syscall_args[i], registers[_i].syscall[i]);
		ck_assert_uint_eq(a->compat_args[i], registers[_i].compat[i]);
	}
	ck_assert_uint_eq(a->result.offset, registers[_i].result);
	ck_assert_uint_eq(a->sp.offset, registers[_i].sp);
	ck_assert_str_eq(a->syscall_prefix[0].prefix, registers[_i].prefix);
	ck_assert_int_eq(a->syscall_prefix[0].wrapped, registers[_i].wrapped);
	assert_same(a->compat_prefix[0].prefix, registers[_i].compat_prefix);
	ck_assert_ptr_null(a->syscall_prefix[5].prefix);
	ck_assert_ptr_null(a->compat_prefix[5].prefix);
}
END_TEST

/*
 * Arguments that are on the stack: the first of them, where it is from the stack pointer, and where
 * the tenth is.
 */
static const struct {
	const char *machine;
	unsigned int first;
	int offset, tenth;
} on_stack[] = {
	{ "x86_64", 7, 8, 32 }, { "aarch64", 9, 0, 8 }, { "armv7l", 5, 0, 20 },
	{ "i686", 4, 4, 28 }, { "riscv64", 9, 0, 8 }, { "ppc64le", 9, 96, 104 },
	{ "s390x", 6, 160, 192 },
};

START_TEST(arguments_on_stack)
{
	const struct arch *a = arch_by_name(on_stack[_i].machine);
	struct arch_register reg = arch_argument(a, on_stack[_i].first);

	ck_assert_uint_eq(arch_argument(a, on_stack[_i].first - 1).word, 0);
	ck_assert_uint_eq(reg.offset, a->sp.offset);
	ck_assert_int_eq((reg.word - 1) * a->word, on_stack[_i].offset);
	reg = arch_argument(a, 10);
	ck_assert_int_eq((reg.word - 1) * a->word, on_stack[_i].tenth);
}
END_TEST

/* How programs' functions are called; of the second kind a kernel runs, narrow ones. */
static const struct {
	const char *machine;
	struct arch_abi abis[ARCH_ABIS];
} programs[] = {
	{ "x86_64", { { 62, 8 }, { 3, 4, .on_stack = true, .narrow = "i686" } } },
	{ "aarch64", { { 183, 8 } } },
	{ "armv7l", { { 40, 4 } } },
	{ "i686", { { 3, 4, .on_stack = true } } },
	{ "riscv64", { { 243, 8 } } },
	{ "ppc64le", { { 21, 8 } } },
	{ "s390x", { { 22, 8 } } },
};

START_TEST(programs_of_machines)
{
	const struct arch *a = arch_by_name(programs[_i].machine);

	for (int i = 0; i < ARCH_ABIS; i++) {
		ck_assert_uint_eq(a->abis[i].machine, programs[_i].abis[i].machine);
		ck_assert_uint_eq(a->abis[i].word, programs[_i].abis[i].word);
		ck_assert_int_eq(a->abis[i].on_stack, programs[_i].abis[i].on_stack);
		ck_assert_pstr_eq(a->abis[i].narrow, programs[_i].abis[i].narrow);
	}
	ck_assert_int_eq(a->thumb, !strcmp(programs[_i].machine, "armv7l"));
}
END_TEST

Suite *suite_arch(void)
{
	Suite *s = suite_create("arch");

	add_tests(s, "machines", machines_by_name, COUNT(machines));
	add_tests(s, "registers", registers_of_machines, COUNT(registers));
	add_tests(s, "stack", arguments_on_stack, COUNT(on_stack));
	add_tests(s, "programs", programs_of_machines, COUNT(programs));
	return s;
}
