// SPDX-License-Identifier: GPL-2.0
/*
 * gone.enter:	start[tid] = { call, flags, the paths }
 * gone.exit:	s = take start[tid]; if (s && ret == 0) output the first path, then the second one
 *
 * One record for each path: 4.9 and older take records only from the stack. The paths are read at
 * the return, when they are in memory, because the kernel has read them; or in the kernel's copy.
 */
#include "insns/programs/filegone.h"

#include <stddef.h>

#include "insns/common.h"

/* A call under way. */
struct start {
	u64 paths[2];			/* the second one is 0: it has none */
	uint32_t call;
	uint32_t flags;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240, .calls = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &filegone_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	struct start start;
	struct filegone_record record;
};

/* Registers. */
enum { PATH = R6, TO = R6, RET = R6, FIRST = R6, TASK = R7, SECOND = R8 };

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	STRING(PATH, "path0"),
	SET(start.paths[0], PATH),
	SET_IMM(start.paths[1], 0),
	JUMP_UNLESS("input:to", "one"),
	FIELD(TO, "to?"),
	JEQ(TO, 0, "one"),
	STRING(PATH, "path1?"),
	SET(start.paths[1], PATH),
LABEL("one"),
	SET_FIELD(start.call, "call"),
	SET_FIELD(start.flags, "flags"),
	STORE_CALL("start", tid, start),		/* start[tid] = s */
	EXIT,
};

/* r.path = the text at REG */
#define READ(REG) \
	GET(R1, start.call), \
	JSET(R1, GONE_COPIED, ".copied"), \
	SET_USER_PATH(record.path, REG), \
	JUMP(".read"), \
	LABEL(".copied"), \
	SET_KERNEL_PATH(record.path, REG), \
	LABEL(".read")

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),
	SET(tid, TASK),
	LOOKUP_OR("start", tid, "out"),			/* s = take start[tid] */
	COPY_ALL(start, R0),
	DELETE("start", tid),
	FIELD(RET, "ret"),
	JNE(RET, 0, "out"),				/* if (ret) out */
	SET_FIELD(record.time, "time"),
	SET_BYTES(record.comm, "comm"),
	GET(R1, start.call),
	BPF_ALU64_IMM(BPF_AND, R1, GONE_COPIED - 1),
	SET(record.call, R1),
	COPY(record.flags, start.flags),
	SET_IMM(record.pad, 0),
	GET(FIRST, start.paths[0]),
	GET(SECOND, start.paths[1]),
	SET_IMM(record.more, 0),
	JEQ(SECOND, 0, "last"),
	SET_IMM(record.more, 1),
	READ(FIRST),
	OUTPUT("events", record),			/* output { s, the first path } */
	SET_IMM(record.more, 0),
	BPF_MOV64_REG(FIRST, SECOND),
LABEL("last"),
	READ(FIRST),
	OUTPUT("events", record),			/* output { s, the last path } */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("gone.enter", on_enter),
	PROGRAM("gone.exit", on_exit),
	{ }
};

const struct program_set filegone_programs = { programs, maps };
