// SPDX-License-Identifier: GPL-2.0
/*
 * function.hit:	start[call] = { now, pid_tgid, arguments, stacks }
 * function.return:	s = start[call]; if (s.pid_tgid != pid_tgid) out
 *			delete start[call]
 *			if (now - s.time >= min) output { now - s.time, retval, s }
 */
#include "insns/programs/funcslower.h"

#include <errno.h>

#include "insns/calls.h"

struct start {
	u64 time, pid_tgid;
	u64 args[FUNC_ARGUMENTS];
	int32_t kernel_stack, user_stack;
	u64 caller;
};

RECORD_LAYOUT(start,
	FIELD_OF(start, kernel_stack, STACK),
	FIELD_OF(start, user_stack, STACK));

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct call_key), sizeof(struct start), 65536,
	  .calls = true, .value = &start_layout },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &funcslower_record_layout },
	{ }
};

struct frame {
	struct call_key call;
	union {
		struct start start;
		struct funcslower_record record;
	};
};

/* start.args[N - 1] = argument N; if the user asked for fewer, goto ENOUGH. */
#define ARGUMENT(N, ENOUGH) \
	JUMP_UNLESS("argument" #N, ENOUGH), \
	FIELD(R0, "arg" #N "?"), \
	SET(start.args[(N) - 1], R0)

/* Registers. */
enum {
	TASK = R6,
	KERNEL_STACK = R7, NOW = R7, DELTA = R7, SP = R7,
	USER_STACK = R8, BEGAN = R8,
};

static const struct insn on_hit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	CALL_BEGINS(call, TASK),
	ZERO(start),
	ARGUMENT(1, "argued"),
	ARGUMENT(2, "argued"),
	ARGUMENT(3, "argued"),
	ARGUMENT(4, "argued"),
	ARGUMENT(5, "argued"),
	ARGUMENT(6, "argued"),
LABEL("argued"),
	ASKED_STACKS(KERNEL_STACK, USER_STACK),
	JUMP_UNLESS("user-stacks", "stacked"),
	SET_FIELD(start.caller, "caller"),
LABEL("stacked"),
	SET(start.kernel_stack, KERNEL_STACK),
	SET(start.user_stack, USER_STACK),
	SET(start.pid_tgid, TASK),
	SET_FIELD(start.time, "time"),
	CALL_AGAIN("start", call, struct start, TASK),
	STORE("start", call, start),			/* start[call] = { now, ... } */
	EXIT,
};

static const struct insn on_return[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	CALL_ENDS(call, TASK, SP),
	LOOKUP_OR("start", call, "out"),
	LOAD(BEGAN, R0, struct start, time),
	LOAD(R1, R0, struct start, pid_tgid),
	JNE_REG(R1, TASK, "out"),			/* it is the entry of another thread */
	COPY_FROM(record.args, R0, struct start, args),
	LOAD(R1, R0, struct start, kernel_stack),
	SET(record.kernel_stack, R1),
	LOAD(R1, R0, struct start, user_stack),
	SET(record.user_stack, R1),
	LOAD(R1, R0, struct start, caller),
	SET(record.caller, R1),
	DELETE("start", call),
	FIELD(NOW, "time"),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	SET(record.time, NOW),
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),	/* ns = now - s.time */
	SET(record.ns, DELTA),
	CONST(R1, "min"),
	JGT_REG(R1, DELTA, "out"),
	SET(record.pid_tgid, TASK),
	SET_FIELD(record.retval, "retval"),
	SET_FIELD(record.function, "function"),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	/*
	 * The probe that is made last runs first. So the stack is taken before the kernel replaces
	 * the return address by a trampoline's; kernels before 5.14 can't walk beyond that.
	 */
	PROGRAM("function.return", on_return),
	PROGRAM("function.hit", on_hit),
	{ }
};

const struct program_set funcslower_programs = { programs, maps };
