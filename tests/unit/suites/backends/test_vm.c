// SPDX-License-Identifier: GPL-2.0
/*
 * sonde's own machine: every operation, its helpers and its texts.
 */
#include "tests/unit/helpers/vm_machine.h"

#include <errno.h>

#include "backends/vm/data_loc.h"

#define BIG 0x123456789abcdef0ULL

static const struct {
	uint8_t op;
	uint64_t a, b, wide, half;	/* a op b in 64 and in 32 bits */
} alu_rows[] = {
	{ BPF_ADD, BIG, 0x70000000, BIG + 0x70000000, 0x0abcdef0 },
	{ BPF_ADD, UINT64_MAX, 1, 0, 0 },
	{ BPF_SUB, 5, 7, MINUS(2), 0xfffffffe },
	{ BPF_MUL, BIG, MINUS(3), BIG * MINUS(3), 0x2fc96330 },
	{ BPF_DIV, MINUS(8), 2, 0x7ffffffffffffffc, 0x7ffffffc },
	{ BPF_DIV, 7, MINUS(1), 0, 0 },
	{ BPF_MOD, MINUS(1), 10, 5, 5 },
	{ BPF_OR, BIG, 0x0f, BIG | 0x0f, 0x9abcdeff },
	{ BPF_AND, BIG, MINUS(16), BIG, 0x9abcdef0 },
	{ BPF_XOR, BIG, MINUS(1), ~BIG, 0x6543210f },
	{ BPF_LSH, BIG, 4, BIG << 4, 0xabcdef00 },
	{ BPF_RSH, BIG, 4, BIG >> 4, 0x09abcdef },
	{ BPF_MOV, BIG, MINUS(2), MINUS(2), 0xfffffffe },
};

START_TEST(test_alu)
{
	struct machine m;

	start(&m);
	for (unsigned int i = 0; i < sizeof(alu_rows) / sizeof(alu_rows[0]); i++) {
		uint8_t op = alu_rows[i].op;
		uint64_t a = alu_rows[i].a, b = alu_rows[i].b;
		uint64_t wide_reg = RUN(&m, IMM64(R6, a), IMM64(R7, b), BPF_ALU64_REG(op, R6, R7));
		uint64_t wide_imm = RUN(&m, IMM64(R6, a), BPF_ALU64_IMM(op, R6, (int32_t)b));
		uint64_t half_reg = RUN(&m, IMM64(R6, a), IMM64(R7, b), BPF_ALU32_REG(op, R6, R7));
		uint64_t half_imm = RUN(&m, IMM64(R6, a), BPF_ALU32_IMM(op, R6, (int32_t)b));

		ck_assert_uint_eq(wide_reg, alu_rows[i].wide);
		ck_assert_uint_eq(wide_imm, alu_rows[i].wide);
		ck_assert_uint_eq(half_reg, alu_rows[i].half);
		ck_assert_uint_eq(half_imm, alu_rows[i].half);
	}
	vm_free(m.vm);
}
END_TEST

/* A division by a constant is a multiplication by its inverse, for what has 32 bits. */
START_TEST(test_division)
{
	static const int32_t divisors[] = {
		1, 2, 3, 7, 10, 641, 1000, 1024, 65537, 1000000, INT32_MAX - 1, INT32_MAX,
		INT32_MIN, INT32_MIN + 1, -1000, -2, -1,
	};
	struct machine m;

	start(&m);
	for (unsigned int i = 0; i < sizeof(divisors) / sizeof(divisors[0]); i++) {
		const uint64_t d = (uint64_t)(int64_t)divisors[i], most = UINT32_MAX / d * d;
		const uint64_t dividends[] = {
			0, 1, d - 1, d, d + 1, most - 1, most, most + 1, UINT32_MAX - 1,
			UINT32_MAX, UINT32_MAX + 1ULL, UINT32_MAX + 2ULL, BIG, UINT64_MAX,
		};

		for (unsigned int j = 0; j < sizeof(dividends) / sizeof(dividends[0]); j++) {
			uint64_t n = dividends[j];
			uint64_t found = RUN(&m, IMM64(R6, n),
					     BPF_ALU64_IMM(BPF_DIV, R6, divisors[i]));

			ck_assert_uint_eq(found, n / d);
		}
	}
	vm_free(m.vm);
}
END_TEST

