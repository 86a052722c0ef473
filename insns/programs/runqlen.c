// SPDX-License-Identifier: GPL-2.0
/*
 * runq.sample:	n = tasks that run or wait on this CPU, less the one that runs; hists[cpu, n]++
 */
#include "insns/programs/runqlen.h"

#include <stddef.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct runqlen_key), 8, 16384 },
	{ }
};

#define HIST(MEMBER) (-16 + (int)offsetof(struct runqlen_key, MEMBER))
#define ONE -24

static const struct insn on_sample[] = {
	FIELD_OR(R6, "running", "out"),
	FIELD_OR(R7, "queued", "out"),
	FIELD_OR(R8, "runnable", "out"),
	BPF_ALU64_REG(BPF_SUB, R6, R7),
	BPF_ALU64_REG(BPF_ADD, R6, R8),
	JUMP_IF(BPF_JSGT, R6, 0, "busy"),
	BPF_MOV64_IMM(R6, 1),				/* nobody: not even one who runs */
LABEL("busy"),
	BPF_ALU64_IMM(BPF_SUB, R6, 1),			/* n = running - (queued - runnable) - 1, or 0 */
	JUMP_IF(BPF_JGT, R6, RUNQLEN_MAX, "long"),
	JUMP("count"),
LABEL("long"),
	BPF_MOV64_IMM(R6, RUNQLEN_MAX),
LABEL("count"),
	BPF_STX_MEM(BPF_W, R10, R6, HIST(length)),
	FIELD(R7, "cpu"),
	BPF_STX_MEM(BPF_DW, R10, R7, HIST(cpu)),
	EPOCH(R7),
	BPF_STX_MEM(BPF_W, R10, R7, HIST(epoch)),
	COUNT_KEY("hists", HIST(epoch), ONE),		/* hists[cpu, n]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("runq.sample", on_sample),
	{ }
};

const struct program_set runqlen_programs = { programs, maps };
