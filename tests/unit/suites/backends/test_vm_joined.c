// SPDX-License-Identifier: GPL-2.0
/* What sonde's machine does at once leaves behind what its instructions do one by one. */
#include "tests/unit/helpers/vm_machine.h"

#include "tests/unit/helpers/spread.h"

/* r7: a number of the record. All that a body can change goes into the record it hands over. */
#define BEFORE \
	ZERO(-8), ZERO(-16), ZERO(-24), BPF_MOV64_IMM(R0, 77), BPF_MOV64_IMM(R6, 6), \
		BPF_MOV64_IMM(R8, 8), BPF_MOV64_IMM(R9, 9), SIGNED(R7, 0)
#define FOLD(REG) BPF_ALU64_IMM(BPF_MUL, R6, 1000003), BPF_ALU64_REG(BPF_ADD, R6, REG)
#define FOLD_STACK(OFF) BPF_LDX_MEM(BPF_DW, R1, R10, OFF), FOLD(R1)
#define AFTER \
	FOLD(R7), FOLD(R8), FOLD(R9), FOLD_STACK(-8), FOLD_STACK(-16), FOLD_STACK(-24), HAND_OVER
#define SIGNED(REG, OFF)	RAW(BPF_LD | BPF_ABS | BPF_W, REG, 1, 0, OFF)
#define PUT(REG, OFF)		BPF_STX_MEM(BPF_W, R10, REG, OFF)
#define FIND(MAP, OFF)		RAW(RING_LOOKUP, 0, 0, OFF, MAP)
#define ADD_TO(MAP, OFF, REG)	RAW(RING_ADD, 0, REG, OFF, MAP)
#define IF_REG(OP, A, B, OFF)	RAW(BPF_JMP | (OP) | BPF_X, A, B, OFF, 0)
#define GOTO(OFF)		RAW(BPF_JMP | BPF_JA, 0, 0, OFF, 0)
#define BODY(...) \
	{ ARRAY_AND_SIZE(((const struct insn[]){ BEFORE, __VA_ARGS__, AFTER })) }

