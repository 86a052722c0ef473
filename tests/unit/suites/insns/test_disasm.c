// SPDX-License-Identifier: GPL-2.0
#include "insns/lower/disasm.h"

#include <stdlib.h>
#include <string.h>

#include "insns/lower/notes.h"
#include "tests/unit/helpers/plain.h"
#include "tests/unit/unit.h"

static const struct {
	struct insn insn[2];
	const char *text;
} rows[] = {
	{ { BPF_MOV64_REG(R2, R10) }, "r2 = r10" },
	{ { BPF_ALU64_IMM(BPF_ADD, R2, -8) }, "r2 += -8" },
	{ { BPF_ALU32_REG(BPF_SUB, R1, R2) }, "w1 -= w2" },
	{ { BPF_ALU32_IMM(BPF_MUL, R1, 3) }, "w1 *= 3" },
	{ { BPF_ALU64_IMM(BPF_DIV, R8, 1000) }, "r8 /= 1000" },
	{ { BPF_ALU64_IMM(BPF_MOD, R8, 10) }, "r8 %= 10" },
	{ { BPF_ALU64_REG(BPF_OR, R8, R9) }, "r8 |= r9" },
	{ { BPF_ALU64_IMM(BPF_AND, R0, 65535) }, "r0 &= 65535" },
	{ { BPF_ALU64_REG(BPF_XOR, R0, R1) }, "r0 ^= r1" },
	{ { BPF_ALU64_IMM(BPF_LSH, R0, 32) }, "r0 <<= 32" },
	{ { BPF_ALU64_IMM(BPF_RSH, R0, 32) }, "r0 >>= 32" },
	{ { BPF_ALU64_IMM(BPF_ARSH, R0, 32) }, "r0 s>>= 32" },
	{ { RAW(BPF_ALU64 | BPF_NEG, R3, 0, 0, 0) }, "r3 = -r3" },
	{ { RAW(BPF_ALU | BPF_NEG, R3, 0, 0, 0) }, "w3 = -w3" },
	{ { BPF_ENDIAN(BPF_TO_BE, R7, 16) }, "r7 = be16 r7" },
	{ { BPF_ENDIAN(BPF_TO_LE, R7, 64) }, "r7 = le64 r7" },
	{ { BPF_LDX_MEM(BPF_DW, R1, R10, -8) }, "r1 = *(u64 *)(r10 -8)" },
	{ { BPF_LDX_MEM(BPF_B, R1, R6, 24) }, "r1 = *(u8 *)(r6 +24)" },
	{ { BPF_STX_MEM(BPF_W, R10, R1, -4) }, "*(u32 *)(r10 -4) = r1" },
	{ { BPF_ST_MEM(BPF_H, R10, -4, -1) }, "*(u16 *)(r10 -4) = -1" },
	{ { BPF_STX_XADD(BPF_DW, R0, R1, 0) }, "lock *(u64 *)(r0 +0) += r1" },
	{ { BPF_STX_CMPXCHG(BPF_DW, R6, R1, 8) }, "r0 = cmpxchg(*(u64 *)(r6 +8), r0, r1)" },
	{ { RAW(BPF_LD | BPF_ABS | BPF_H, R6, 0, 0, 8) }, "r6 = *(u16 *)record[8]" },
	{ { RAW(BPF_LD | BPF_ABS | BPF_W, R6, 1, 0, 8) }, "r6 = *(s32 *)record[8]" },
	{ { RAW(BPF_LD | BPF_IMM | BPF_DW, R1, 0, 0, -1), RAW(0, 0, 0, 0, 1) },
	  "r1 = 0x1ffffffff" },
	{ { RAW(BPF_LD | BPF_IMM | BPF_DW, R1, BPF_PSEUDO_MAP_FD, 0, 2) }, "r1 = map[2]" },
	{ { RAW(BPF_LD | BPF_IMM | BPF_DW, R1, BPF_OF_MAP_VALUE, 0, 2) }, "r1 = map[2][0]+0" },
	{ { RAW(BPF_JMP | BPF_JA, 0, 0, 3, 0) }, "goto pc+3" },
	{ { RAW(BPF_JMP | BPF_JEQ | BPF_K, R0, 0, 5, 0) }, "if r0 == 0x0 goto pc+5" },
	{ { RAW(BPF_JMP | BPF_JNE | BPF_X, R0, R1, 5, 0) }, "if r0 != r1 goto pc+5" },
	{ { RAW(BPF_JMP | BPF_JSGT | BPF_K, R0, 0, -5, -1) }, "if r0 s> 0xffffffff goto pc-5" },
	{ { RAW(BPF_JMP | BPF_JSET | BPF_K, R0, 0, 5, 16) }, "if r0 & 0x10 goto pc+5" },
	{ { RAW(BPF_JMP | BPF_JLE | BPF_K, R0, 0, 5, 16) }, "if r0 <= 0x10 goto pc+5" },
	{ { CALL(map_lookup_elem) }, "call map_lookup_elem" },
	{ { RAW(BPF_JMP | BPF_CALL, 0, 0, 0, RING_READ_STRING) }, "call read_string" },
	{ { RAW(BPF_JMP | BPF_CALL, 0, 0, 0, 777) }, "call 777" },
	{ { BPF_EXIT_INSN() }, "exit" },
	{ { RAW(0xff, 0, 0, 0, 0) }, "unknown instruction ff" },
	{ { RAW(BPF_JMP32 | BPF_JSLE, 0, 0, 0, 0) }, "unknown instruction d6" },
	{ { RAW(RING_STACK_ADDRESS, R1, 0, -8, 0) }, "r1 = r10 -8" },
	{ { RAW(RING_LOOKUP, 0, 0, -8, 2) }, "r0 = &map[2][*(r10 -8)]" },
	{ { RAW(RING_UPDATE, BPF_ANY, 0, -8, RING_UPDATE_IMM(2, -16)) },
	  "r0 = map[2][*(r10 -8)] = *(r10 -16)" },
	{ { RAW(RING_UPDATE, BPF_NOEXIST, 0, -8, RING_UPDATE_IMM(2, -16)) },
	  "r0 = map[2][*(r10 -8)] = *(r10 -16) if new" },
	{ { RAW(RING_DELETE, 0, 0, -8, 2) }, "r0 = delete map[2][*(r10 -8)]" },
	{ { RAW(RING_ADD, 0, 0, -8, 2) }, "map[2][*(r10 -8)]++" },
	{ { RAW(RING_ADD, 0, R6, -8, 2) }, "map[2][*(r10 -8)] += r6" },
	{ { RAW(RING_COPY, R10, R0, -16, COPY_IMM(8, 12)) }, "copy r10 -16, r0 +8, 12 bytes" },
	{ { RAW(RING_ZERO, 0, 0, -16, 12) }, "zero r10 -16, 12 bytes" },
	{ { RAW(RING_LOG2, R7, R6, 0, 0) }, "r7 = log2 slot of r6" },
};