/*
 * Operations with one form, and what kernels define for division by 0 and for shifts by a register.
 */
START_TEST(test_alu_alone)
{
	struct machine m;
	uint64_t big = BIG;
	const uint8_t *bytes = (const uint8_t *)&big;
	bool little = bytes[0] == 0xf0;

	start(&m);
	assert_run(RUN(&m, IMM64(R6, MINUS(9)), BPF_ALU64_IMM(BPF_ARSH, R6, 2)), MINUS(3));
	assert_run(
		RUN(&m, IMM64(R6, MINUS(9)), BPF_MOV64_IMM(R7, 1), BPF_ALU64_REG(BPF_ARSH, R6, R7)),
		MINUS(5));
	assert_run(RUN(&m, IMM64(R6, BIG), RAW(BPF_ALU64 | BPF_NEG, R6, 0, 0, 0)), MINUS(BIG));
	assert_run(RUN(&m, BPF_MOV64_IMM(R6, 1), RAW(BPF_ALU | BPF_NEG, R6, 0, 0, 0)), 0xffffffff);
	assert_run(
		RUN(&m, BPF_MOV64_IMM(R6, 9), BPF_MOV64_IMM(R7, 0), BPF_ALU64_REG(BPF_DIV, R6, R7)),
		0);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_MOV64_IMM(R7, 0), BPF_ALU64_REG(BPF_MOD, R6, R7)),
		   BIG);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_MOV64_IMM(R7, 0), BPF_ALU32_REG(BPF_DIV, R6, R7)),
		   0);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_MOV64_IMM(R7, 0), BPF_ALU32_REG(BPF_MOD, R6, R7)),
		   0x9abcdef0);
	assert_run(RUN(&m, CALL(get_current_pid_tgid), BPF_MOV64_REG(R7, R0),
		       BPF_ALU64_IMM(BPF_ADD, R7, 65), BPF_MOV64_IMM(R6, 3),
		       BPF_ALU64_REG(BPF_LSH, R6, R7)),
		   6);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_ENDIAN(BPF_TO_BE, R6, 16)),
		   little ? 0xf0de : 0xdef0);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_ENDIAN(BPF_TO_BE, R6, 32)),
		   little ? 0xf0debc9a : 0x9abcdef0);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_ENDIAN(BPF_TO_BE, R6, 64)),
		   little ? 0xf0debc9a78563412 : BIG);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_ENDIAN(BPF_TO_LE, R6, 16)),
		   little ? 0xdef0 : 0xf0de);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_ENDIAN(BPF_TO_LE, R6, 32)),
		   little ? 0x9abcdef0 : 0xf0debc9a);
	assert_run(RUN(&m, IMM64(R6, BIG), BPF_ENDIAN(BPF_TO_LE, R6, 64)),
		   little ? BIG : 0xf0debc9a78563412);
	vm_free(m.vm);
}
END_TEST

static const struct {
	uint8_t op;
	uint64_t a, b;
	bool taken;
} jump_rows[] = {
	{ BPF_JEQ, 5, 5, true },
	{ BPF_JEQ, 1ULL << 32 | 5, 5, false },
	{ BPF_JNE, 5, 5, false },
	{ BPF_JNE, 5, 6, true },
	{ BPF_JGT, 6, 5, true },
	{ BPF_JGT, 5, 5, false },
	{ BPF_JGT, MINUS(1), 5, true },
	{ BPF_JGE, 5, 5, true },
	{ BPF_JGE, 4, 5, false },
	{ BPF_JGE, 4, MINUS(1), false },
	{ BPF_JSET, 6, 4, true },
	{ BPF_JSET, 6, 1, false },
	{ BPF_JSET, 1ULL << 40, MINUS(1), true },
	{ BPF_JSGT, MINUS(1), MINUS(2), true },
	{ BPF_JSGT, MINUS(1), 5, false },
	{ BPF_JSGT, 5, MINUS(1), true },
	{ BPF_JSGE, MINUS(1), MINUS(1), true },
	{ BPF_JSGE, MINUS(2), MINUS(1), false },
	{ BPF_JSGE, 5, MINUS(1), true },
};

