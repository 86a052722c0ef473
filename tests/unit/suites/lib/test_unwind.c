// SPDX-License-Identifier: GPL-2.0
/* From a function to its callers, without frame pointers. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "backends/perf/perf_unwind.h"
#include "compat/base/clock.h"
#include "insns/stack_mark.h"
#include "src/lib/symbols/symbols.h"
#include "src/lib/unwind/cfi.h"
#include "src/lib/unwind/exidx.h"
#include "src/lib/unwind/walk.h"
#include "tests/unit/unit.h"

Suite *suite_unwind(void);

/* ---- tables ---- */

/* A CIE of x86-64 (zR, addresses relative, 4 bytes), and a function at 0x1000 of 0x40 bytes. */
#define CIE \
	0x14, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0
#define FDE(LENGTH, ...) \
	(LENGTH) + 13, 0, 0, 0, 28, 0, 0, 0, 0xe0, 0x0f, 0, 0, 0x40, 0, 0, 0, 0, __VA_ARGS__
#define END 0, 0, 0, 0

static const struct {
	const char *what;
	uint8_t bytes[96];
	const char *rows;
} tables[] = {
	{ "push, a frame, and back", { CIE, FDE(13, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x7c,
					       0x0c, 7, 8, 0), END },
	  "1000 r7+8 ra-8 fp=\n1001 r7+16 ra-8 fp-16\n1004 r6+16 ra-8 fp-16\n"
	  "1040 ?\n" },
	{ "remembered", { CIE, FDE(8, 0x41, 0x0e, 32, 0x0a, 0x42, 0x0e, 8, 0x42), END },
	  "1000 r7+8 ra-8 fp=\n1001 r7+32 ra-8 fp=\n1003 r7+8 ra-8 fp=\n1040 ?\n" },
	{ "the first function", { CIE, FDE(3, 0x07, 16, 0), END }, "1000 end\n1040 ?\n" },
	{ "the entry of a linkage table",
	  { CIE, FDE(15, 0x46, 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22,
		     0), END },
	  "1000 r7+8 ra-8 fp=\n1006 plt 11\n1040 ?\n" },
	{ "a stack that was aligned",
	  { CIE, FDE(10, 0x45, 0x0f, 3, 0x76, 0x78, 6, 0x10, 6, 2, 0x76, 0), END },
	  "1000 r7+8 ra-8 fp=\n1005 ?\n" },
	{ "the CFA in memory", { CIE, FDE(6, 0x45, 0x0f, 3, 0x76, 0x78, 6), END },
	  "1000 r7+8 ra-8 fp=\n1005 *r6-8 ra-8 fp=\n1040 ?\n" },
	{ "an instruction that is not known", { CIE, FDE(3, 0x44, 0x3e, 0), END },
	  "1000 r7+8 ra-8 fp=\n1004 ?\n" },
	/* The return address is in r0; then only the CFA is known again; then both. */
	{ "what is lost stays so until there is a rule for it",
	  { CIE, FDE(12, 0x41, 0x09, 16, 0, 0x41, 0x0e, 16, 0x41, 0x90, 1, 0x41, 0), END },
	  "1000 r7+8 ra-8 fp=\n1001 ?\n1003 r7+16 ra-8 fp=\n1040 ?\n" },
	{ "restored: what the first rules say",
	  { CIE, FDE(9, 0x41, 0x09, 6, 0, 0x41, 0xc6, 0x41, 0x90, 1), END },
	  "1000 r7+8 ra-8 fp=\n1001 ?\n1002 r7+8 ra-8 fp=\n1040 ?\n" },
	{ "a caller again", { CIE, FDE(8, 0x41, 0x07, 16, 0x41, 0xd0, 0, 0, 0), END },
	  "1000 r7+8 ra-8 fp=\n1001 end\n1002 r7+8 ra-8 fp=\n1040 ?\n" },
	{ "a length beyond the end", { CIE, 0x60, 0, 0, 0, 28, 0, 0, 0 }, "" },
};

static int64_t same_position(const void *arg, uint64_t address)
{
	(void)arg;
	return (int64_t)address;
}

