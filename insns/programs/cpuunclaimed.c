// SPDX-License-Identifier: GPL-2.0
/*
 * runq.sample:	output { now, this CPU, tasks that run or wait on it }
 */
#include "insns/programs/cpuunclaimed.h"

#include "insns/common.h"

static const struct map maps[] = {
	{ "samples", MAP_OUTPUT, .value = &unclaimed_record_layout },
	{ }
};

struct frame {
	struct unclaimed_record record;
};

/* Registers. */
enum { RUNNING = R6, N = R6, QUEUED = R7, RUNNABLE = R8 };

static const struct insn on_sample[] = {
	FIELD_OR(RUNNING, "running", "out"),
	FIELD_OR(QUEUED, "queued", "out"),
	FIELD_OR(RUNNABLE, "runnable", "out"),
	BPF_ALU64_REG(BPF_SUB, RENAME(N, RUNNING), QUEUED),
	BPF_ALU64_REG(BPF_ADD, N, RUNNABLE),
	JSGE(N, 0, "some"),
	BPF_MOV64_IMM(N, 0),
LABEL("some"),
	SET_FIELD(record.time, "time"),
	SET_FIELD(record.cpu, "cpu"),
	SET(record.tasks, N),
	OUTPUT("samples", record),	/* output { now, cpu, running - (queued - runnable) } */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("runq.sample", on_sample),
	{ }
};

const struct program_set cpuunclaimed_programs = { programs, maps };