START_TEST(test_jumps)
{
	struct machine m;

	start(&m);
	for (unsigned int i = 0; i < sizeof(jump_rows) / sizeof(jump_rows[0]); i++) {
		uint8_t op = jump_rows[i].op;
		uint64_t a = jump_rows[i].a, b = jump_rows[i].b,
			 expected = jump_rows[i].taken ? 1 : 2;

		assert_run(RUN(&m, BPF_MOV64_IMM(R6, 1), IMM64(R7, a), IMM64(R8, b),
			       RAW(BPF_JMP | op | BPF_X, R7, R8, 1, 0), BPF_MOV64_IMM(R6, 2)),
			   expected);
		assert_run(RUN(&m, BPF_MOV64_IMM(R6, 1), IMM64(R7, a), IF(op, R7, (int32_t)b, 1),
				      BPF_MOV64_IMM(R6, 2)), expected);
	}
	/* Over instructions that become fewer operations, and into the middle of such a pair. */
	assert_run(RUN(&m, BPF_MOV64_IMM(R6, 1), RAW(BPF_JMP | BPF_JA, 0, 0, 0, 0),
		       IF(BPF_JEQ, R6, 1, 5), IMM64(R6, 5), STACK_ADDRESS(R2, -8),
		       BPF_MOV64_IMM(R6, 7)),
		   1);
	assert_run(RUN(&m, BPF_MOV64_IMM(R6, 1), BPF_MOV64_IMM(R7, 0), IF(BPF_JEQ, R6, 1, 1),
		       BPF_MOV64_IMM(R7, 1), BPF_ALU64_IMM(BPF_ADD, R7, 8), BPF_MOV64_REG(R6, R7)),
		   8);
	assert_run(RUN(&m, BPF_MOV64_IMM(R6, 1), BPF_MOV64_REG(R2, R10),
		       BPF_ST_MEM(BPF_DW, R10, -8, 5), IF(BPF_JEQ, R6, 1, 1),
		       BPF_MOV64_REG(R2, R10), BPF_ALU64_IMM(BPF_ADD, R2, -8),
		       BPF_LDX_MEM(BPF_DW, R6, R2, 0)),
		   5);
	vm_free(m.vm);
}
END_TEST

START_TEST(test_memory)
{
	static const uint8_t sizes[] = { BPF_B, BPF_H, BPF_W, BPF_DW };
	static const uint64_t cut[] = { 0xf0, 0xdef0, 0x9abcdef0, BIG },
			      minus[] = { 0xff, 0xffff, 0xffffffff, UINT64_MAX };
	struct machine m;

	start(&m);
	for (unsigned int i = 0; i < 4; i++) {
		uint8_t size = sizes[i];

		assert_run(RUN(&m, IMM64(R7, BIG), BPF_STX_MEM(size, R10, R7, -16),
			       BPF_LDX_MEM(size, R6, R10, -16)),
			   cut[i]);
		assert_run(RUN(&m, BPF_ST_MEM(size, R10, -24, -1), BPF_LDX_MEM(size, R6, R10, -24)),
			   minus[i]);
		assert_run(RUN(&m, IMM64(R7, BIG), STACK_ADDRESS(R2, -32),
			       BPF_STX_MEM(size, R2, R7, 8), BPF_LDX_MEM(size, R6, R10, -24)),
			   cut[i]);
	}
	assert_run(RUN(&m, BPF_ST_MEM(BPF_DW, R10, -8, -1), BPF_MOV64_IMM(R7, 2),
		       BPF_STX_XADD(BPF_DW, R10, R7, -8), BPF_LDX_MEM(BPF_DW, R6, R10, -8)),
		   1);
	assert_run(RUN(&m, ZERO(-8), BPF_ST_MEM(BPF_W, R10, -8, -1), BPF_MOV64_IMM(R7, 2),
		       BPF_STX_XADD(BPF_W, R10, R7, -8), BPF_LDX_MEM(BPF_W, R6, R10, -4)),
		   0);
	assert_run(RUN(&m, ZERO(-8), BPF_MOV64_IMM(R7, 2), BPF_STX_XADD(BPF_W, R10, R7, -8),
			      BPF_LDX_MEM(BPF_W, R6, R10, -8)), 2);
	vm_free(m.vm);
}
END_TEST