static struct cfi_source source_of(const uint8_t *bytes, size_t size)
{
	return (struct cfi_source){ .bytes = bytes, .size = size, .address = 0, .word = 8,
				    .fp = 6, .sp = 7, .position = same_position };
}

static void write_row(char *text, size_t size, const struct unwind_row *row)
{
	size_t at = strlen(text);

	at += (size_t)snprintf(text + at, size - at, "%x ", row->at);
	if (row->kind == UNWIND_UNKNOWN || row->kind == UNWIND_END) {
		snprintf(text + at, size - at, "%s\n", row->kind == UNWIND_END ? "end" : "?");
		return;
	}
	if (row->kind == UNWIND_PLT) {
		snprintf(text + at, size - at, "plt %u\n", row->limit);
		return;
	}
	at += (size_t)snprintf(text + at, size - at, "%sr%u%+d ra%+d fp",
			       row->kind == UNWIND_DEREF ? "*" : "", row->reg, row->cfa, row->ra);
	if (row->fp_saved == UNWIND_SAME)
		at += (size_t)snprintf(text + at, size - at, "=");
	else
		at += (size_t)snprintf(text + at, size - at, "%+d", row->fp);
	if (row->other)
		at += (size_t)snprintf(text + at, size - at, " other%+d", row->other);
	snprintf(text + at, size - at, "\n");
}

START_TEST(table)
{
	const struct cfi_source s = source_of(tables[_i].bytes, sizeof(tables[_i].bytes));
	struct unwind_maker m = { };
	struct error err = { };
	char text[1024] = "";

	cfi_rows(&s, &m, &err);
	unwind_sort(&m);
	for (uint32_t i = 0; i < m.n; i++)
		write_row(text, sizeof(text), &m.rows[i]);
	ck_assert_msg(!strcmp(text, tables[_i].rows), "%s:\n%s", tables[_i].what, text);
	unwind_maker_free(&m);
}
END_TEST

/* Of two callers the one that is none: by the CFA, and where the caller was saved. */
static const struct {
	struct unwind_row row;
	unsigned int none;
	bool in_memory;
} callers[] = {
	{ { .kind = UNWIND_REGISTER, .reg = 1 }, 0 },				/* no frame */
	{ { .kind = UNWIND_REGISTER, .reg = 1, .ra_saved = UNWIND_AT_CFA, .ra = 16 }, 0, true },
	{ { .kind = UNWIND_REGISTER, .reg = 1, .cfa = 64, .ra_saved = UNWIND_AT_CFA, .ra = 16 },
	  1 },
	{ { .kind = UNWIND_REGISTER, .reg = 31, .cfa = 64, .ra_saved = UNWIND_AT_CFA, .ra = 16 },
	  1 },
	{ { .kind = UNWIND_REGISTER, .reg = 31, .cfa = 64 }, 2 },
	{ { .kind = UNWIND_REGISTER, .reg = 1, .cfa = 64, .signal = true }, 0 },
	{ { .kind = UNWIND_UNKNOWN, .cfa = 64 }, 0 },
	{ { .kind = UNWIND_END }, 0 },
};

START_TEST(no_caller)
{
	const struct arch *arch = arch_by_name("ppc64le");
	const struct unwind_row *row = &callers[_i].row;

	ck_assert_uint_eq(unwind_no_caller(arch, row), callers[_i].none);
	ck_assert_uint_eq(unwind_no_caller(arch, NULL), 0);
	ck_assert_int_eq(unwind_caller_in_memory(arch, row), callers[_i].in_memory);
	ck_assert(!unwind_caller_in_memory(arch, NULL));
}
END_TEST

