// SPDX-License-Identifier: GPL-2.0
/*
 * kill.enter, kill.thread_enter:	start[tid] = { tpid, sig, call }
 * kill.exit, kill.thread_exit:		s = take start[tid]; if (s) output { s, ret }
 */
#include "insns/programs/killsnoop.h"

#include "insns/kills.h"

static const struct map maps[] = {
	KILLS_MAP,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &killsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	struct sent_signal start;
	struct killsnoop_record record;
};

/* Registers. */
enum { RET = R6, TASK = R7 };

static const struct insn on_enter[] = { KILL_BEGINS(TASK), EXIT };

static const struct insn on_exit[] = {
	KILL_ENDS(TASK, RET, record.tpid, "out"),
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