/* Records are at any alignment. */
START_TEST(test_records)
{
	static const struct {
		uint8_t size, sign;
		uint64_t expected;
	} rows[] = {
		{ BPF_B, 0, 0xfe },	 { BPF_B, 1, MINUS(2) },   { BPF_H, 0, 0xfffe },
		{ BPF_H, 1, MINUS(2) },	 { BPF_W, 0, 0xfffffffe }, { BPF_W, 1, MINUS(2) },
		{ BPF_DW, 0, MINUS(2) }, { BPF_DW, 1, MINUS(2) },
	};
	static const uint8_t bytes[] = { 1, 2, 4, 8 };
	uint8_t record[24];
	struct machine m;

	start(&m);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int program =
			LOAD(&m, RAW(BPF_LD | BPF_ABS | rows[i].size, R6, rows[i].sign, 0, 5));
		struct sample s = { .record = record + 1 };
		struct vm_stats stats;
		uint64_t value = MINUS(2);

		memset(record, 0, sizeof(record));
		if (*(const uint8_t *)&value == 0xfe)
			memcpy(record + 6, &value, bytes[i / 2]);
		else
			memcpy(record + 6, (const uint8_t *)&value + 8 - bytes[i / 2],
			       bytes[i / 2]);
		s.size = 5U + bytes[i / 2];
		ck_assert_uint_eq(run(&m, program, &s), rows[i].expected);
		s.size--;
		ck_assert_int_eq(vm_run(m.vm, program, &s, NULL, 0), -1);
		vm_stats(m.vm, &stats);
		ck_assert_uint_eq(stats.short_records, i + 1);
	}
	vm_free(m.vm);
}
END_TEST

START_TEST(test_identity)
{
	struct sample s = {
		.time = BIG, .cpu = 3, .tid = 7, .tgid = 5, .comm = "a name of 15 ch", .record = ""
	};
	struct sample unknown = { .tid = 7, .tgid = UINT32_MAX, .record = "" };
	struct machine m;
	int program;

	start(&m);
	ck_assert_uint_eq(run(&m, LOAD(&m, CALL(ktime_get_ns), BPF_MOV64_REG(R6, R0)), &s), BIG);
	ck_assert_uint_eq(run(&m, LOAD(&m, CALL(get_smp_processor_id), BPF_MOV64_REG(R6, R0)), &s),
			  3);
	program = LOAD(&m, CALL(get_current_pid_tgid), BPF_MOV64_REG(R6, R0));
	ck_assert_uint_eq(run(&m, program, &s), 5ULL << 32 | 7);
	ck_assert_uint_eq(run(&m, program, &unknown), 0xffffffffULL << 32 | 7);
	/* The last bytes of comm, then of a shorter buffer, which end in a NUL; then the result. */
	program = LOAD(&m, ZERO(-16), ZERO(-8), STACK_ADDRESS(R1, -16), BPF_MOV64_IMM(R2, 16),
		       CALL(get_current_comm), BPF_LDX_MEM(BPF_DW, R6, R10, -8));
	ck_assert_mem_eq((run(&m, program, &s), &m.found), "f 15 ch", 8);
	ck_assert_uint_eq(run(&m, program, &unknown), 0);
	program = LOAD(&m, ZERO(-8), STACK_ADDRESS(R1, -8), BPF_MOV64_IMM(R2, 7),
		       CALL(get_current_comm), BPF_LDX_MEM(BPF_DW, R6, R10, -8));
	ck_assert_mem_eq((run(&m, program, &s), &m.found), "a name\0", 8);
	program = LOAD(&m, ZERO(-8), STACK_ADDRESS(R1, -8), BPF_MOV64_IMM(R2, 8),
		       CALL(get_current_comm), BPF_MOV64_REG(R6, R0));
	ck_assert_uint_eq(run(&m, program, &s), 0);
	ck_assert_uint_eq(run(&m, program, &unknown), MINUS(EINVAL));
	vm_free(m.vm);
}
END_TEST