/* Whether a function has its caller on top of its stack, or in the link register. */
static const struct {
	const char *machine;
	struct unwind_row row;
	bool on_top;
	uint64_t ip;
} tops[] = {
	{ "x86_64", { .kind = UNWIND_REGISTER, .reg = 7, .cfa = 8,
	    .ra_saved = UNWIND_AT_CFA, .ra = -8 },
	  true },
	{ "x86_64", { .kind = UNWIND_REGISTER, .reg = 7, .cfa = 16, .ra_saved = UNWIND_AT_CFA,
		      .ra = -8 } },
	{ "x86_64", { .kind = UNWIND_REGISTER, .reg = 6, .cfa = 8,
	    .ra_saved = UNWIND_AT_CFA, .ra = -8 } },
	{ "x86_64", { .kind = UNWIND_REGISTER, .reg = 7, .cfa = 8,
	    .ra_saved = UNWIND_AT_SP, .ra = -8 } },
	{ "x86_64", { .kind = UNWIND_REGISTER, .reg = 7, .cfa = 8,
	    .ra_saved = UNWIND_AT_CFA, .ra = -8,
	    .signal = true } },
	{ "x86_64", { .kind = UNWIND_DEREF, .reg = 7, .cfa = 8,
	    .ra_saved = UNWIND_AT_CFA, .ra = -8 } },
	{ "x86_64", { .kind = UNWIND_PLT, .reg = 7, .cfa = 8, .ra_saved = UNWIND_AT_CFA, .ra = -8,
	    .limit = 11 }, true, 0x1006 },
	{ "x86_64", { .kind = UNWIND_PLT, .reg = 7, .cfa = 8, .ra_saved = UNWIND_AT_CFA, .ra = -8,
	    .limit = 11 }, false, 0x100b },
	{ "x86_64", { .kind = UNWIND_END } },
	{ "i686", { .kind = UNWIND_REGISTER, .reg = 4, .cfa = 4,
	    .ra_saved = UNWIND_AT_CFA, .ra = -4 },
	  true },
	{ "i686", { .kind = UNWIND_REGISTER, .reg = 4, .cfa = 8,
	    .ra_saved = UNWIND_AT_CFA, .ra = -4 } },
	{ "aarch64", { .kind = UNWIND_REGISTER, .reg = 31 }, true },
	{ "aarch64", { .kind = UNWIND_REGISTER, .reg = 31, .cfa = 32 }, true },
	{ "aarch64", { .kind = UNWIND_REGISTER, .reg = 31, .cfa = 32, .ra_saved = UNWIND_AT_CFA,
	    .ra = -24 } },
	{ "aarch64", { .kind = UNWIND_REGISTER, .reg = 29, .cfa = 32 } },
};

START_TEST(on_top)
{
	const struct arch *arch = arch_by_name(tops[_i].machine);

	ck_assert_int_eq(unwind_caller_on_top(arch, &tops[_i].row, tops[_i].ip), tops[_i].on_top);
	ck_assert(!unwind_caller_on_top(arch, NULL, 0));
}
END_TEST

/* Whatever the bytes are: nothing behind them is read, and it ends. */
START_TEST(noise)
{
	uint64_t state = 1;

	for (unsigned int n = 0; n < 20000; n++) {
		const unsigned int which = n % (sizeof(tables) / sizeof(tables[0]));
		size_t size = n < 100 ? n % 97 : sizeof(tables[0].bytes);
		uint8_t *bytes = malloc(size + !size);
		const struct cfi_source s = source_of(bytes, size);
		struct unwind_maker m = { };
		struct error err = { };

		memcpy(bytes, tables[which].bytes, size);
		for (unsigned int i = 0; i < n % 7 && size; i++) {
			state = state * 6364136223846793005ULL + 1442695040888963407ULL;
			bytes[(state >> 40) % size] = (uint8_t)(state >> 32);
		}
		cfi_rows(&s, &m, &err);
		unwind_sort(&m);
		for (uint32_t i = 1; i < m.n; i++)
			ck_assert(m.rows[i].at > m.rows[i - 1].at);
		unwind_maker_free(&m);
		free(bytes);
	}
}
END_TEST

/* ---- tables of 32-bit ARM ---- */

