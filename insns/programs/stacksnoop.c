// SPDX-License-Identifier: GPL-2.0
/*
 * function.hit:	output { who, its stacks }
 */
#include "insns/programs/stacksnoop.h"

#include <errno.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &stacksnoop_record_layout },
	{ }
};

struct frame {
	struct stacksnoop_record record;
};

static const struct insn on_hit[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	BPF_MOV64_IMM(R7, -EFAULT),
	BPF_MOV64_IMM(R8, -EFAULT),
	SET_IMM(record.caller, 0),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(R7, "kernel_stack"),
LABEL("user"),
	JUMP_UNLESS("user_stacks", "stacked"),
	STACK(R8, "user_stack"),
	SET_FIELD(record.caller, "caller"),
LABEL("stacked"),
	SET(record.kernel_stack, R7),
	SET(record.user_stack, R8),
	SET(record.pid_tgid, R6),
	SET_IMM(record.none, 0),
	SET_FIELD(record.time, "time"),
	SET_FIELD(record.cpu, "cpu"),
	SET_FIELD(record.function, "function"),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("function.hit", on_hit),
	{ }
};

const struct program_set stacksnoop_programs = { programs, maps };