/* r6 = what RING_READ_STRING of r0 returns; the text's first 8 bytes are at r10 -8. */
#define READ(SIZE) \
	BPF_MOV64_REG(R3, R0), BPF_ST_MEM(BPF_DW, R10, -16, -1), ZERO(-8), STACK_ADDRESS(R1, -16), \
		BPF_MOV64_IMM(R2, SIZE), CALL_RING(READ_STRING), BPF_MOV64_REG(R6, R0)
#define FIRST_BYTES BPF_LDX_MEM(BPF_DW, R6, R10, -16)

static uint64_t unknown_strings(const struct machine *m)
{
	struct vm_stats stats;

	vm_stats(m->vm, &stats);
	return stats.strings;
}

START_TEST(test_strings)
{
	const struct {
		uint32_t loc;
		char text[20];
	} rows[] = {
		{ 6 << 16 | 4, "hello" },	/* with its NUL */
		{ 3 << 16 | 4, "hello" },	/* no NUL within its length */
		{ 9 << 16 | 4, "he\0lo" },
		{ 1 << 16 | 4, "" },
		{ 20 << 16 | 4, "reaches the end ...." },
		{ 0 << 16 | 4, "no length: a fault" },
		{ 21 << 16 | 4, "beyond the end" },
		{ 1 << 16 | 25, "beyond the end" },
		{ 8 << 16 | 4, "(fault)" },
	};
	static const int64_t lengths[] = { 6, 4, 3, 1, 16, -EFAULT, -EFAULT, -EFAULT, -EFAULT };
	static const char *const firsts[] = { "hello\0\0", "hel\0\0\0\0", "he\0\0\0\0\0",
					      "\0\0\0\0\0\0\0", "reaches " };
	struct machine m;
	int length, first;

	start(&m);
	length = LOAD(&m, BPF_MOV64_IMM(R1, 0), BPF_MOV64_IMM(R2, 0),
		      CALL_RING(STRING_LOC), READ(16));
	first = LOAD(&m, BPF_MOV64_IMM(R1, 0), BPF_MOV64_IMM(R2, 0),
		      CALL_RING(STRING_LOC), READ(16), FIRST_BYTES);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sample s = { .record = &rows[i], .size = sizeof(rows[i]) };

		ck_assert_int_eq((int64_t)run(&m, length, &s), lengths[i]);
		run(&m, first, &s);
		ck_assert_mem_eq(&m.found, lengths[i] > 0 ? firsts[i] : "\0\0\0\0\0\0\0", 8);
	}
	ck_assert_uint_eq(unknown_strings(&m), 8);
	/* A data_loc that is itself beyond the record. */
	ck_assert_int_eq(vm_run(m.vm, length, &(struct sample){ .record = "", .size = 3 }, NULL, 0),
			 -1);
	vm_free(m.vm);
}
END_TEST

/*
 * No length: an empty text if its NUL made the record longer than perf and ftrace round it up to,
 * behind the last argument.
 */
