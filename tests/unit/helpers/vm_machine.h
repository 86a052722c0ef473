/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VM_MACHINE_H
#define SONDE_VM_MACHINE_H

#include <stdlib.h>
#include <string.h>

#include "backends/vm/vm.h"
#include "tests/unit/helpers/plain.h"
#include "tests/unit/unit.h"

/*
 * A machine with a map of each kind, for the tests of sonde's own machine. Programs leave their
 * result in r6, and output it as a record of 8 bytes.
 */
enum { JOIN, ARRAY, OUT, COUNTS, TABLE, LASTS, HINT, IDS };

static const struct map maps[] = {
	[JOIN]	 = { "join", MAP_HASH, ROLE_JOIN, 8, 8, 3 },
	[ARRAY]	 = { "array", MAP_ARRAY, ROLE_RESULT, 4, 8, 8 },
	[OUT]	 = { "out", MAP_OUTPUT, ROLE_RESULT, 0, 0, 0 },
	[COUNTS] = { "counts", MAP_HASH, ROLE_RESULT, 5, 12, 8 },
	[TABLE]	 = { "table", MAP_ARRAY, ROLE_TABLE, 4, 8, 8 },
	[LASTS]	 = { "lasts", MAP_PERCPU_ARRAY, ROLE_JOIN, 4, 8, 8 },
	[HINT]	 = { "hint", MAP_HASH, ROLE_HINT, 8, 8, 3 },
	[IDS]	 = { "ids", MAP_HASH, ROLE_TABLE, 4, 8, 8 },
};
#define MAPS (sizeof(maps) / sizeof(maps[0]))

struct machine {
	struct vm *vm;
	uint64_t found;		/* the content of the last record */
	unsigned int records;
};

/* Takes the record of a program; a vm_output_fn. */
static inline void keep(void *arg, unsigned int output, const void *record, uint32_t size)
{
	struct machine *m = arg;

	ck_assert_uint_eq(output, OUT);
	ck_assert_uint_eq(size, 8);
	memcpy(&m->found, record, 8);
	m->records++;
}

/* Makes the machine. */
static inline void start(struct machine *m)
{
	struct error err;

	memset(m, 0, sizeof(*m));
	m->vm = vm_new(maps, MAPS, keep, m, &err);
	ck_assert_msg(m->vm, "%s", err.text);
}

/* Loads a program, and returns its number. */
static inline int load(struct machine *m, const struct insn *program, unsigned int n)
{
	struct bpf_insn *insns = calloc(n, sizeof(*insns));
	struct error err;
	int result;

	for (unsigned int i = 0; i < n; i++)
		insns[i] = program[i].bpf;
	result = vm_load(m->vm, insns, n, &err);
	free(insns);
	ck_assert_msg(result >= 0, "%s", err.text);
	return result;
}

/* Runs a loaded program once. Returns the content of its record. */
static inline uint64_t run(struct machine *m, int program, const struct sample *s)
{
	unsigned int before = m->records;

	ck_assert_int_eq(vm_run(m->vm, program, s, NULL, 0), 0);
	ck_assert_uint_eq(m->records, before + 1);
	return m->found;
}

#define MAP_FD(REG, N) \
	RAW(BPF_LD | BPF_IMM | BPF_DW, REG, BPF_PSEUDO_MAP_FD, 0, N), RAW(0, 0, 0, 0, 0)
#define IMM64(REG, VALUE) \
	RAW(BPF_LD | BPF_IMM | BPF_DW, REG, 0, 0, (int32_t)(VALUE)), \
		RAW(0, 0, 0, 0, (int32_t)((uint64_t)(VALUE) >> 32))
#define RECORD(REG, SIZE, OFF)	RAW(BPF_LD | BPF_ABS | (SIZE), REG, 0, 0, OFF)
#define CALL_RING(HELPER)	RAW(BPF_JMP | BPF_CALL, 0, 0, 0, RING_##HELPER)
#define IF(OP, REG, IMM, OFF)	RAW(BPF_JMP | (OP) | BPF_K, REG, 0, OFF, IMM)
#define ZERO(OFF)		BPF_ST_MEM(BPF_DW, R10, OFF, 0)
#define HAND_OVER \
	BPF_STX_MEM(BPF_DW, R10, R6, -512), MAP_FD(R1, OUT), STACK_ADDRESS(R2, -512), \
		BPF_MOV64_IMM(R3, 8), CALL_RING(OUTPUT), EXIT
#define LOAD(M, ...)		load(M, ARRAY_AND_SIZE(((struct insn[]){ __VA_ARGS__, HAND_OVER })))
#define ARRAY_AND_SIZE(A)	(A), sizeof(A) / sizeof((A)[0])
#define RUN(M, ...)		run(M, LOAD(M, __VA_ARGS__), &(struct sample){ .record = "" })

/* Fails without the program's text, which is too long for libcheck's messages. */
static inline void assert_found(int line, uint64_t found, uint64_t expected)
{
	ck_assert_msg(found == expected, "line %d: found %#llx, not %#llx", line,
		      (unsigned long long)found, (unsigned long long)expected);
}
#define assert_run(FOUND, EXPECTED) assert_found(__LINE__, FOUND, EXPECTED)

#define MINUS(n) ((uint64_t)-(n))

#endif
