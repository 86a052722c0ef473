// SPDX-License-Identifier: GPL-2.0
/*
 * What lowering makes of jumps, options and constants; what is wrong with a program, and what it
 * asks of its hook.
 */
#include "tests/unit/rows/lower_rows.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/helpers/plain.h"
#include "tests/unit/unit.h"

Suite *suite_lower(void);

static const struct lower_row rows[] = {
	/* Jumps that came with 4.14. */
	BPF("less than a number: round a goto", record,
	     P(FIELD(R6, "u64"), JLT(R6, 5, "x"), BPF_MOV64_IMM(R7, 1), LABEL("x"),
	       EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" "if r6 >= 0x5 goto pc+1\n" "goto pc+1\n" "r7 = 1\n" END),
	BPF("less than a register: both swapped", record,
	     P(FIELD(R6, "u64"), JSLE_REG(R6, R6, "x"), BPF_MOV64_IMM(R7, 1),
	       LABEL("x"), EXIT),
	     "r6 = *(u64 *)(r1 +24)\n" "if r6 s>= r6 goto pc+1\n" "r7 = 1\n" END),
	RING("less", record,
	     P(FIELD(R6, "u64"), JLE(R6, 5, "x"), JSLT_REG(R6, R6, "x"),
	       LABEL("x"), EXIT),
	     "r6 = *(u64 *)record[24]\n" "if r6 <= 0x5 goto pc+1\n" "if r6 s< r6 goto pc+0\n" END),

	/* Options, constants, and what JUMP_UNLESS leaves out. */
	BOTH("constants", record,
	     P(CONST(R1, "on"), CONST(R2, "mask"), CONST(R3, "negative"), CONST(R4, "hook:other"),
	       EXIT),
	     "r1 = 1\n" "r2 = 0x123456789\n" "r3 = -1\n" "r4 = 1\n" END),
	BOTH("JUMP_UNLESS an option that is off", record,
	     P(JUMP_UNLESS("off", "x"), BPF_MOV64_IMM(R6, 1), LABEL("x"), BPF_MOV64_IMM(R7, 2),
	       EXIT),
	     "r7 = 2\n" END),
	BOTH("JUMP_UNLESS one that is on", record,
	     P(JUMP_UNLESS("on", "x"), BPF_MOV64_IMM(R6, 1), LABEL("x"), BPF_MOV64_IMM(R7, 2),
	       EXIT),
	     "r6 = 1\n" "r7 = 2\n" END),
	BOTH("either this or that", record,
	     P(JUMP_UNLESS("on", "else"), BPF_MOV64_IMM(R6, 1), JUMP("x"), LABEL("else"),
	       BPF_MOV64_IMM(R6, 2), LABEL("x"), EXIT),
	     "r6 = 1\n" END),
	BOTH("either that or this", record,
	     P(JUMP_UNLESS("off", "else"), BPF_MOV64_IMM(R6, 1), JUMP("x"), LABEL("else"),
	       BPF_MOV64_IMM(R6, 2), LABEL("x"), EXIT),
	     "r6 = 2\n" END),
	BOTH("what only the left out jumps to goes as well", record,
	     P(JUMP_UNLESS("off", "x"), JEQ(R1, 0, "y"), JUMP("x"), LABEL("y"),
	       BPF_MOV64_IMM(R6, 1), LABEL("x"), EXIT),
	     END),
	BOTH("JUMP_UNLESS an input is there", record,
	     P(JUMP_UNLESS("input:u32", "x"), BPF_MOV64_IMM(R6, 1), LABEL("x"),
	       JUMP_UNLESS("input:nowhere", "y"), BPF_MOV64_IMM(R6, 2), LABEL("y"), EXIT),
	     "r6 = 1\n" END),
	BOTH("a jump goes to the nearest label below", record,
	     P(JEQ(R1, 1, ".x"), BPF_MOV64_IMM(R6, 1), LABEL(".x"),
	       JEQ(R1, 2, ".x"), BPF_MOV64_IMM(R6, 2), LABEL(".x"), EXIT),
	     "if r1 == 0x1 goto pc+1\n" "r6 = 1\n" "if r1 == 0x2 goto pc+1\n" "r6 = 2\n" END),
	BOTH("a jump to what follows is none", record,
	     P(JUMP("x"), LABEL("x"), EXIT),
	     END),
	BOTH("behind the end nothing is emitted", record,
	     P(EXIT, BPF_MOV64_IMM(R6, 1), LABEL("nobody"), BPF_MOV64_IMM(R6, 2)),
	     END),
	BOTH("registers compared", record,
	     P(JSGT_REG(R6, R7, "x"), JSET_REG(R6, R8, "x"),
	       BPF_MOV64_IMM(R6, 1), LABEL("x"), EXIT),
	     "if r6 s> r7 goto pc+2\n" "if r6 & r8 goto pc+1\n" "r6 = 1\n" END),
};

START_TEST(code)
{
	lower_check(&rows[_i]);
}
END_TEST

/* What is wrong with a program is said with its hook, file and line; `what` is a part of it. */
static const struct lower_row broken[] = {
	BPF("program test.hook (test.c): there is no map nowhere", record,
	     P(MAP(R1, "nowhere"), EXIT), NULL),
	RING("there is no map nowhere", record, P(OUTPUT_AT("nowhere", -8, 8), EXIT), NULL),
	BPF("nothing below is labelled nowhere", record, P(JUMP("nowhere"), EXIT), NULL),
	BPF("nothing below is labelled above", record,
	     P(LABEL("above"), JEQ(R1, 0, "above"), EXIT), NULL),
	BPF("nothing below is labelled nowhere", record,
	     P(JUMP_UNLESS("on", "nowhere"), EXIT), NULL),
	BPF("nothing below is labelled nowhere", record,
	     P(JUMP_UNLESS("off", "nowhere"), EXIT), NULL),
	BPF("nothing below is labelled nowhere", call,
	     P(FIELD_OR(R6, "read", "nowhere"), EXIT), NULL),
	BPF("there is no constant nowhere", record, P(CONST(R1, "nowhere"), EXIT), NULL),
	BPF("nowhere to go without on", record,
	     P(SYMBOLIC(SYM_JUMP_UNLESS, "on", 0, 0, 0, 0), EXIT), NULL),
	BPF("there is no option nowhere", record,
	     P(JUMP_UNLESS("nowhere", "x"), LABEL("x"), EXIT), NULL),
	BPF("this event has no input nowhere", record, P(FIELD(R1, "nowhere"), EXIT), NULL),
	RING("only BPF programs can follow dentry.d_parent", record,
	     P(PEEK(R1, R1, "dentry.d_parent"), EXIT), NULL),
	BPF("offset of dentry.d_nothing is not known", record,
	     P(PEEK(R1, R1, "dentry.d_nothing"), EXIT), NULL),
	RING("this event has no input uid", pointer, P(FIELD(R1, "uid"), EXIT), NULL),
	BPF("not a number: comm", record, P(FIELD(R1, "comm"), EXIT), NULL),
	BPF("not bytes: tid", record, P(BYTES_AT(-8, "tid", 8), EXIT), NULL),
	BPF("not a string: comm", record, P(STRING(R1, "comm"), EXIT), NULL),
	BPF("this event has no input nowhere", record, P(BYTES_AT(-8, "nowhere", 8), EXIT), NULL),
	BPF("this event has no input nowhere", record, P(STRING(R1, "nowhere"), EXIT), NULL),
	BPF("not a number: bytes", record, P(FIELD(R1, "bytes"), EXIT), NULL),
	RING("not a number: text", record, P(FIELD(R1, "text"), EXIT), NULL),
	BPF("not bytes: small", record, P(BYTES_AT(-8, "small", 8), EXIT), NULL),
	RING("no string in the record for text", call, P(STRING(R1, "text"), EXIT), NULL),
};

START_TEST(says_what_is_wrong)
{
	const struct lower_row *row = &broken[_i];
	enum target target = row->targets & 1 << TARGET_BPF ? TARGET_BPF : TARGET_RING;
	struct kernel *k = lower_kernel(NULL);
	struct lowered l;
	struct error err = { };

	ck_assert_msg(lower_it(k, target, row, &l, &err), "%s: lowered", row->what);
	ck_assert_msg(strstr(err.text, row->what) != NULL, "%s", err.text);
	ck_assert_ptr_null(l.insns);
	kernel_free(k);
}
END_TEST

/*
 * A program that no kernel before 5.2 takes is refused here, with its length; newer kernels take
 * one that may be long.
 */
START_TEST(too_long)
{
	static const struct insn one_more = BPF_MOV64_IMM(R6, 1), end[] = { EXIT };
	static struct insn insns[4098];
	struct program p = { .hook = "test.hook", .insns = insns, .file = "test.c" };
	struct kernel *k = lower_kernel(NULL);
	struct lowering l = { .target = TARGET_BPF, .kernel = k, .layout = &lower_record };
	struct lowered out;
	struct error err = { };

	for (int i = 0; i < 4098; i++)
		insns[i] = one_more;
	memcpy(insns + 4094, end, sizeof(end));
	p.n_insns = 4096;
	ck_assert_msg(!lower(&p, &l, &out, &err), "%s", err.text);
	ck_assert_uint_eq(out.n, 4096);
	lowered_free(&out);
	insns[4094] = one_more;
	memcpy(insns + 4095, end, sizeof(end));
	p.n_insns = 4097;
	ck_assert_int_eq(lower(&p, &l, &out, &err), -1);
	ck_assert_str_eq(err.text,
			 "program test.hook comes to 4097 instructions here, more than the 4096 "
			 "that kernels before 5.2 take");
	p.may_be_long = true;
	ck_assert_msg(!lower(&p, &l, &out, &err), "%s", err.text);
	ck_assert_uint_eq(out.n, 4097);
	lowered_free(&out);
	kernel_free(k);
}
END_TEST

/* Which inputs a program asks of its hook: those these options leave in, as often as they come. */
static const struct insn asking[] = {
	FIELD(R6, "always"),
	JUMP_UNLESS("off", "x"),
	FIELD(R6, "never"),
	LABEL("y"),
	BYTES_AT(-8, "nor this", 8),
	LABEL("x"),
	JUMP_UNLESS("on", "z"),
	BYTES_AT(-8, "bytes", 8),
	LABEL("z"),
	JUMP_UNLESS("hook:later", "end"),	/* a fact of the kernel: not known yet */
	STRING(R6, "text?"),
	FIELD(R6, "always"),
	LABEL("end"),
	EXIT,
};

static void list_input(void *arg, const char *name, enum input_kind kind)
{
	size_t n = strlen(arg);

	snprintf((char *)arg + n, 200 - n, "%s:%d ", name, kind);
}

START_TEST(asks_for_inputs)
{
	const struct program p = PROGRAM("test.hook", asking);
	char list[200] = "";

	program_inputs(&p, lower_options, NULL, TARGET_BPF, list_input, list);
	ck_assert_str_eq(list, "always:0 bytes:1 text?:2 always:0 ");
}
END_TEST

Suite *suite_lower(void)
{
	Suite *s = suite_create("lower");

	add_tests(s, "code", code, COUNT_OF(rows));
	add_tests(s, "errors", says_what_is_wrong, COUNT_OF(broken));
	add_tests(s, "too long", too_long, 1);
	add_tests(s, "inputs", asks_for_inputs, 1);
	return s;
}