static const struct {
	const struct insn *insns;
	unsigned int n;
} bodies[] = {
	/* an id becomes a key: found or not, also where it comes from r0 */
	BODY(PUT(R7, -16), FIND(IDS, -16), IF(BPF_JEQ, R0, 0, 1),
	     BPF_LDX_MEM(BPF_DW, R8, R0, 0)),
	BODY(PUT(R7, -16), FIND(IDS, -16), IF(BPF_JNE, R0, 0, 1), BPF_MOV64_IMM(R8, 1)),
	BODY(BPF_MOV64_IMM(R0, 2), PUT(R0, -16), FIND(IDS, -16), IF(BPF_JNE, R0, 0, 1),
	     BPF_MOV64_IMM(R8, 1)),
	/* another place than the key's, another number than 0, a jump to the look-up */
	BODY(PUT(R7, -20), FIND(IDS, -16), IF(BPF_JNE, R0, 0, 1), BPF_MOV64_IMM(R8, 1)),
	BODY(IF(BPF_JEQ, R7, 2, 1), PUT(R7, -16), FIND(IDS, -16), IF(BPF_JEQ, R0, 0, 1),
	     BPF_LDX_MEM(BPF_DW, R8, R0, 0)),
	BODY(PUT(R7, -16), IF(BPF_JNE, R7, 2, 2), FIND(IDS, -16), IF(BPF_JEQ, R0, 0, 1),
	     BPF_MOV64_IMM(R9, 1)),
	/* a look-up in other maps */
	BODY(PUT(R7, -16), FIND(JOIN, -16), IF(BPF_JEQ, R0, 0, 1),
	     BPF_LDX_MEM(BPF_DW, R8, R0, 0)),
	BODY(PUT(R7, -16), FIND(TABLE, -16), IF(BPF_JNE, R0, 0, 1), BPF_MOV64_IMM(R8, 1)),
	/* a number of the record goes onto the stack, signed and not signed; another does not */
	BODY(SIGNED(R9, 0), PUT(R9, -8)),
	BODY(RECORD(R9, BPF_W, 0), PUT(R9, -8)),
	BODY(SIGNED(R9, 0), PUT(R8, -8)),
	BODY(SIGNED(R9, 0), BPF_STX_MEM(BPF_DW, R10, R9, -8)),
	/* the time, another call */
	BODY(CALL(ktime_get_ns), BPF_MOV64_REG(R9, R0)),
	BODY(CALL(ktime_get_ns), BPF_MOV64_REG(R9, R0), BPF_MOV64_REG(R8, R0)),
	BODY(CALL(get_current_pid_tgid), BPF_MOV64_REG(R9, R0)),
	/* a slot is counted, if there is one: by 1, by a register, by that of the slot */
	BODY(PUT(R7, -16), ADD_TO(TABLE, -16, 0)),
	BODY(PUT(R7, -16), ADD_TO(TABLE, -16, R8)),
	BODY(PUT(R7, -16), ADD_TO(TABLE, -16, R7)),
	BODY(PUT(R7, -16), ADD_TO(IDS, -16, R8)),
	BODY(RAW(RING_LOG2, R9, R7, 0, 0), PUT(R9, -16), ADD_TO(TABLE, -16, 0)),
	/* so is that of a quotient */
	BODY(BPF_ALU64_IMM(BPF_DIV, R7, 3), RAW(RING_LOG2, R9, R7, 0, 0), PUT(R9, -16),
	     ADD_TO(TABLE, -16, 0)),
	BODY(BPF_ALU64_IMM(BPF_DIV, R7, 3), RAW(RING_LOG2, R7, R7, 0, 0), PUT(R7, -16),
	     ADD_TO(TABLE, -16, R7)),
	BODY(BPF_ALU64_IMM(BPF_DIV, R7, 3), RAW(RING_LOG2, R9, R8, 0, 0), PUT(R9, -16),
	     ADD_TO(TABLE, -16, 0)),
	BODY(BPF_ALU64_IMM(BPF_DIV, R7, -3), RAW(RING_LOG2, R9, R7, 0, 0), PUT(R9, -16),
	     ADD_TO(TABLE, -16, 0)),
	/* and that of a difference, if there is one */
	BODY(BPF_MOV64_IMM(R8, 3), IF_REG(BPF_JGT, R8, R7, 5), BPF_ALU64_REG(BPF_SUB, R7, R8),
	     BPF_ALU64_IMM(BPF_DIV, R7, 3), RAW(RING_LOG2, R9, R7, 0, 0), PUT(R9, -16),
	     ADD_TO(TABLE, -16, 0)),
	BODY(IF_REG(BPF_JGT, R8, R7, 6), BPF_ALU64_REG(BPF_SUB, R7, R8),
	     BPF_ALU64_IMM(BPF_DIV, R7, 3), RAW(RING_LOG2, R7, R7, 0, 0), PUT(R7, -16),
	     ADD_TO(TABLE, -16, R8), BPF_MOV64_IMM(R9, 1)),
	BODY(IF_REG(BPF_JGT, R8, R7, 5), BPF_ALU64_REG(BPF_SUB, R8, R7),
	     BPF_ALU64_IMM(BPF_DIV, R7, 3), RAW(RING_LOG2, R9, R7, 0, 0), PUT(R9, -16),
	     ADD_TO(TABLE, -16, 0)),
	BODY(IF_REG(BPF_JGT, R8, R7, 5), BPF_ALU64_REG(BPF_SUB, R7, R8),
	     BPF_ALU64_IMM(BPF_DIV, R8, 3), RAW(RING_LOG2, R9, R8, 0, 0), PUT(R9, -16),
	     ADD_TO(TABLE, -16, 0)),
	/* what an id has is taken: found or not, 0 or not */
	BODY(PUT(R7, -16), FIND(IDS, -16), IF(BPF_JEQ, R0, 0, 4),
	     BPF_LDX_MEM(BPF_DW, R8, R0, 0), BPF_ST_MEM(BPF_DW, R0, 0, 0),
	     IF(BPF_JEQ, R8, 0, 1), BPF_MOV64_IMM(R9, 1)),
	BODY(PUT(R7, -16), FIND(IDS, -16), IF(BPF_JEQ, R0, 0, 4),
	     BPF_LDX_MEM(BPF_DW, R8, R0, 0), BPF_ST_MEM(BPF_DW, R0, 0, 1),
	     IF(BPF_JEQ, R8, 0, 1), BPF_MOV64_IMM(R9, 1)),
	BODY(PUT(R7, -16), FIND(IDS, -16), IF(BPF_JEQ, R0, 0, 4),
	     BPF_LDX_MEM(BPF_DW, R8, R0, 0), BPF_ST_MEM(BPF_DW, R0, 0, 0),
	     IF(BPF_JEQ, R9, 0, 1), BPF_MOV64_IMM(R9, 1)),
	BODY(PUT(R7, -16), FIND(IDS, -16), IF(BPF_JEQ, R0, 0, 4),
	     BPF_LDX_MEM(BPF_DW, R8, R0, 0), BPF_ST_MEM(BPF_DW, R0, 0, 0),
	     IF(BPF_JEQ, R8, 4711, 1), BPF_MOV64_IMM(R9, 1)),
	/* two numbers of the record */
	BODY(SIGNED(R8, 0), SIGNED(R9, 0)),
	BODY(SIGNED(R8, 0), SIGNED(R8, 0)),
	BODY(SIGNED(R8, 0), RECORD(R9, BPF_W, 0)),
	BODY(RECORD(R8, BPF_W, 0), SIGNED(R9, 0)),
	/* a number, and a jump by it or by another */
	BODY(BPF_MOV64_IMM(R8, 2), IF(BPF_JEQ, R7, 2, 1), BPF_MOV64_IMM(R9, 1)),
	BODY(BPF_MOV64_IMM(R8, 2), IF(BPF_JEQ, R8, 2, 1), BPF_MOV64_IMM(R9, 1)),
	BODY(BPF_MOV64_IMM(R8, 2), IF_REG(BPF_JSET, R7, R8, 1), BPF_MOV64_IMM(R9, 1)),
	BODY(BPF_MOV64_IMM(R8, -2), IF_REG(BPF_JSET, R8, R7, 1), BPF_MOV64_IMM(R9, 1)),
	/* a jump behind a jump by bits, and behind a store; one that ends at another */
	BODY(IF(BPF_JSET, R7, 2, 1), GOTO(1), BPF_MOV64_IMM(R9, 1), BPF_MOV64_IMM(R8, 2)),
	BODY(IF(BPF_JEQ, R7, 2, 2), BPF_STX_MEM(BPF_DW, R10, R7, -8), GOTO(1),
	     BPF_MOV64_IMM(R9, 1)),
	BODY(IF(BPF_JEQ, R7, 2, 2), BPF_MOV64_IMM(R9, 1), IF(BPF_JEQ, R7, 7, 1), GOTO(1),
	     BPF_MOV64_IMM(R9, 2), BPF_MOV64_IMM(R8, 2)),
	BODY(IF(BPF_JEQ, R7, 2, 1), GOTO(1), BPF_MOV64_IMM(R9, 1), GOTO(0), GOTO(0),
	     BPF_MOV64_IMM(R8, 2)),
	/* the time, unless it is there; or whatever else is behind the jump */
	BODY(IF(BPF_JNE, R7, 0, 2), CALL(ktime_get_ns), BPF_MOV64_REG(R7, R0)),
	BODY(IF(BPF_JNE, R7, 0, 2), CALL(ktime_get_ns), BPF_MOV64_REG(R9, R0)),
	BODY(IF(BPF_JNE, R7, 0, 1), CALL(ktime_get_ns), BPF_MOV64_REG(R9, R0)),
	BODY(IF(BPF_JNE, R7, 2, 2), CALL(ktime_get_ns), BPF_MOV64_REG(R9, R0)),
	BODY(IF(BPF_JNE, R7, 0, 2), CALL(get_current_pid_tgid), BPF_MOV64_REG(R9, R0)),
	/* the time and a look-up */
	BODY(PUT(R7, -16), CALL(ktime_get_ns), BPF_MOV64_REG(R9, R0), FIND(IDS, -16),
	     IF(BPF_JNE, R0, 0, 1), BPF_MOV64_IMM(R8, 1)),
	BODY(PUT(R7, -16), CALL(ktime_get_ns), BPF_MOV64_REG(R9, R0), FIND(JOIN, -16),
	     IF(BPF_JNE, R0, 0, 1), BPF_MOV64_IMM(R8, 1)),
	BODY(PUT(R7, -16), CALL(ktime_get_ns), BPF_MOV64_REG(R9, R0), FIND(TABLE, -16),
	     IF(BPF_JNE, R0, 0, 1), BPF_MOV64_IMM(R8, 1)),
	BODY(RAW(RING_LOG2, R7, R7, 0, 0), PUT(R7, -16), ADD_TO(TABLE, -16, R7)),
	BODY(RAW(RING_LOG2, R9, R7, 0, 0), PUT(R7, -16), ADD_TO(TABLE, -16, 0)),
};

