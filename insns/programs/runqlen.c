// SPDX-License-Identifier: GPL-2.0
/*
 * runq.sample:	n = tasks that run or wait on this CPU, minus the running one; hists[cpu, n]++
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

/* Registers. */
enum { RUNNING = R6, N = R6, QUEUED = R7, RUNNABLE = R8 };

static const struct insn on_sample[] = {
	FIELD_OR(RUNNING, "running", "out"),
	FIELD_OR(QUEUED, "queued", "out"),
	FIELD_OR(RUNNABLE, "runnable", "out"),
	BPF_ALU64_REG(BPF_SUB, RENAME(N, RUNNING), QUEUED),
	BPF_ALU64_REG(BPF_ADD, N, RUNNABLE),
	JSGT(N, 0, "busy"),
	BPF_MOV64_IMM(N, 1),			/* no task: not even a running one */
LABEL("busy"),
	BPF_ALU64_IMM(BPF_SUB, N, 1),	/* n = running - (queued - runnable) - 1, or 0 */
	JLE(N, RUNQLEN_MAX, "count"),
	BPF_MOV64_IMM(N, RUNQLEN_MAX),
LABEL("count"),
	SET(hist.length, N),
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