#define LE(W)		(W) & 0xff, (W) >> 8 & 0xff, (W) >> 16 & 0xff, (W) >> 24 & 0xff
#define INDEX		0x8000u		/* where the index is, and the table */
#define TABLE		0x9000u
#define PREL(TO, FROM)	(((TO) - (FROM)) & 0x7fffffff)
/* Entry N of the index: a function, and its program, or where that is in the table. */
#define HERE(N, AT, WORD)	LE(PREL(AT, INDEX + 8 * (N))), LE(WORD)
#define THERE(N, AT, OFF)	HERE(N, AT, PREL(TABLE + (OFF), INDEX + 8 * (N) + 4))

static const struct {
	const char *what;
	uint8_t index[24], table[24];
	unsigned int n_index, n_table;
	const char *rows;
} arm_tables[] = {
	{ "push {r4, lr}; the next one calls nobody",
	  { HERE(0, 0x1000, 0x80a8b0b0), HERE(1, 0x1020, 1) }, { 0 }, 16, 0,
	  "1000 r13+8 ra-4 fp=\n1020 ?\n" },
	{ "where the program begins",
	  { HERE(0, 0x100, 1), HERE(1, 0x140, 0x8002a9b0) }, { 0 }, 16, 0,
	  "100 end\n140 r13+24 ra-4 fp=\n" },
	{ "push {r4-r7, lr}, room for 8: a leaf without either",
	  { HERE(0, 0x1000, 0x8001abb0), HERE(1, 0x1100, 0x80b0b0b0) }, { 0 }, 16, 0,
	  "1000 r13+28 ra-4 fp-8\n1100 r13+0 ra+0 fp=\n" },
	{ "push {r7, lr}, mov r7, sp", { HERE(0, 0x1001, 0x80978408), }, { 0 }, 8, 0,
	  "1000 r7+8 ra-4 fp-8\n" },
	{ "push {r11, lr}", { HERE(0, 0x1000, 0x808480b0) }, { 0 }, 8, 0,
	  "1000 r13+8 ra-4 fp= other-8\n" },
	{ "a program in the table: push {r0-r3}, {r4, pc}, 0x408 bytes, d8 and d9",
	  { THERE(0, 0x1000, 4) },
	  { LE(0), LE(0x8102d1b2), LE(0x81018801), LE(0xb10fb0b0) }, 8, 16,
	  "1000 r13+1072 ra-20 fp=\n" },
	{ "a function of GNU's that reads it", { THERE(0, 0x1000, 0) },
	  { LE(0x7fff0000), LE(0x00a8b0b0) }, 8, 8, "1000 r13+8 ra-4 fp=\n" },
	{ "it refuses; other registers; a stack pointer that was saved",
	  { HERE(0, 0x1000, 0x808000b0), HERE(1, 0x2000, 0x80c0b0b0), HERE(2, 0x3000, 0x808200b0) },
	  { 0 }, 24, 0, "1000 ?\n" },
	{ "beyond the table",
	  { THERE(0, 0x1000, 8), THERE(1, 0x2000, 2) }, { LE(0), LE(0x81ff0000) }, 16, 8,
	  "1000 ?\n" },
	{ "more words than there are", { THERE(0, 0x1000, 0) }, { LE(0x81ff0000), LE(0) }, 8, 8,
	  "1000 ?\n" },
};

START_TEST(arm_table)
{
	const struct exidx_source s = {
		.index = { arm_tables[_i].index, arm_tables[_i].n_index, INDEX },
		.table = { arm_tables[_i].table, arm_tables[_i].n_table, TABLE },
		.entry = 0x101, .position = same_position,
	};
	struct unwind_maker m = { };
	struct error err = { };
	char text[1024] = "";

	ck_assert(!exidx_rows(&s, &m, &err));
	unwind_sort(&m);
	for (uint32_t i = 0; i < m.n; i++)
		write_row(text, sizeof(text), &m.rows[i]);
	ck_assert_msg(!strcmp(text, arm_tables[_i].rows), "%s:\n%s", arm_tables[_i].what, text);
	unwind_maker_free(&m);
}
END_TEST

/* ---- walks ---- */

#define NO_CODE 0x100000

