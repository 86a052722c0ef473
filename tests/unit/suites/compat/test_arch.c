// SPDX-License-Identifier: GPL-2.0
#include "compat/arch/arch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>	/* last: it has a macro fail() */

Suite *suite_arch(void);

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

/* A file's text, to be freed. */
static char *text_of(const char *path)
{
	FILE *from = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	ck_assert_msg(from && getdelim(&text, &room, '\0', from) > 0, "%s can't be read", path);
	fclose(from);
	return text;
}

/* The word in front of `end`; `from`: where the line begins. Returns its length. */
static size_t word_before(const char *from, const char *end, const char **word)
{
	const char *at = end;

	while (at > from && (at[-1] == '_' || (at[-1] >= '0' && at[-1] <= '9') ||
			     (at[-1] >= 'a' && at[-1] <= 'z')))
		at--;
	*word = at;
	return (size_t)(end - at);
}

/*
 * Writes the members of a struct in a header's text, as ".NAME =": each line ends with a ;, each
 * name with one of , [ and ;.
 */
static unsigned int members_of(const char *text, const char *head, char names[][24])
{
	const char *at = strstr(text, head), *end, *word;
	unsigned int n = 0;
	bool comment = false;

	ck_assert_ptr_nonnull(at);
	for (at = strchr(at, '\n') + 1; strncmp(at, "};", 2); at = end + 1) {
		const char *line = at;

		end = strchr(at, '\n');
		for (; at < end && (comment || *at != ';'); at++) {
			if (at[0] == '/' && at[1] == '*')
				comment = true;
			else if (at[0] == '*' && at[1] == '/')
				comment = false;
			else if (!comment && (*at == ',' || *at == '[') &&
				 word_before(line, at, &word))
				snprintf(names[n++], 24, ".%.*s =", (int)(at - word), word);
		}
		if (!comment && at < end && word_before(line, at, &word))
			snprintf(names[n++], 24, ".%.*s =", (int)(at - word), word);
	}
	return n;
}

/* What a machine does not have is written as well: none is forgotten. */
START_TEST(rows_have_all_members)
{
	static char names[100][24];
	char *header = text_of("compat/arch/arch.h"), path[64], *row;
	const unsigned int n = members_of(header, "\nstruct arch {", names);

	snprintf(path, sizeof(path), "compat/arch/%s.c", arches[_i]->name);
	row = text_of(path);
	ck_assert_uint_gt(n, 60);
	for (unsigned int i = 0; i < n; i++) {
		ck_assert_msg(strstr(row, names[i]), "%s says nothing of %s", path, names[i]);
	}
	free(header);
	free(row);
}
END_TEST

/* What every machine has, and what goes together. */
START_TEST(rows_are_whole)
{
	const struct arch *a = arches[_i];

	ck_assert_ptr_eq(arch_by_name(a->name), a);
	ck_assert_ptr_eq(arch_by_elf(a->abis[0].machine), a);
	ck_assert_uint_eq(a->abis[0].word, a->word);
	ck_assert(a->audit && a->o_largefile && a->n_args && a->result.name && a->sp.name);
	for (unsigned int i = 0; i < a->n_args; i++)
		ck_assert_ptr_nonnull(a->args[i].name);
	for (int i = 0; i < ARCH_CALLS; i++)
		ck_assert_uint_ne(a->calls[i], 0);
	ck_assert_ptr_nonnull(a->syscall_prefix[0].prefix);
	ck_assert(!a->link.name == a->return_on_stack);
	ck_assert(!a->compat_prefix[0].prefix || a->tables.narrow);
	ck_assert(!a->compat_member == !a->compat_bits);
	ck_assert(a->registers && a->registers[0].size && a->syntax.arguments);
	ck_assert(a->tables.native && a->c.most_align && a->c.long_double && a->c.largest_align);
	ck_assert(!a->unwind.all == !a->unwind.numbers);
	ck_assert(!a->unwind.all || (a->unwind.sp && a->unwind.bits));
	ck_assert(!a->perf_sp || (a->unwind.all >> a->perf_sp & 1));
	for (const struct arch *const *b = arches; *b != a; b++)
		ck_assert_uint_ne(a->audit, (*b)->audit);
}
END_TEST

/* This test was compiled for one of them. */
START_TEST(own_machine)
{
	unsigned int n = 0;

	for (const struct arch *const *a = arches; *a; a++)
		n += (*a)->own;
	ck_assert_uint_eq(n, 1);
	ck_assert(arch_own()->own);
	ck_assert_uint_eq(arch_own()->word, sizeof(void *));
	ck_assert_int_eq(arch_own()->big_endian, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}
END_TEST

/* Names of functions of calls, as scripts of any machine have them. */
START_TEST(calls_by_function)
{
	static const struct {
		const char *function, *call;
	} names[] = {
		{ "sys_read", "read" }, { "SyS_read", "read" }, { "__x64_sys_read", "read" },
		{ "__arm64_sys_read", "read" }, { "__riscv_sys_read", "read" },
		{ "__s390x_sys_read", "read" }, { "__powerpc_sys_read", "read" },
		{ "__ia32_sys_read", NULL }, { "compat_sys_read", NULL }, { "vfs_read", NULL },
		{ "sys", NULL }, { "", NULL },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_same(arch_call_name(names[i].function), names[i].call);
}
END_TEST

Suite *suite_arch(void)
{
	Suite *s = suite_create("arch");
	int n = 0;

	while (arches[n])
		n++;
	add_tests(s, "members", rows_have_all_members, n);
	add_tests(s, "whole", rows_are_whole, n);
	add_tests(s, "own", own_machine, 1);
	add_tests(s, "calls", calls_by_function, 1);
	add_tests(s, "machines", machines_by_name, COUNT_OF(machines));
	add_tests(s, "registers", registers_of_machines, COUNT_OF(registers));
	add_tests(s, "stack", arguments_on_stack, COUNT_OF(on_stack));
	add_tests(s, "programs", programs_of_machines, COUNT_OF(programs));
	return s;
}
