// SPDX-License-Identifier: GPL-2.0
/*
 * thread.make:	start[tid] = start
 * thread.made:	if (it went well) output { who, start[tid], with -U the maker's stack }
 *		delete start[tid]
 *
 * At the return the stack is complete: when a function begins, its caller has a frame, but the
 * frame does not say where the caller is.
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

static const struct insn on_make[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	SET(tid, R6),
	SET_FIELD(start, "start"),
	STORE("start", tid, start),			/* start[tid] = start */
	EXIT,
};

static const struct insn on_made[] = {
	FIELD(R6, "pid_tgid"),
	SET(tid, R6),
	LOOKUP_OR("start", tid, "out"),
	BPF_LDX_MEM(BPF_DW, R8, R0, 0),
	DELETE("start", tid),				/* delete start[tid] */
	FIELD(R7, "ret"),
	JNE(R7, 0, "out"),
	BPF_MOV64_IMM(R7, -EFAULT),
	JUMP_UNLESS("user-stacks", "bare"),
	STACK(R7, "user_stack"),
LABEL("bare"),
	SET(record.user_stack, R7),
	SET(record.pid_tgid, R6),
	SET_IMM(record.none, 0),
	SET_FIELD(record.time, "time"),
	SET(record.start, R8),
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
