// SPDX-License-Identifier: GPL-2.0
/*
 * runq.sample:	n = tasks that run or wait on this CPU, less the one that runs; hists[cpu, n]++
 */
#include "insns/programs/runqlen.h"

#include <stddef.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct runqlen_key), 8, 16384,
	  .key = &runqlen_key_layout },
	{ }
};

struct frame {
	struct runqlen_key hist;
};

static const struct insn on_sample[] = {
	FIELD_OR(R6, "running", "out"),
	FIELD_OR(R7, "queued", "out"),
	FIELD_OR(R8, "runnable", "out"),
	BPF_ALU64_REG(BPF_SUB, R6, R7),
	BPF_ALU64_REG(BPF_ADD, R6, R8),
	JSGT(R6, 0, "busy"),
	BPF_MOV64_IMM(R6, 1),				/* nobody: not even one who runs */
LABEL("busy"),
	BPF_ALU64_IMM(BPF_SUB, R6, 1),		/* n = running - (queued - runnable) - 1, or 0 */
	JLE(R6, RUNQLEN_MAX, "count"),
	BPF_MOV64_IMM(R6, RUNQLEN_MAX),
LABEL("count"),
	SET(hist.length, R6),
	SET_FIELD(hist.cpu, "cpu"),
	SET_EPOCH(hist.epoch),
	COUNT("hists", hist),				/* hists[cpu, n]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("runq.sample", on_sample),
	{ }
};

const struct program_set runqlen_programs = { programs, maps };
