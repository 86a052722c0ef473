// SPDX-License-Identifier: GPL-2.0
/* The registers of each machine by their assembler names, and their offsets in pt_regs. */
#include "compat/usdt/registers.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* ---- x86 ---- */

/* rax, eax, ax, al: `wide` is the offset on 64-bit kernels, `narrow` on 32-bit kernels. */
static const struct {
	char word[3], low[4];
	uint8_t wide, narrow;
} x86[] = {
	{ "ax", "al", 80, 24 }, { "bx", "bl", 40, 0 }, { "cx", "cl", 88, 4 },
	{ "dx", "dl", 96, 8 }, { "si", "sil", 104, 12 }, { "di", "dil", 112, 16 },
	{ "bp", "bpl", 32, 20 }, { "sp", "spl", 152, 60 }, { "ip", "", 128, 48 },
};

static bool is(const char *name, size_t length, const char *word)
{
	return length && strlen(word) == length && !memcmp(name, word, length);
}

static bool number(const char *s, size_t length, unsigned int most, unsigned int *n)
{
	*n = 0;
	if (!length || length > 2)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		*n = 10 * *n + (unsigned int)(s[i] - '0');
	}
	return *n <= most;
}

/* r8 to r15, r8d, r8w, r8b */
static bool x86_numbered(const char *name, size_t length, struct usdt_register *reg)
{
	static const uint8_t offsets[] = { 72, 64, 56, 48, 24, 16, 8, 0 };
	const char last = name[length - 1];
	unsigned int n;

	reg->size = last == 'd' ? 4 : last == 'w' ? 2 : last == 'b' ? 1 : 8;
	if (name[0] != 'r' || !number(name + 1, length - 1 - (reg->size < 8), 15, &n) || n < 8)
		return false;
	reg->offset = offsets[n - 8];
	snprintf(reg->name, sizeof(reg->name), "r%u", n);
	return true;
}

static bool find_x86(const char *name, size_t length, bool wide, struct usdt_register *reg)
{
	for (size_t i = 0; i < sizeof(x86) / sizeof(x86[0]); i++) {
		if (is(name, length, x86[i].low))
			reg->size = 1;
		else if (is(name, length, x86[i].word))
			reg->size = 2;
		else if (length == 3 && (name[0] == 'e' || name[0] == 'r') &&
			 is(name + 1, 2, x86[i].word))
			reg->size = name[0] == 'e' ? 4 : 8;
		else
			continue;
		reg->offset = wide ? x86[i].wide : x86[i].narrow;
		strcpy(reg->name, x86[i].word);
		return wide || reg->size < 8;
	}
	return wide && length > 1 && x86_numbered(name, length, reg);
}

/* ---- machines whose registers have numbers ---- */

/*
 * `n` registers from `prefix` and `first` on, `step` bytes apart. ftrace's names are `name` and a
 * number.
 */
struct row {
	const char *prefix;
	uint8_t first, n;		/* n is 0: one register, without a number */
	uint16_t offset;
	uint8_t step, size;
	const char *name;
	uint8_t number;			/* ftrace's number of the first */
};

static bool find_row(const struct row *rows, size_t n_rows, const char *name, size_t length,
		     struct usdt_register *reg)
{
	for (const struct row *row = rows; row < rows + n_rows; row++) {
		const size_t n = strlen(row->prefix);
		unsigned int i = row->first;

		if (length < n || memcmp(name, row->prefix, n) ||
		    (row->n ? !number(name + n, length - n, row->first + row->n - 1U, &i) ||
			      i < row->first : length != n))
			continue;
		i -= row->first;
		*reg = (struct usdt_register){ .offset = (uint16_t)(row->offset + i * row->step),
					       .size = row->size };
		if (row->n)
			snprintf(reg->name, sizeof(reg->name), "%s%u", row->name, row->number + i);
		else
			snprintf(reg->name, sizeof(reg->name), "%s", row->name);
		return true;
	}
	return false;
}

#define FIND(MACHINE) \
	static bool find_##MACHINE(const char *name, size_t length, bool wide, \
				   struct usdt_register *reg) \
	{ \
		(void)wide; \
		return find_row(MACHINE, sizeof(MACHINE) / sizeof(MACHINE[0]), name, length, reg); \
	}

static const struct row arm64[] = {
	{ "x", 0, 31, 0, 8, 8, "x" }, { "w", 0, 31, 0, 8, 4, "x" },
	{ "sp", 0, 0, 248, 0, 8, "sp" }, { "wsp", 0, 0, 248, 0, 4, "sp" },
	{ "fp", 0, 0, 232, 0, 8, "x29" }, { "lr", 0, 0, 240, 0, 8, "x30" },
};
FIND(arm64)

static const struct row arm[] = {
	{ "r", 0, 11, 0, 4, 4, "r" },
	{ "r11", 0, 0, 44, 0, 4, "fp" }, { "r12", 0, 0, 48, 0, 4, "ip" },
	{ "r13", 0, 0, 52, 0, 4, "sp" }, { "r14", 0, 0, 56, 0, 4, "lr" },
	{ "sl", 0, 0, 40, 0, 4, "r10" }, { "fp", 0, 0, 44, 0, 4, "fp" },
	{ "ip", 0, 0, 48, 0, 4, "ip" }, { "sp", 0, 0, 52, 0, 4, "sp" },
	{ "lr", 0, 0, 56, 0, 4, "lr" },
};
FIND(arm)

/* pt_regs begins with the instruction pointer. x0 is always 0, and pt_regs does not have it. */
static const struct row riscv[] = {
	{ "a", 0, 8, 80, 8, 8, "a" }, { "s", 0, 2, 64, 8, 8, "s" },
	{ "s", 2, 10, 144, 8, 8, "s", 2 }, { "t", 0, 3, 40, 8, 8, "t" },
	{ "t", 3, 4, 224, 8, 8, "t", 3 },
	{ "ra", 0, 0, 8, 0, 8, "ra" }, { "sp", 0, 0, 16, 0, 8, "sp" },
	{ "gp", 0, 0, 24, 0, 8, "gp" }, { "tp", 0, 0, 32, 0, 8, "tp" },
	{ "fp", 0, 0, 64, 0, 8, "s0" },
};
FIND(riscv)

static const struct row powerpc[] = { { "r", 0, 32, 0, 8, 8, "r" }, { "", 0, 32, 0, 8, 8, "r" } };
FIND(powerpc)

static const struct row s390[] = { { "r", 0, 16, 24, 8, 8, "r" } };
FIND(s390)

static const struct usdt_syntax syntaxes[] = {
	{ EM_X86_64, 8, .percent = true, .find = find_x86 },
	{ EM_386, 4, .percent = true, .find = find_x86 },
	{ EM_AARCH64, 8, .brackets = true, .find = find_arm64 },
	{ EM_ARM, 4, .brackets = true, .find = find_arm },
	{ EM_RISCV, 8, .find = find_riscv },
	{ EM_PPC64, 8, .bare = true, .find = find_powerpc },
	{ EM_S390, 8, .index_first = true, .percent = true, .find = find_s390 },
};

const struct usdt_syntax *usdt_syntax(uint16_t machine)
{
	for (size_t i = 0; i < sizeof(syntaxes) / sizeof(syntaxes[0]); i++)
		if (syntaxes[i].machine == machine)
			return &syntaxes[i];
	return NULL;
}