static const struct {
	uint32_t at, size;
	bool last, empty;
} without_length[] = {
	{ 16, 20, true, false },	/* ftrace and perf: nothing was read */
	{ 16, 24, true, true },		/* ftrace: a NUL */
	{ 16, 28, true, true },		/* perf */
	{ 16, 28, false, false },	/* of what is behind, maybe */
	{ 12, 20, true, false },	/* perf rounds up that far */
};

START_TEST(test_empty_texts)
{
	const uint8_t record[32] = { 0 };
	uint32_t length = 1;
	const char *text = data_loc_text(record, without_length[_i].size, without_length[_i].at,
					 without_length[_i].last, &length);

	ck_assert_int_eq(text != NULL, without_length[_i].empty);
	ck_assert(!text || !length);
}
END_TEST

START_TEST(test_string_arrays)
{
	struct sample s = { .record = "01234567abc\0....", .size = 16 };
	struct machine m;

	start(&m);
	ck_assert_uint_eq(run(&m,
			      LOAD(&m, BPF_MOV64_IMM(R1, 8), BPF_MOV64_IMM(R2, 8),
				   CALL_RING(STRING_ARRAY), READ(16)),
			      &s),
			  4);
	ck_assert_uint_eq(run(&m,
			      LOAD(&m, BPF_MOV64_IMM(R1, 4), BPF_MOV64_IMM(R2, 4),
				   CALL_RING(STRING_ARRAY), READ(16)),
			      &s),
			  5);
	run(&m,
	    LOAD(&m, BPF_MOV64_IMM(R1, 8), BPF_MOV64_IMM(R2, 8), CALL_RING(STRING_ARRAY), READ(3),
		 FIRST_BYTES),
	    &s);
	ck_assert_mem_eq(&m.found, "ab\0\xff\xff\xff\xff\xff", 8);
	s.size--;
	ck_assert_int_eq(vm_run(m.vm, 0, &s, NULL, 0), -1);
	vm_free(m.vm);
}
END_TEST

START_TEST(test_string_parts)
{
	struct sample s = { .record = "" };
	struct machine m;
	uint64_t parts[2];
	int program;

	start(&m);
	parts[0] = 0;
	parts[1] = vm_intern(m.vm, "second", 6);
	ck_assert_uint_ne(parts[1], 0);
	program = LOAD(&m, BPF_MOV64_IMM(R1, 1), CALL_RING(STRING_PART), READ(16), FIRST_BYTES);
	ck_assert_int_eq(vm_run(m.vm, program, &s, parts, 2), 0);
	ck_assert_mem_eq(&m.found, "second\0", 8);
	ck_assert_int_eq(vm_run(m.vm, program, &s, parts, 1), 0);
	ck_assert_uint_eq(m.found, 0);
	ck_assert_int_eq(vm_run(m.vm, program, &s, NULL, 2), 0);
	ck_assert_uint_eq(m.found, 0);
	ck_assert_uint_eq(unknown_strings(&m), 2);
	vm_free(m.vm);
}
END_TEST

