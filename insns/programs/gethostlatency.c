// SPDX-License-Identifier: GPL-2.0
/*
 * host.enter:	unless another function asked just before: start[tid] = { now, call, host }, if there is a host
 * host.exit:	s = start[tid]; if (s.call == call) output { now - s.time, s.host }, delete start[tid]
 * task.exit:	delete start[tid]
 *
 * The functions call each other, with the same name and within microseconds: the outermost one is told. One that never
 * returned, because its thread jumped out of it or ended, stands in nobody's way a second later.
 */
#include "insns/programs/gethostlatency.h"

#include <stddef.h>

#define SECOND 1000000000

struct start {
	uint64_t time, host, call;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define START(MEMBER) (-32 + (int)offsetof(struct start, MEMBER))

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, START(time)),	/* s.time = now */
	FIELD(R8, "call"),
	BPF_STX_MEM(BPF_DW, R10, R8, START(call)),	/* s.call = call */
	LOOKUP("start", KEY),				/* o = start[tid] */
	JUMP_IF(BPF_JEQ, R0, 0, "outermost"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, call)),
	JUMP_IF_REG(BPF_JEQ, R1, R8, "outermost"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, time)),
	BPF_ALU64_REG(BPF_SUB, R7, R1),
	JUMP_IF(BPF_JGT, R7, SECOND, "outermost"),
	JUMP("out"),					/* if (o.call != call && now - o.time <= 1 s) out */
LABEL("outermost"),
	FIELD(R6, "pointer"),
	JUMP_IF(BPF_JEQ, R6, 0, "nobody"),
	STRING(R6, "host"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(host)),	/* s.host = host */
	STORE("start", KEY, START(time)),		/* start[tid] = s */
	JUMP("out"),
LABEL("nobody"),
	DELETE("start", KEY),				/* only a port is asked for */
LABEL("out"),
	EXIT,
};

#define RECORD(MEMBER) (-328 + (int)offsetof(struct gethostlatency_record, MEMBER))

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),	/* r.pid_tgid */
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	LOOKUP("start", KEY),				/* s = start[tid] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R8, R0, offsetof(struct start, time)),
	BPF_LDX_MEM(BPF_DW, R9, R0, offsetof(struct start, host)),
	BPF_LDX_MEM(BPF_DW, R7, R0, offsetof(struct start, call)),
	FIELD(R6, "call"),
	JUMP_IF_REG(BPF_JNE, R6, R7, "out"),		/* if (s.call != call) out */
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(call)),	/* r.call = call */
	DELETE("start", KEY),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(time)),	/* r.time = now */
	BPF_ALU64_REG(BPF_SUB, R6, R8),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(ns)),	/* r.ns = now - s.time */
	BYTES(RECORD(comm), "comm", 16),		/* r.comm */
	/* By now the call itself has read it: its page is there. */
	READ_USER_STRING(RECORD(host.path), PATH_READ, R9),	/* r.host = text at s.host */
	BPF_STX_MEM(BPF_DW, R10, R0, RECORD(host.length)),
	OUTPUT("events", RECORD(time), sizeof(struct gethostlatency_record)),
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	DELETE("start", KEY),				/* it was killed while it waited */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("host.enter", on_enter),
	PROGRAM("host.exit", on_exit),
	PROGRAM("task.exit", on_task_exit, .spare = true),
	{ }
};

const struct program_set gethostlatency_programs = { programs, maps };
