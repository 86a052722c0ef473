// SPDX-License-Identifier: GPL-2.0
/*
 * function.hit:	output { task, its stacks }
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

/* Registers. */
enum { TASK = R6, KERNEL_STACK = R7, USER_STACK = R8 };

static const struct insn on_hit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	BPF_MOV64_IMM(KERNEL_STACK, -EFAULT),
	BPF_MOV64_IMM(USER_STACK, -EFAULT),
	SET_IMM(record.caller, 0),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(KERNEL_STACK, "kernel_stack"),
LABEL("user"),
	JUMP_UNLESS("user_stacks", "stacked"),
	STACK(USER_STACK, "user_stack"),
	SET_FIELD(record.caller, "caller"),
LABEL("stacked"),
	SET(record.kernel_stack, KERNEL_STACK),
	SET(record.user_stack, USER_STACK),
	SET(record.pid_tgid, TASK),
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