/* A text that gave way reads as unknown, and so does a number that never was a handle. */
START_TEST(test_string_eviction)
{
	char *text = calloc(1, 5000);
	uint64_t first, last = 0;
	struct machine m;
	int program;

	start(&m);
	memset(text, 'x', 4999);
	program = LOAD(&m, RECORD(R0, BPF_DW, 0), READ(16));
	first = vm_intern(m.vm, "first", 5);
	ck_assert_uint_eq(run(&m, program, &(struct sample){ .record = &first, .size = 8 }), 6);
	for (unsigned int i = 0; i < 254; i++)
		last = vm_intern(m.vm, text, 4096);
	ck_assert_uint_eq(run(&m, program, &(struct sample){ .record = &first, .size = 8 }), 6);
	for (unsigned int i = 0; i < 2; i++)
		last = vm_intern(m.vm, text, 5000);
	ck_assert_uint_eq(run(&m, program, &(struct sample){ .record = &first, .size = 8 }),
			  MINUS(EFAULT));
	ck_assert_uint_eq(run(&m, program, &(struct sample){ .record = &last, .size = 8 }), 16);
	for (uint64_t forged = last - 64; forged != last + 64; forged++)
		if (forged != last)
			ck_assert_uint_eq(
				run(&m, program, &(struct sample){ .record = &forged, .size = 8 }),
				MINUS(EFAULT));
	/* Bytes within a text that look like one. */
	last = vm_intern(m.vm, (const char[64]){ 0 }, 64) + 32;
	assert_run(run(&m, program, &(struct sample){ .record = &last, .size = 8 }), MINUS(EFAULT));
	for (uint64_t number = 0; number < 64; number++)
		ck_assert_uint_eq(
			run(&m, program, &(struct sample){ .record = &number, .size = 8 }),
			MINUS(EFAULT));
	vm_free(m.vm);
	free(text);
}
END_TEST

START_TEST(test_refused)
{
	static const struct bpf_insn bad[] = { { .code = BPF_JMP | BPF_EXIT } };
	static const struct map none = { "none", MAP_HASH, ROLE_JOIN, 8, 8, 0 },
				wide = { "wide", MAP_ARRAY, ROLE_JOIN, 8, 8, 1 };
	struct machine m;
	struct error err;

	start(&m);
	ck_assert_int_eq(vm_load(m.vm, bad, 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "sonde's machine refuses instruction 0"));
	vm_free(m.vm);
	ck_assert_ptr_null(vm_new(&none, 1, keep, NULL, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "map none"));
	ck_assert_ptr_null(vm_new(&wide, 1, keep, NULL, &err));
}
END_TEST

/* ---- maps of a host ---- */

struct hosted {
	uint64_t keys[3], value;	/* of the last look-up, update and deletion */
	uint64_t answer, found;
};

static const void *host_lookup(void *arg, unsigned int map, const void *key)
{
	struct hosted *h = arg;

	ck_assert_uint_eq(map, 1);
	memcpy(&h->keys[0], key, 8);
	return h->answer ? &h->answer : NULL;
}

static int host_update(void *arg, unsigned int map, const void *key, const void *value)
{
	struct hosted *h = arg;

	ck_assert_uint_eq(map, 1);
	memcpy(&h->keys[1], key, 8);
	memcpy(&h->value, value, 8);
	return -E2BIG;
}

static int host_delete(void *arg, unsigned int map, const void *key)
{
	struct hosted *h = arg;

	ck_assert_uint_eq(map, 1);
	memcpy(&h->keys[2], key, 8);
	return -ENOENT;
}

static void found(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct hosted *h = arg;

	ck_assert_uint_eq(output, OUT);
	ck_assert_uint_eq(size, 8);
	memcpy(&h->found, record, 8);
}

#define LOW (-OWN_STACK)

