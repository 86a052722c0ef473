// SPDX-License-Identifier: GPL-2.0
/*
 * signal.generate:	output { now, task, sig, code, result, tid, tgids[tid], group }
 * signal.deliver:	with --delivered: output { now, task, sig, code, handler }
 * task.new:		if (clone_flags & CLONE_THREAD) tgids[pid] = tgid of the parent
 *			otherwise delete tgids[pid]
 * task.exit:		delete tgids[pid]
 *
 * with --kill, instead of all these:
 * kill.enter, kill.thread_enter:	start[tid] = { target, sig, call }
 * kill.exit, kill.thread_exit:		s = take start[tid]; if (s) output { s, ret }
 *
 * The kernel tells the thread that a signal is for, not its process: tgids has the processes of
 * threads that are not the first of theirs. It is filled from /proc at the start.
 */
#include "insns/programs/sigsnoop.h"

#include "insns/kills.h"
#include "insns/tgids.h"

static const struct map maps[] = {
	KILLS_MAP,
	TGIDS_MAP,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &sigsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	uint32_t tgid;
	struct sent_signal start;
	struct sigsnoop_record record;
};

/* Registers. */
enum { RET = R6, FLAGS = R6, RESULT = R6, TASK = R7 };

static const struct insn on_generate[] = {
	FIELD(TASK, "pid_tgid"),
	JUMP_UNLESS("filtered", "everybody"),	/* else the tool asks, since it knows what */
	FILTER(TASK),				/* interrupts send */
LABEL("everybody"),
	FIELD(RESULT, "result"),
	JUMP_UNLESS("failed", "any"),
	JEQ(RESULT, 0, "out"),				/* if (result == 0) out */
LABEL("any"),
	SET(record.result, RESULT),			/* r.result = result */
	ZERO(record.handler),
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET_FIELD(record.sig, "sig"),			/* r.sig, r.code */
	SET_FIELD(record.code, "code"),
	SET_FIELD(record.group, "group"),		/* r.group */
	SET_FIELD(tid, "tid"),
	GET(R1, tid),
	SET(record.tid, R1),				/* r.tid = tid */
	SET_IMM(record.tgid, 0),
	LOOKUP_OR("tgids", tid, "first"),
	BPF_LDX_MEM(BPF_W, R1, R0, 0),
	SET(record.tgid, R1),				/* r.tgid = tgids[tid] */
LABEL("first"),
	SET_IMM(record.event, SIGNAL_GENERATE),
	SET_IMM(record.call, 0),
	SET_FIELD(record.time, "time"),			/* r.time = now */
	SET_BYTES(record.comm, "comm"),			/* r.comm, r.target_comm */
	SET_BYTES(record.target_comm, "target_comm"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_deliver[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET(record.tid, TASK),
	SET_FIELD(record.handler, "handler"),		/* r.handler */
	SET_FIELD(record.sig, "sig"),			/* r.sig, r.code */
	SET_FIELD(record.code, "code"),
	SET_IMM(record.event, SIGNAL_DELIVER),
	SET_IMM(record.result, 0),
	SET_IMM(record.tgid, 0),
	SET_IMM(record.group, 0),
	SET_IMM(record.call, 0),
	SET_FIELD(record.time, "time"),			/* r.time = now */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	ZERO(record.target_comm),
	OUTPUT("events", record),
	EXIT,
};

static const struct insn on_new[] = { NOTE_NEW_TASK(FLAGS, tid, tgid), EXIT };

static const struct insn on_task_exit[] = {
	SET_FIELD(tid, "pid"),
	DELETE("tgids", tid),
	EXIT,
};

static const struct insn on_enter[] = { KILL_BEGINS(TASK), EXIT };

static const struct insn on_exit[] = {
	KILL_ENDS(TASK, RET, record.tid, "out"),
	SET(record.result, RET),			/* r.result = ret */
	ZERO(record.handler),
	SET_IMM(record.event, SIGNAL_CALL),
	SET_IMM(record.code, 0),
	SET_IMM(record.tgid, 0),
	SET_IMM(record.group, 0),
	SET_FIELD(record.time, "time"),			/* r.time = now */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	ZERO(record.target_comm),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("signal.generate", on_generate, .option = "generate"),
	PROGRAM("signal.deliver", on_deliver, .option = "delivered"),
	PROGRAM("task.new", on_new, .option = "generate"),
	PROGRAM("task.exit", on_task_exit, .option = "generate"),
	PROGRAM("kill.enter", on_enter, .option = "kill"),
	PROGRAM("kill.exit", on_exit, .option = "kill"),
	PROGRAM("kill.thread_enter", on_enter, .option = "kill"),
	PROGRAM("kill.thread_exit", on_exit, .option = "kill"),
	{ }
};

const struct program_set sigsnoop_programs = { programs, maps };