START_TEST(test_instructions)
{
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bpf_insn pair[2] = { rows[i].insn[0].bpf, rows[i].insn[1].bpf };
		char text[96];

		disasm(pair, text, sizeof(text));
		ck_assert_str_eq(text, rows[i].text);
	}
}
END_TEST

START_TEST(test_every_opcode)
{
	for (unsigned int code = 0; code < 256; code++) {
		struct bpf_insn pair[2] = {
			{ .code = (uint8_t)code, .dst_reg = 15, .src_reg = 15, .imm = -1 }
		};
		char text[96] = "";

		disasm(pair, text, sizeof(text));
		ck_assert_uint_gt(strlen(text), 3);
	}
}
END_TEST

/*
 * A program lowered by hand, from the source lines of a file for which there may or may not be
 * notes.
 */
static char *dump_text(const struct program *p, const struct map *maps)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_LD | BPF_IMM | BPF_DW,
		  .dst_reg = 1,
		  .src_reg = BPF_PSEUDO_MAP_FD,
		  .imm = 1 },
		{ .code = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	uint16_t source[] = { 0, 0, 1, 1 };
	struct lowered l = { .insns = insns, .source = source, .n = 4 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	dump(out, p, &l, maps);
	fclose(out);
	return text;
}

START_TEST(test_dump)
{
	static const struct map maps[] = { { .name = "first" }, { .name = "start" } };
	const struct insn source[] = { { .line = 10 }, { .line = 11 } };
	struct program p = { .insns = source, .n_insns = 2, .file = "no such file" };
	char *text = dump_text(&p, maps);

	ck_assert_str_eq(text,
			 "   0: (18) r1 = map[start]\n"
			 "   2: (b7) r0 = 1\n"
			 "   3: (95) exit\n");
	free(text);
}
END_TEST

/*
 * Memory and labels have the names of the source. Two instructions of one of the source have its
 * name once; a label that nothing jumps to is not shown.
 */
START_TEST(test_dump_names)
{
	static const struct insn source[] = {
		{ .line = 10, .name = "key.dev" },
		{ .line = 11, .name = "out", .symbol = SYM_JUMP },
		{ .line = 12, .name = "nowhere", .symbol = SYM_LABEL },
		{ .line = 12, .name = "tid", .symbol = SYM_FIELD },
		{ .line = 13, .name = "start", .symbol = SYM_LOOKUP },
		{ .line = 14, .name = "out", .symbol = SYM_LABEL },
		{ .line = 15 },
	};
	struct bpf_insn insns[] = {
		{ .code = BPF_STX | BPF_W | BPF_MEM, .dst_reg = 10, .src_reg = 6, .off = -8 },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 6, .off = 3 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_pid_tgid },
		{ .code = BPF_ALU | BPF_MOV | BPF_X, .dst_reg = 7 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	uint16_t from[] = { 0, 1, 3, 3, 4, 6 };
	const struct lowered l = { .insns = insns, .source = from, .n = 6 };
	const struct program p = { .insns = source, .n_insns = 7, .file = "no such file" };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	dump(out, &p, &l, NULL);
	fclose(out);
	ck_assert_str_eq(text,
			 "   0: (63) *(u32 *)(r10 -8) = r6              ; key.dev\n"
			 "   1: (15) if r6 == 0x0 goto pc+3             ; out\n"
			 "   2: (85) call get_current_pid_tgid          ; tid\n"
			 "   3: (bc) w7 = w0\n"
			 "   4: (b7) r0 = 1\n"
			 "out:\n"
			 "   5: (95) exit\n");
	free(text);
}
END_TEST

/* Notes come from the programs this binary was built with; with none there is nothing to find. */
START_TEST(test_notes)
{
	static const struct map maps[] = { { .name = "first" }, { .name = "start" } };

	ck_assert_ptr_null(source_note("insns/no such file.c", 10));
	ck_assert_ptr_null(source_note(NULL, 10));
	for (const struct note_file *f = note_files; f->file; f++) {
		const struct note *n = f->notes;
		const struct insn source[] = { { .line = (uint16_t)n->line },
					       { .line = (uint16_t)n->line } };
		struct program p = { .insns = source, .n_insns = 2, .file = f->file };
		char *text, expected[400];

		ck_assert_str_eq(source_note(f->file, n->line), n->text);
		ck_assert_ptr_null(source_note(f->file, 0));
		text = dump_text(&p, maps);
		snprintf(expected, sizeof(expected), "   0: (18) %-34s ; %s\n   2: (b7) r0 = 1\n",
			 "r1 = map[start]", n->text);
		ck_assert_msg(!strncmp(text, expected, strlen(expected)), "%s is not %s", text,
			      expected);
		free(text);
	}
}
END_TEST

static const char notes_source[] =
	"/* a comment outside */\n"				/* 1 */
	"int x[] = { 1 };	/* not instructions */\n"
	"static const struct insn on_open[] = {\n"
	"	FIELD(R6, \"a /* no comment */\"),	/* dev = \"a\\b\" */\n"
	"	BPF_EXIT_INSN(),\n"				/* 5 */
	"	/* a line of its own */\n"
	"	OUTPUT(\"events\",\n"
	"	       SIZE),	/* hand it over */\n"
	"	EXIT,		/* over\n"
	"			   two lines */\n"		/* 10 */
	"};\n"
	"int y;			/* outside again */\n";

/* What is printed has to be what source_note() finds: the table of the file above. */
static const char notes_expected[] =
	"	{ 4, \"dev = \\\"a\\\\b\\\"\" },\n"
	"	{ 7, \"hand it over\" },\n"
	"	{ 8, \"hand it over\" },\n"
	"	{ 9, \"over two lines\" },\n"
	"	{ 10, \"over two lines\" },\n"
	"	{ 0, 0 },\n";

START_TEST(test_notes_made)
{
	char path[] = "/tmp/sonde-notes-XXXXXX", command[128], text[2048];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w"), *made;
	size_t n;

	ck_assert_ptr_nonnull(file);
	fputs(notes_source, file);
	fclose(file);
	snprintf(command, sizeof(command), "awk -f insns/lower/notes.awk %s", path);
	made = popen(command, "r");
	ck_assert_ptr_nonnull(made);
	n = fread(text, 1, sizeof(text) - 1, made);
	text[n] = 0;
	ck_assert_int_eq(pclose(made), 0);
	remove(path);
	ck_assert_msg(strstr(text, notes_expected), "not in the table: %s", text);
	ck_assert_ptr_nonnull(strstr(text, path));
}
END_TEST

Suite *suite_disasm(void)
{
	const struct {
		const char *name;
		const TTest *test;
	} cases[] = {
		{ "instructions", test_instructions },
		{ "every_opcode", test_every_opcode },
		{ "dump", test_dump },
		{ "dump names", test_dump_names },
		{ "notes", test_notes },
		{ "notes_made", test_notes_made },
	};
	Suite *suite = suite_create("disasm");

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_add_test(tcase, cases[i].test);
		suite_add_tcase(suite, tcase);
	}
	return suite;
}