/* A function every 0x1000; the last is the first that was called. */
static const struct unwind_row functions[] = {
	{ .at = 0x1000, .kind = UNWIND_REGISTER, .reg = 7, .cfa = 8, .ra_saved = UNWIND_AT_CFA,
	  .ra = -8 },
	{ .at = 0x2000, .kind = UNWIND_REGISTER, .reg = 6, .cfa = 16, .ra_saved = UNWIND_AT_CFA,
	  .ra = -8, .fp_saved = UNWIND_AT_CFA, .fp = -16 },
	{ .at = 0x3000, .kind = UNWIND_END },
	{ .at = 0x4000 },
	/* it keeps where it goes on in the link register, then in memory */
	{ .at = 0x5000, .kind = UNWIND_REGISTER, .reg = 31 },
	{ .at = 0x6000, .kind = UNWIND_REGISTER, .reg = 31, .cfa = 16, .ra_saved = UNWIND_AT_CFA,
	  .ra = -8, .fp_saved = UNWIND_AT_CFA, .fp = -16 },
	/* of words of 4 bytes */
	{ .at = 0x7000, .kind = UNWIND_REGISTER, .reg = 13, .cfa = 8, .ra_saved = UNWIND_AT_CFA,
	  .ra = -4, .other = -8 },
	{ .at = 0x8000, .kind = UNWIND_REGISTER, .reg = 11, .cfa = 8, .ra_saved = UNWIND_AT_CFA,
	  .ra = -4 },
	{ .at = 0x9000, .kind = UNWIND_REGISTER, .reg = 4, .cfa = 8, .ra_saved = UNWIND_AT_CFA,
	  .ra = -4, .fp_saved = UNWIND_AT_CFA, .fp = -8 },
	{ .at = 0xa000, .kind = UNWIND_REGISTER, .reg = 13 },
	{ .at = 0xb000 },
};
static const struct unwind_rows rows = {
	(struct unwind_row *)functions, sizeof(functions) / sizeof(functions[0]),
};

static const struct unwind_row *find(void *arg, uint64_t address)
{
	(void)arg;
	return address >= NO_CODE - 1 ? &unwind_no_code : unwind_rows_find(&rows, address);
}

#define SP 0x7000
#define A (1ULL << 63 | 0x2abcULL << 48)	/* what signs an address */

#define TWO(FIRST, SECOND) ((uint64_t)(SECOND) << 32 | (FIRST))

