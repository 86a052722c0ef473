// SPDX-License-Identifier: GPL-2.0
/*
 * host.enter:	if (another function asked just before, or there is no host) out
 *		start[tid] = { now, call, host }
 * host.exit:	s = start[tid]
 *		if (s.call == call) output { now - s.time, s.host }, delete start[tid]
 * task.exit:	delete start[tid]
 *
 * The functions call each other, with the same name and within microseconds: the outermost one is
 * shown. One that never returns, because its thread jumps out of it or ends, is forgotten after a
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

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	SET(tid, R7),
	FIELD(R7, "time"),
	SET(start.time, R7),				/* s.time = now */
	FIELD(R8, "call"),
	SET(start.call, R8),				/* s.call = call */
	LOOKUP_OR("start", tid, "outermost"),		/* o = start[tid] */
	LOAD(R1, R0, struct start, call),
	JEQ_REG(R1, R8, "outermost"),
	LOAD(R1, R0, struct start, time),
	BPF_ALU64_REG(BPF_SUB, R7, R1),
	JGT(R7, SECOND, "outermost"),
	JUMP("out"),				/* if (o.call != call && now - o.time <= 1 s) out */
LABEL("outermost"),
	FIELD(R6, "pointer"),
	JEQ(R6, 0, "nobody"),
	STRING(R6, "host"),
	SET(start.host, R6),				/* s.host = host */
	STORE("start", tid, start),			/* start[tid] = s */
	JUMP("out"),
LABEL("nobody"),
	DELETE("start", tid),				/* only a port is asked for */
LABEL("out"),
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	SET(record.pid_tgid, R7),			/* r.pid_tgid */
	SET(tid, R7),
	LOOKUP_OR("start", tid, "out"),			/* s = start[tid] */
	LOAD(R8, R0, struct start, time),
	LOAD(R9, R0, struct start, host),
	LOAD(R7, R0, struct start, call),
	FIELD(R6, "call"),
	JNE_REG(R6, R7, "out"),				/* if (s.call != call) out */
	SET(record.call, R6),				/* r.call = call */
	DELETE("start", tid),
	FIELD(R6, "time"),
	SET(record.time, R6),				/* r.time = now */
	BPF_ALU64_REG(BPF_SUB, R6, R8),
	SET(record.ns, R6),				/* r.ns = now - s.time */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	/* By now the call itself has read the name: its page is there. */
	SET_USER_PATH(record.host, R9),			/* r.host = text at s.host */
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	SET_FIELD(tid, "pid"),
	DELETE("start", tid),				/* it was killed while it waited */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("host.enter", on_enter),
	PROGRAM("host.exit", on_exit),
	PROGRAM("task.exit", on_task_exit, .spare = true),
	{ }
};

const struct program_set gethostlatency_programs = { programs, maps };
