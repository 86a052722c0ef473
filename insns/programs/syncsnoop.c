// SPDX-License-Identifier: GPL-2.0
/*
 * sync.enter, sync.file_enter:	start[tid] = { now, call }
 * sync.exit, sync.file_exit:	s = take start[tid]; if (s) output { s }
 *
 * One function may have two probes: on some kernels the function of 64-bit tasks has a second name
 * for 32-bit ones. So a call is a pair of an enter and an exit.
 */
#include "insns/programs/syncsnoop.h"

#include <errno.h>
#include <stddef.h>

#include "insns/common.h"

struct start {
	u64 time;
	u64 call;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240, .calls = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &syncsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	struct start start;
	struct syncsnoop_record record;
};

/* Registers. */
enum { TASK = R7, CALL = R8, RET = R8 };

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	SET_FIELD(start.time, "time"),			/* s.time = now */
	FIELD(CALL, "call"),
	JUMP_UNLESS("constant:call", "request"),
	JUMP("call"),
LABEL("request"),					/* its flags: IORING_FSYNC_DATASYNC */
	BPF_ALU64_IMM(BPF_AND, CALL, 1),
	BPF_ALU64_IMM(BPF_ADD, CALL, 2),		/* an fsync or fdatasync */
LABEL("call"),
	SET(start.call, CALL),				/* s.call = call */
	STORE("start", tid, start),			/* start[tid] = s */
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET(tid, TASK),
	LOOKUP_OR("start", tid, "out"),			/* s = start[tid] */
	LOAD(R1, R0, struct start, time),
	SET(record.time, R1),				/* r.time, r.call = s.time, s.call */
	LOAD(R1, R0, struct start, call),
	SET(record.call, R1),
	DELETE("start", tid),
	FIELD(RET, "ret"),
	JEQ(RET, -EAGAIN, "out"),			/* a worker of io_uring will do it */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("sync.enter", on_enter),
	PROGRAM("sync.exit", on_exit),
	PROGRAM("sync.file_enter", on_enter, .option = "all"),
	PROGRAM("sync.file_exit", on_exit, .option = "all"),
	{ }
};

const struct program_set syncsnoop_programs = { programs, maps };