static int load_spread(struct machine *m, const struct insn *program, unsigned int n)
{
	struct insn apart[256];
	struct bpf_insn insns[128], to[256];
	unsigned int index[128], made;

	ck_assert_uint_le(n, 128);
	for (unsigned int i = 0; i < n; i++)
		insns[i] = program[i].bpf;
	made = spread(insns, n, to, index);
	for (unsigned int i = 0; i < made; i++)
		apart[i] = (struct insn){ .bpf = to[i] };
	return load(m, apart, made);
}

static void fill_maps(struct machine *m)
{
	uint32_t id = 2, element = 1;
	uint64_t key = 7, value = 4711;

	ck_assert_int_eq(vm_set(m->vm, IDS, &id, &value), 0);
	ck_assert_int_eq(vm_set(m->vm, JOIN, &key, &value), 0);
	ck_assert_int_eq(vm_set(m->vm, TABLE, &element, &value), 0);
}

static uint64_t value_in(struct machine *m, unsigned int map, uint32_t key)
{
	uint64_t value = 0;

	vm_get(m->vm, map, &key, &value);
	return value;
}

START_TEST(test_joined)
{
	static const int32_t numbers[] = { 0, 1, 2, 7, 8, 1000, -1 };
	struct machine joined, apart;
	int of_joined, of_apart;

	start(&joined);
	start(&apart);
	fill_maps(&joined);
	fill_maps(&apart);
	of_joined = load(&joined, bodies[_i].insns, bodies[_i].n);
	of_apart = load_spread(&apart, bodies[_i].insns, bodies[_i].n);
	for (unsigned int i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct sample s = { .time = 1234, .record = &numbers[i], .size = 4 };

		ck_assert_uint_eq(run(&joined, of_joined, &s), run(&apart, of_apart, &s));
	}
	for (uint32_t key = 0; key < 16; key++) {
		ck_assert_uint_eq(value_in(&joined, IDS, key), value_in(&apart, IDS, key));
		ck_assert_uint_eq(value_in(&joined, TABLE, key), value_in(&apart, TABLE, key));
	}
	vm_free(joined.vm);
	vm_free(apart.vm);
}
END_TEST

Suite *suite_vm_joined(void)
{
	Suite *suite = suite_create("vm_joined");
	TCase *tcase = tcase_create("joined");

	tcase_add_loop_test(tcase, test_joined, 0, sizeof(bodies) / sizeof(bodies[0]));
	suite_add_tcase(suite, tcase);
	return suite;
}