static const struct {
	const char *machine;
	uint64_t ip, fp, link, stack[6];
	unsigned int size;
	const char *found;
} walks[] = {
	{ "x86_64", 0x1010, SP + 16, 0, { 0x2020, 0, 0x9000, 0x3030 }, 48, "1010 2020 3030" },
	/* The address behind a call may be the next function's. */
	{ "x86_64", 0x1010, SP + 16, 0, { 0x3000, 0, 0x9000, 0x4000 }, 48, "1010 3000 4000" },
	/* Without a table: an end, a frame, and what can't be one. */
	{ "x86_64", 0x1010, 0, 0, { 0x4020 }, 48, "1010 4020" },
	{ "x86_64", 0x800, 0, 0, { 0 }, 48, "800" },
	{ "x86_64", 0x4010, SP + 8, 0, { 0x9000, SP + 24, 0x4020, 0, 0x1030 }, 40,
	  "4010 4020 1030 [cut: stack dump]" },
	{ "x86_64", 0x4010, SP + 8, 0, { 0, 0, 0x2020 }, 48, "4010 2020 [cut: broken stack]" },
	{ "aarch64", 0x4010, SP + 8, 0, { 0, 0, A | 0x4020 }, 48, "4010 4020" },
	{ "i686", 0x4010, SP + 8, 0, { 0, TWO(0, 0x4020) }, 48, "4010 4020" },
	{ "x86_64", 0x4010, SP + 8, 0, { 0, SP, 0x4020 }, 48, "4010 [cut: no unwind table]" },
	{ "x86_64", 0x4010, SP + 8, 0, { 0, 0, NO_CODE }, 48, "4010 [cut: no unwind table]" },
	{ "x86_64", 0x4010, SP + 48, 0, { 0 }, 48, "4010 [cut: no unwind table]" },
	{ "x86_64", 0x4010, SP - 8, 0, { 0 }, 48, "4010 [cut: no unwind table]" },
	{ "x86_64", 0x4010, SP + 9, 0, { 0 }, 48, "4010 [cut: no unwind table]" },
	{ "x86_64", 0x2010, SP + 40, 0, { 0 }, 48, "2010 [cut: stack dump]" },
	{ "x86_64", 0x2010, SP - 64, 0, { 0 }, 48, "2010 [cut: broken stack]" },
	{ "x86_64", 0x1010, 0, 0, { 0 }, 4, "1010 [cut: stack dump]" },
	{ "x86_64", 0x1010, 0, 0, { 0 }, 48, "1010" },
	/* A frame that lies below the one before. */
	{ "x86_64", 0x2010, SP + 16, 0, { 0, 0, SP, 0x2020 }, 48,
	  "2010 2020 [cut: broken stack]" },
	{ "aarch64", 0x5010, 0, A | 0x6020, { 0, A | 0x3030 }, 48, "5010 6020 3030" },
	/* Only the newest function may have its way back in a register. */
	{ "aarch64", 0x6010, 0, 0, { 0, 0x5020 }, 48, "6010 5020 [cut: no unwind table]" },
	{ "aarch64", 0x6010, 0, 0, { 0, 0x4020 }, 48, "6010 4020" },
	{ "i686", 0x9010, 0, 0, { TWO(SP + 16, 0x9020), TWO(0, 0x3030) }, 48,
	  "9010 9020 3030" },
	/* A leaf, code that is Thumb, and the other frame pointer. */
	{ "armv7l", 0xa010, 0, 0x7021, { TWO(SP + 8, 0x8021), TWO(0, 0x3031) }, 48,
	  "a010 7020 8020 3030" },
	/* What is no code is no caller. */
	{ "armv7l", 0x7010, 0, 0, { TWO(0, 0xb011) }, 48, "7010 [cut: broken stack]" },
	{ "armv7l", 0x7010, 0, 0, { TWO(0, 0xa011) }, 48, "7010 a010 [cut: no unwind table]" },
};

START_TEST(walk)
{
	const struct arch *arch = arch_by_name(walks[_i].machine);
	const struct arch_unwind *m = &arch->unwind;
	struct unwind_state from = {
		.ip = walks[_i].ip, .known = ~0ULL,
		.stack = (const uint8_t *)walks[_i].stack, .size = walks[_i].size,
	};
	uint64_t addresses[16];
	char text[256] = "";
	unsigned int n;

	from.registers[m->sp] = SP;
	from.registers[m->fp] = walks[_i].fp;
	if (m->link >= 0)
		from.registers[m->link] = walks[_i].link;
	n = unwind_walk(arch, &from, find, NULL, addresses, 16);
	for (unsigned int i = 0; i < n; i++) {
		const char *mark = stack_mark_text(addresses[i]);
		size_t at = strlen(text);

		if (mark)
			snprintf(text + at, sizeof(text) - at, " %s", mark);
		else
			snprintf(text + at, sizeof(text) - at, "%s%llx", i ? " " : "",
				 (unsigned long long)addresses[i]);
	}
	ck_assert_str_eq(text, walks[_i].found);
	ck_assert_uint_eq(unwind_walk(arch, &from, find, NULL, addresses, 1), 1);
}
END_TEST

#if defined(__x86_64__) || defined(__aarch64__)

/* ---- sonde's own stack ---- */

struct own {
	struct symbols *symbols;
	uint64_t callers[3];
	uint64_t addresses[STACK_DEPTH];
	unsigned int n;
};

static const struct unwind_row *find_own(void *arg, uint64_t address)
{
	const struct own *o = arg;

	return symbols_unwind(o->symbols, (uint32_t)getpid(), SYMBOLS_NOW, address);
}

