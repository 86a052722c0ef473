// SPDX-License-Identifier: GPL-2.0
/* uring.request:	if (opcodes & 1 << opcode) uring[0]++ */
#include "insns/programs/uring.h"

#include "insns/hist.h"

const struct map uring_maps[] = {
	{ URING_COUNT, MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 1 },
	{ }
};

struct frame {
	uint32_t index;
};

/* Registers. */
enum { OPCODE = R6, BIT = R7, TASK = R8 };

static const struct insn on_request[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(OPCODE, "opcode"),
	JGT(OPCODE, 63, "out"),
	BPF_MOV64_IMM(BIT, 1),
	BPF_ALU64_REG(BPF_LSH, BIT, OPCODE),
	CONST(R1, URING_OPCODES),
	JSET_REG(BIT, R1, "counts"),
	JUMP("out"),
LABEL("counts"),
	COUNT_INDEX(URING_COUNT, index, 0),
LABEL("out"),
	EXIT,
};

/* Nothing is missing without it: kernels without the event have no io_uring, or an old one. */
const struct program uring_program = PROGRAM(URING_HOOK, on_request, .spare = true);
