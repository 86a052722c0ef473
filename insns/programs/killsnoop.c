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
	u64 call;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240, .calls = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &killsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	struct start start;
	struct killsnoop_record record;
};

/* Registers. */
enum { CALL = R6, RET = R6, TASK = R7 };

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET_FIELD(start.tpid, "tpid"),			/* s.tpid = tpid */
	SET_FIELD(start.sig, "sig"),			/* s.sig = sig */
	SET_FIELD(start.call, "call"),			/* s.call = call */
	SET(tid, TASK),
	STORE("start", tid, start),			/* start[tid] = s */
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET(tid, TASK),
	LOOKUP_OR("start", tid, "out"),			/* s = start[tid] */
	COPY_FROM(record.tpid, R0, struct start, tpid),	/* r.tpid, r.sig = s.tpid, s.sig */
	COPY_FROM(record.sig, R0, struct start, sig),
	LOAD(CALL, R0, struct start, call),
	SET(record.call, CALL),				/* r.call = s.call */
	DELETE("start", tid),
	FIELD(RET, "ret"),
	JUMP_UNLESS("failed", "any"),
	JSGE(RET, 0, "out"),				/* if (ret >= 0) out */
LABEL("any"),
	SET(record.ret, RET),				/* r.ret = ret */
	SET_FIELD(record.time, "time"),			/* r.time = now */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	OUTPUT("events", record),
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
