// SPDX-License-Identifier: GPL-2.0
/*
 * thread.make:	start[tid] = start
 * thread.made:	if (ret == 0) output { task, start[tid], with -U the maker's stack }
 *		delete start[tid]
 *
 * The stack is taken at the return, where it is complete: when a function begins, its own frame
 * does not exist yet, and a walk by frame pointers skips its caller.
 */
#include "insns/programs/threadsnoop.h"

#include <errno.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &threadsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	u64 start;
	struct threadsnoop_record record;
};

/* Registers. */
enum { TASK = R6, RET = R7, USER_STACK = R7, START = R8 };

static const struct insn on_make[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	SET_FIELD(start, "start"),
	STORE("start", tid, start),			/* start[tid] = start */
	EXIT,
};

static const struct insn on_made[] = {
	FIELD(TASK, "pid_tgid"),
	SET(tid, TASK),
	LOOKUP_OR("start", tid, "out"),
	BPF_LDX_MEM(BPF_DW, START, R0, 0),
	DELETE("start", tid),				/* delete start[tid] */
	FIELD(RET, "ret"),
	JNE(RET, 0, "out"),
	BPF_MOV64_IMM(USER_STACK, -EFAULT),
	JUMP_UNLESS("user-stacks", "bare"),
	STACK(USER_STACK, "user_stack"),
LABEL("bare"),
	SET(record.user_stack, USER_STACK),
	SET(record.pid_tgid, TASK),
	SET_IMM(record.none, 0),
	SET_FIELD(record.time, "time"),
	SET(record.start, START),
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("thread.make", on_make),
	PROGRAM("thread.made", on_made),
	{ }
};

const struct program_set threadsnoop_programs = { programs, maps };
