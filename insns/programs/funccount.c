// SPDX-License-Identifier: GPL-2.0
/*
 * function.hit:	if (a CPU was asked for, and it is another one) out
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

static const struct insn on_hit[] = {
	JUMP_UNLESS("on_cpu", "any_cpu"),
	FIELD(R6, "cpu"),
	CONST(R1, "cpu"),
	JNE_REG(R6, R1, "out"),
LABEL("any_cpu"),
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	FIELD(R6, "function"),
	COUNT_SLOT("counts", index, R6),		/* counts[function]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("function.hit", on_hit),
	{ }
};

const struct program_set funccount_programs = { programs, maps };
