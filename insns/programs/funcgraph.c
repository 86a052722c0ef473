// SPDX-License-Identifier: GPL-2.0
/*
 * function.hit:	open[task, depth] = function
 *			output { a call begins }
 * function.return:	gap = open[task, depth] != function
 *			delete open[task, depth]
 *			output { the call ends, rettime - calltime, gap }
 *
 * A gap drops the entries of `open`: so the end of a call tells whether records were lost within.
 */
#include "insns/programs/funcgraph.h"

#include "insns/common.h"

struct open_call {
	uint32_t task, depth;		/* task: the thread's id; of the idle ones ~CPU */
};

struct begun {
	u64 function;
};

static const struct map maps[] = {
	{ "open", MAP_HASH, ROLE_JOIN, sizeof(struct open_call), sizeof(struct begun), 65536,
	  .detail = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &funcgraph_record_layout },
	{ }
};

struct frame {
	struct open_call call;
	struct funcgraph_record record;
};

/* Registers. */
enum { TASK = R6, FUNCTION = R7, DEPTH = R8, TIME = R9 };

/* What both records have; each CPU has an idle task of its own, with the id 0. */
#define CALL_OF_RECORD \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	ZERO(record), \
	FIELD(FUNCTION, "func"), \
	FIELD(DEPTH, "depth"), \
	SET(record.pid_tgid, TASK), \
	SET(record.function, FUNCTION), \
	SET(record.depth, DEPTH), \
	SET_FIELD(record.time, "time"), \
	FIELD(R1, "cpu"), \
	SET(record.cpu, R1), \
	SET_BYTES(record.comm, "comm"), \
	SET(call.depth, DEPTH), \
	SET(call.task, TASK), \
	JNE(TASK, 0, ".named"), \
	FIELD(R1, "cpu"), \
	BPF_ALU64_IMM(BPF_XOR, R1, -1), \
	SET(call.task, R1), \
	LABEL(".named")

static const struct insn on_hit[] = {
	CALL_OF_RECORD,
	STORE("open", call, record.function),
	OUTPUT("events", record),
	EXIT,
};

static const struct insn on_return[] = {
	CALL_OF_RECORD,
	FIELD(TIME, "rettime"),
	FIELD(R1, "calltime"),
	BPF_ALU64_REG(BPF_SUB, TIME, R1),
	SET(record.ns, TIME),
	SET_IMM(record.kind, GRAPH_ENDS),
	SET_IMM(record.gap, 1),
	LOOKUP_OR("open", call, "lost"),
	LOAD(R1, R0, struct begun, function),
	JNE_REG(R1, FUNCTION, "lost"),
	SET_IMM(record.gap, 0),
	DELETE("open", call),
LABEL("lost"),
	OUTPUT("events", record),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("function.hit", on_hit),
	PROGRAM("function.return", on_return),
	{ }
};

const struct program_set funcgraph_programs = { programs, maps };
