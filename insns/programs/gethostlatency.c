// SPDX-License-Identifier: GPL-2.0
/*
 * host.enter:	if (another call began just before, or there is no host) out
 *		start[tid] = { now, call, host }
 * host.exit:	s = start[tid]
 *		if (s.call == call) output { now - s.time, s.host }, delete start[tid]
 * task.exit:	delete start[tid]
 *
 * The functions call each other, with the same host and within microseconds: the outermost call is
 * shown. A call that never returns, because its thread jumps out of it or ends, is replaced after a
 * second.
 */
#include "insns/programs/gethostlatency.h"

#include <stddef.h>

#define SECOND 1000000000

struct start {
	u64 time, host, call;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &gethostlatency_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	struct start start;
	struct gethostlatency_record record;
};

/* Registers of on_enter. */
enum { POINTER = R6, HOST = R6, TASK = R7, NOW = R7, AGE = R7, CALL = R8 };

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	FIELD(NOW, "time"),
	SET(start.time, NOW),				/* s.time = now */
	FIELD(CALL, "call"),
	SET(start.call, CALL),				/* s.call = call */
	LOOKUP_OR("start", tid, "outermost"),		/* o = start[tid] */
	LOAD(R1, R0, struct start, call),
	JEQ_REG(R1, CALL, "outermost"),
	LOAD(R1, R0, struct start, time),
	BPF_ALU64_REG(BPF_SUB, RENAME(AGE, NOW), R1),
	JGT(AGE, SECOND, "outermost"),
	JUMP("out"),				/* if (o.call != call && now - o.time <= 1 s) out */
LABEL("outermost"),
	FIELD(POINTER, "pointer"),
	JEQ(POINTER, 0, "nobody"),
	STRING(HOST, "host"),
	SET(start.host, HOST),				/* s.host = host */
	STORE("start", tid, start),			/* start[tid] = s */
	JUMP("out"),
LABEL("nobody"),
	DELETE("start", tid),				/* only a port is asked for */
LABEL("out"),
	EXIT,
};

/* Registers of on_exit, beside TASK. */
enum { ENDS = R6, ENDED = R6, DELTA = R6, BEGAN_BY = R7, BEGAN = R8, NAME = R9 };

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET(tid, TASK),
	LOOKUP_OR("start", tid, "out"),			/* s = start[tid] */
	LOAD(BEGAN, R0, struct start, time),
	LOAD(NAME, R0, struct start, host),
	LOAD(BEGAN_BY, R0, struct start, call),
	FIELD(ENDS, "call"),
	JNE_REG(ENDS, BEGAN_BY, "out"),			/* if (s.call != call) out */
	SET(record.call, ENDS),				/* r.call = call */
	DELETE("start", tid),
	FIELD(ENDED, "time"),
	SET(record.time, ENDED),			/* r.time = now */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, ENDED), BEGAN),
	SET(record.ns, DELTA),				/* r.ns = now - s.time */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	/* The call itself has read the name by now: its page is in memory. */
	SET_USER_PATH(record.host, NAME),		/* r.host = text at s.host */
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	SET_FIELD(tid, "pid"),
	DELETE("start", tid),				/* the task was killed within the call */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("host.enter", on_enter),
	PROGRAM("host.exit", on_exit),
	PROGRAM("task.exit", on_task_exit, .spare = true),
	{ }
};

const struct program_set gethostlatency_programs = { programs, maps };