static void read_registers(const ucontext_t *u, struct unwind_state *s)
{
#ifdef __x86_64__
	s->registers[6] = (uint64_t)u->uc_mcontext.gregs[REG_RBP];
	s->registers[7] = (uint64_t)u->uc_mcontext.gregs[REG_RSP];
	s->ip = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
#else
	memcpy(s->registers, u->uc_mcontext.regs, 31 * sizeof(*s->registers));
	s->registers[31] = u->uc_mcontext.sp;
	s->ip = u->uc_mcontext.pc;
#endif
}

/* The Makefile has tables made of this file. */
#define CALLED __attribute__((noinline, noclone, optimize("omit-frame-pointer")))
#define CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))

/* All of the stack lies below the environment. */
static CALLED void leaf(struct own *o)
{
	struct unwind_state s = { .known = ~0ULL };
	const struct arch *arch = arch_own();
	const uint8_t sp = arch->unwind.sp;
	ucontext_t here;

	o->callers[0] = CALLER;
	ck_assert(!getcontext(&here));
	read_registers(&here, &s);
	s.stack = (const uint8_t *)(uintptr_t)s.registers[sp];
	s.size = (uint64_t)(uintptr_t)environ - s.registers[sp];
	s.size = s.size < 1 << 20 ? s.size : 1 << 20;
	o->n = unwind_walk(arch, &s, find_own, o, o->addresses, STACK_DEPTH);
}

static CALLED void larger(struct own *o)
{
	volatile char room[777];

	room[0] = 0;
	o->callers[1] = CALLER;
	leaf(o);
	room[1] = room[0];
}

static CALLED void outer(struct own *o)
{
	volatile unsigned int size = 32;
	volatile char *room = __builtin_alloca(size);	/* it needs a frame pointer */

	room[0] = 0;
	o->callers[2] = CALLER;
	larger(o);
	room[1] = room[0];
}

START_TEST(own_stack)
{
	const struct symbols_setup setup = { };
	const uint32_t pid = (uint32_t)getpid();
	struct own o = { .symbols = symbols_new(&setup) };

	symbols_seed(o.symbols, &pid, 1, monotonic_ns());
	outer(&o);
	ck_assert_uint_gt(o.n, 3);
	for (unsigned int i = 0; i < 3; i++)
		ck_assert_msg(o.addresses[i + 1] == o.callers[i], "caller %u: %llx, not %llx", i,
			      (unsigned long long)o.addresses[i + 1],
			      (unsigned long long)o.callers[i]);
	symbols_free(o.symbols);
}
END_TEST

#define OWN 1
#else
#define OWN 0
START_TEST(own_stack)
{
}
END_TEST
#endif

/* ---- perf's records ---- */

static unsigned int walk_copy(void *arg, const struct user_copy *copy, uint64_t *addresses,
			      unsigned int most)
{
	uint64_t registers[2];

	(void)arg;
	ck_assert_uint_ge(most, 2);
	memcpy(registers, copy->registers, sizeof(registers));
	addresses[0] = registers[1];
	addresses[1] = copy->size;
	return copy->narrow ? 0 : 2;
}


#define K ((uint64_t)PERF_CONTEXT_KERNEL)
#define U ((uint64_t)PERF_CONTEXT_USER)
#define ABI PERF_SAMPLE_REGS_ABI_64