/* Programs of own events: maps of a host, a long stack, texts that are searched. */
START_TEST(test_host)
{
	static const struct map maps[] = {
		{ "other", MAP_HOST, ROLE_TABLE, 8, 8, 1 },
		{ "host", MAP_HOST, ROLE_TABLE, 8, 8, 1 },
		[OUT] = { "out", MAP_OUTPUT, ROLE_JOIN, 0, 0, 0 },
	};
	static const struct vm_host host = { host_lookup, host_update, host_delete };
	struct hosted h = { .answer = 77 };
	struct machine m = { };
	struct error err;
	int look, change, where;

	m.vm = vm_new(maps, OUT + 1, found, &h, &err);
	ck_assert_ptr_nonnull(m.vm);
	vm_set_host(m.vm, &host);
	look = LOAD(&m, BPF_MOV64_IMM(R6, 5), BPF_ST_MEM(BPF_DW, R10, LOW, 9),
		    RAW(RING_LOOKUP, 0, 0, LOW, 1), IF(BPF_JEQ, R0, 0, 1),
		    BPF_LDX_MEM(BPF_DW, R6, R0, 0));
	change = LOAD(&m, BPF_ST_MEM(BPF_DW, R10, -8, 1), BPF_ST_MEM(BPF_DW, R10, -16, 2),
		      RAW(RING_UPDATE, BPF_ANY, 0, -8, RING_UPDATE_IMM(1, -16)),
		      BPF_MOV64_REG(R6, R0), BPF_ST_MEM(BPF_DW, R10, -8, 3),
		      RAW(RING_DELETE, 0, 0, -8, 1), BPF_ALU64_IMM(BPF_MUL, R6, 1000),
		      BPF_ALU64_REG(BPF_ADD, R6, R0));
	where = LOAD(&m, BPF_ST_MEM(BPF_DW, R10, -16, 0x64636261),
		     BPF_ST_MEM(BPF_DW, R10, -8, 0x6463), STACK_ADDRESS(R1, -16),
		     BPF_MOV64_IMM(R2, 8), STACK_ADDRESS(R3, -8), BPF_MOV64_IMM(R4, 8),
		     CALL_RING(SEARCH), BPF_MOV64_REG(R6, R0));
	vm_run(m.vm, look, &(struct sample){ .record = "" }, NULL, 0);
	ck_assert_uint_eq(h.found, 77);
	ck_assert_uint_eq(h.keys[0], 9);
	h.answer = 0;
	vm_run(m.vm, look, &(struct sample){ .record = "" }, NULL, 0);
	ck_assert_uint_eq(h.found, 5);
	vm_run(m.vm, change, &(struct sample){ .record = "" }, NULL, 0);
	ck_assert_uint_eq(h.found, MINUS(1000 * E2BIG + ENOENT));
	ck_assert_uint_eq(h.keys[1], 1);
	ck_assert_uint_eq(h.value, 2);
	ck_assert_uint_eq(h.keys[2], 3);
	vm_run(m.vm, where, &(struct sample){ .record = "" }, NULL, 0);
	ck_assert_uint_eq(h.found, 2);
	vm_free(m.vm);
}
END_TEST

/* A program for a kernel's event has neither. */
START_TEST(test_host_refused)
{
	static const struct {
		struct insn insn;
		const char *why;
	} rows[] = {
		{ BPF_ST_MEM(BPF_DW, R10, -520, 0), "the stack reaches from r10 -512" },
		{ CALL_RING(READ_KERNEL), "it has no such helper" },
		{ RAW(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_numa_node_id),
		  "it has no such helper" },
	};
	static const struct insn end[] = { BPF_MOV64_IMM(R0, 1), BPF_EXIT_INSN() };
	struct machine m;
	struct error err;

	start(&m);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct bpf_insn insns[] = { rows[i].insn.bpf, end[0].bpf, end[1].bpf };

		ck_assert_int_eq(vm_load(m.vm, insns, 3, &err), -1);
		ck_assert_msg(strstr(err.text, rows[i].why), "%s", err.text);
	}
	vm_free(m.vm);
}
END_TEST

Suite *suite_vm(void)
{
	const struct {
		const char *name;
		const TTest *test;
	} cases[] = {
		{ "host", test_host }, { "host_refused", test_host_refused },
		{ "alu", test_alu }, { "division", test_division },
		{ "alu_alone", test_alu_alone }, { "jumps", test_jumps },
		{ "memory", test_memory }, { "records", test_records },
		{ "identity", test_identity }, { "strings", test_strings },
		{ "string_arrays", test_string_arrays }, { "string_parts", test_string_parts },
		{ "string_eviction", test_string_eviction }, { "refused", test_refused },
	};
	Suite *suite = suite_create("vm");

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_add_test(tcase, cases[i].test);
		suite_add_tcase(suite, tcase);
	}
	add_tests(suite, "empty_texts", test_empty_texts,
		  sizeof(without_length) / sizeof(without_length[0]));
	return suite;
}
