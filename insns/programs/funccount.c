// SPDX-License-Identifier: GPL-2.0
/*
 * function.hit:	if (the user asked for another CPU) out
 *		counts[function]++
 */
#include "insns/programs/funccount.h"

#include "insns/hist.h"

static const struct map maps[] = {
	{ "counts", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 100000, .key = &index_key_layout },
	{ }
};

struct frame {
	uint32_t index;
};

/* Registers. */
enum { CPU = R6, TASK = R6, FUNCTION = R6 };

static const struct insn on_hit[] = {
	JUMP_UNLESS("on_cpu", "any_cpu"),
	FIELD(CPU, "cpu"),
	CONST(R1, "cpu"),
	JNE_REG(CPU, R1, "out"),
LABEL("any_cpu"),
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(FUNCTION, "function"),
	COUNT_SLOT("counts", index, FUNCTION),		/* counts[function]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("function.hit", on_hit),
	{ }
};

const struct program_set funccount_programs = { programs, maps };