static const struct {
	const char *what;
	uint64_t addresses[6], n, copies[10], n_copies;
	uint64_t wanted[8], n_wanted;
	bool between;
} samples[] = {
	{ "both stacks", { K, 0xa, U, 1 }, 4, { ABI, 5, 6, 16, 0, 0, 8 }, 7,
	  { K, 0xa, U, 6, 8 }, 5 },
	{ "the kernel found none", { K, 0xa }, 2, { ABI, 5, 6, 16, 0, 0, 16 }, 7,
	  { K, 0xa, U, 6, 16 }, 5 },
	{ "more used than there is", { U, 1 }, 2, { ABI, 5, 6, 8, 0, 99 }, 6, { U, 6, 8 }, 3 },
	{ "a thread of the kernel", { K, 0xa }, 2, { PERF_SAMPLE_REGS_ABI_NONE, 0 }, 2, { 0 }, 0 },
	{ "a 32-bit program", { U, 1 }, 2, { PERF_SAMPLE_REGS_ABI_32, 5, 6, 8, 0, 8 }, 6,
	  { 0 }, 0 },
	{ "no memory", { U, 1 }, 2, { ABI, 5, 6, 0 }, 4, { 0 }, 0 },
	{ "cut in the registers", { U, 1 }, 2, { ABI, 5 }, 2, { 0 }, 0 },
	{ "cut in the memory", { U, 1 }, 2, { ABI, 5, 6, 16, 0 }, 5, { 0 }, 0 },
	{ "without the last number", { U, 1 }, 2, { ABI, 5, 6, 16, 0, 0 }, 6, { 0 }, 0 },
	{ "none", { U, 1 }, 2, { 0 }, 0, { 0 }, 0 },
	{ "between", { K, 0xa, U, 1, 2 }, 5, { ABI, 5, 6, 16, 0, 0, 8 }, 7,
	  { K, 0xa, U, 1, 6, 8, 2 }, 7, true },
	{ "the kernel found one", { U, 1 }, 2, { ABI, 5, 6, 16, 0, 0, 8 }, 7, { U, 1, 6, 8 }, 4,
	  true },
	{ "the kernel put the caller", { U, 1, 8, 2 }, 4, { ABI, 5, 6, 16, 0, 0, 8 }, 7, { 0 }, 0,
	  true },
	{ "no place", { K, 0xa, U }, 3, { ABI, 5, 6, 16, 0, 0, 8 }, 7, { 0 }, 0, true },
	{ "no stack of user space", { K, 0xa }, 2, { ABI, 5, 6, 16, 0, 0, 8 }, 7, { 0 }, 0, true },
};

START_TEST(sample)
{
	const size_t n_copies = 8 * samples[_i].n_copies, n = 8 * samples[_i].n_wanted;
	const uint8_t raw[] = { 1, 2, 3, 4 };
	const struct unwinder unwinder = {
		.registers = 0x101, .stack = 64, .walk = walk_copy, .between = samples[_i].between,
	};
	uint8_t *copies = malloc(n_copies + !n_copies);
	struct perf_stacked from = {
		.n = samples[_i].n, .addresses = (const uint8_t *)samples[_i].addresses,
		.raw = raw, .size = sizeof(raw), .copies = copies, .end = copies + n_copies,
	};
	struct perf_unwound to = { };
	uint32_t size, length;
	uint64_t found;

	memcpy(copies, samples[_i].copies, n_copies);
	size = perf_unwind(&unwinder, &from, 7, 1, &to);
	ck_assert_msg(size == (n ? 8 + n + 4 + sizeof(raw) : 0), "%s: %u", samples[_i].what, size);
	if (size) {
		memcpy(&found, to.bytes, sizeof(found));
		ck_assert_uint_eq(found, samples[_i].n_wanted);
		ck_assert_msg(!memcmp(to.bytes + 8, samples[_i].wanted, n), "%s", samples[_i].what);
		memcpy(&length, to.bytes + 8 + n, sizeof(length));
		ck_assert_uint_eq(length, sizeof(raw));
		ck_assert(!memcmp(to.bytes + 8 + n + 4, raw, sizeof(raw)));
	}
	free(to.bytes);
	free(copies);
}
END_TEST

Suite *suite_unwind(void)
{
	Suite *s = suite_create("unwind");

	add_tests(s, "table", table, sizeof(tables) / sizeof(tables[0]));
	add_tests(s, "tables of ARM", arm_table, sizeof(arm_tables) / sizeof(arm_tables[0]));
	add_tests(s, "no caller", no_caller, sizeof(callers) / sizeof(callers[0]));
	add_tests(s, "on top", on_top, sizeof(tops) / sizeof(tops[0]));
	add_tests(s, "noise", noise, 1);
	add_tests(s, "walk", walk, sizeof(walks) / sizeof(walks[0]));
	add_tests(s, "own stack", own_stack, OWN);
	add_tests(s, "sample", sample, sizeof(samples) / sizeof(samples[0]));
	return s;
}
