// SPDX-License-Identifier: GPL-2.0
/*
 * kill.enter, kill.thread_enter:	start[tid] = { tpid, sig, call }
 * kill.exit, kill.thread_exit:		s = take start[tid]; if (s) output { s, ret }
 */
#include "insns/programs/killsnoop.h"

#include <stddef.h>

#include "insns/common.h"

struct start {
	int32_t tpid;
	int32_t sig;
	uint64_t call;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define START(MEMBER) (-24 + (int)offsetof(struct start, MEMBER))

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	FIELD(R6, "tpid"),
	BPF_STX_MEM(BPF_W, R10, R6, START(tpid)),	/* s.tpid = tpid */
	FIELD(R6, "sig"),
	BPF_STX_MEM(BPF_W, R10, R6, START(sig)),	/* s.sig = sig */
	FIELD(R6, "call"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(call)),	/* s.call = call */
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	STORE("start", KEY, START(tpid)),		/* start[tid] = s */
	EXIT,
};

#define RECORD(MEMBER) (-64 + (int)offsetof(struct killsnoop_record, MEMBER))

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),	/* r.pid_tgid */
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	LOOKUP("start", KEY),				/* s = start[tid] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R6, R0, 0),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(tpid)),	/* r.tpid, r.sig = s.tpid, s.sig */
	BPF_LDX_MEM(BPF_DW, R6, R0, offsetof(struct start, call)),
	BPF_STX_MEM(BPF_W, R10, R6, RECORD(call)),	/* r.call = s.call */
	DELETE("start", KEY),
	FIELD(R6, "ret"),
	UNLESS("failed", "any"),
	JUMP_IF(BPF_JSGT, R6, -1, "out"),		/* if (ret >= 0) out */
LABEL("any"),
	BPF_STX_MEM(BPF_W, R10, R6, RECORD(ret)),	/* r.ret = ret */
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(time)),	/* r.time = now */
	BYTES(RECORD(comm), "comm", 16),		/* r.comm */
	OUTPUT("events", RECORD(time), sizeof(struct killsnoop_record)),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("kill.enter", on_enter),
	PROGRAM("kill.exit", on_exit),
	PROGRAM("kill.thread_enter", on_enter, .option = "all"),
	PROGRAM("kill.thread_exit", on_exit, .option = "all"),
	{ }
};

const struct program_set killsnoop_programs = { programs, maps };
