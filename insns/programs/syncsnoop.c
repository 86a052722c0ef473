// SPDX-License-Identifier: GPL-2.0
/*
 * sync.enter, sync.file_enter:	start[tid] = { now, call }
 * sync.exit, sync.file_exit:	s = take start[tid]; if (s) output { s }
 *
 * Two probes may stand on one function: on some kernels that of 64-bit tasks has a second name for 32-bit ones. So a
 * call is a pair of an enter and an exit.
 */
#include "insns/programs/syncsnoop.h"

#include <stddef.h>

#include "insns/common.h"

struct start {
	uint64_t time;
	uint64_t call;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define START(MEMBER) (-24 + (int)offsetof(struct start, MEMBER))
#define RECORD(MEMBER) (-64 + (int)offsetof(struct syncsnoop_record, MEMBER))

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(time)),	/* s.time = now */
	FIELD(R6, "call"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(call)),	/* s.call = call */
	STORE("start", KEY, START(time)),		/* start[tid] = s */
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),	/* r.pid_tgid */
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	LOOKUP("start", KEY),				/* s = start[tid] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, time)),
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(time)),	/* r.time, r.call = s.time, s.call */
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, call)),
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(call)),
	DELETE("start", KEY),
	BYTES(RECORD(comm), "comm", 16),		/* r.comm */
	OUTPUT("events", RECORD(time), sizeof(struct syncsnoop_record)),
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
