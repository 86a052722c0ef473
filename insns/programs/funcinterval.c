// SPDX-License-Identifier: GPL-2.0
/*
 * funclatency --between:
 *
 * function.hit:	t = last[function]; last[function] = now
 *			if (t) hist[slot((now - t) / unit)]++, totals += now - t
 *
 * In user space each process has its own calls of a function.
 */
#include <stddef.h>

#include "insns/programs/funclatency_count.h"

static const struct map maps[] = {
	{ "last", MAP_HASH, ROLE_JOIN, 8, 8, 65536 },
	TIME_MAPS,
	{ }
};

struct frame {
	u64 function;
	u64 time;
	struct funclatency_key hist;
	uint32_t index;
};

/* Registers. */
enum { TASK = R6, SLOT = R6, NOW = R7, DELTA = R7, LAST = R8, FUNCTION = R9 };

static const struct insn on_hit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FUNCTION_OF(FUNCTION, TASK),
	SET(function, FUNCTION),
	FIELD(NOW, "time"),
	LOOKUP_OR("last", function, "first"),
	BPF_LDX_MEM(BPF_DW, LAST, R0, 0),		/* t = last[function] */
	BPF_STX_MEM(BPF_DW, R0, NOW, 0),		/* last[function] = now */
	JGT_REG(LAST, NOW, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), LAST),	/* delta = now - t */
	COUNT_TIME(DELTA, SLOT),			/* totals += delta */
	JUMP_UNLESS("functions", "one"),
	SET(hist.id, FUNCTION),
	COUNT_GROUP("hists", hist, SLOT, DELTA),		/* hists[function, slot]++ */
	JUMP("out"),
LABEL("one"),
	COUNT_VALUE("hist", index, SLOT, DELTA),		/* hist[slot]++ */
	JUMP("out"),
LABEL("first"),
	SET(time, NOW),
	STORE("last", function, time),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("function.hit", on_hit),
	{ }
};

const struct program_set funcinterval_programs = { programs, maps };
