// SPDX-License-Identifier: GPL-2.0
/*
 * sched.wakeup:	start[pid] = now
 * sched.switch:	if (the previous task could run on) start[prev_pid] = now
 *			t = take start[next_pid]; if (t) hist[slot((now - t) / unit)]++
 *			if (the previous task dies) delete start[prev_pid], tgids[prev_pid]
 * task.new:		if (clone_flags & CLONE_THREAD) tgids[pid] = tgid of the parent
 *			otherwise delete tgids[pid]
 *
 * A task that is preempted is runnable and waits again. sched_switch says so with a bit of
 * prev_state above the bits of all states, which has moved over the years: a task is runnable if it
 * has none of the bits below. runqslower hands over each wait that was longer than the user asked
 * for, instead of counting it.
 *
 * The process of a task that is not current is looked up in tgids, which is filled from /proc at
 * the start, and kept by task.new. It has only threads with another id than their process.
 */
#include "insns/programs/runqlat.h"

#include <linux/sched.h>

#include "insns/sched.h"

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 65536, .of = OF_TASK },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496, .key = &slot_key_layout },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct runqlat_key), 8, 65536,
	  .key = &runqlat_key_layout },
	{ "tgids", MAP_HASH, ROLE_TABLE, 4, 4, 65536 },
	{ }
}, slower_maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 65536, .of = OF_TASK },
	{ "tgids", MAP_HASH, ROLE_TABLE, 4, 4, 65536 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &runqslower_record_layout },
	{ }
};

struct frame {
	uint32_t pid;
	union {
		uint32_t slot;
		uint32_t tgid;
		u64 time;
	};
	struct runqlat_key hist;
	struct runqslower_record slow;
};

/* if (the user asked for a thread or process, and the thread with id pid is not of it) goto out */
#define ASKED_FOR(OUT) \
	JUMP_UNLESS("tid", ".any"), \
	GET(R1, pid), \
	CONST(R2, "tid"), \
	JNE_REG(R1, R2, OUT), \
	LABEL(".any"), \
	JUMP_UNLESS("pid", ".all"), \
	LOOKUP("tgids", pid), \
	GET(R1, pid), \
	JEQ(R0, 0, ".process"), \
	BPF_LDX_MEM(BPF_W, R1, R0, 0), \
	LABEL(".process"), \
	CONST(R2, "pid"), \
	JNE_REG(R1, R2, OUT), \
	LABEL(".all")

/*
 * start[pid] = the time at r6. An entry stays until its task dies, and is 0 while the task does not
 * wait: making and deleting an entry costs several times as much as writing into it.
 */
#define STAMP \
	LOOKUP("start", pid), \
	JNE(R0, 0, ".known"), \
	SET(time, R6), \
	STORE("start", pid, time), \
	JUMP(".stamped"), \
	LABEL(".known"), \
	BPF_STX_MEM(BPF_DW, R0, R6, 0), \
	LABEL(".stamped")

static const struct insn on_wakeup[] = {
	SET_FIELD(pid, "pid"),
	ASKED_FOR("out"),
	FIELD(R6, "time"),
	STAMP,						/* start[pid] = now */
LABEL("out"),
	EXIT,
};

static const struct insn on_switch[] = {
	PREV_STATE(R7),
	FIELD(R8, "prev_pid"),
	FIELD(R9, "next_pid"),
	BPF_MOV64_IMM(R6, 0),				/* now: not asked for yet */
	JEQ(R8, 0, "next"),				/* the idle task never waits */
	CONST(R1, "sleeping_states"),
	JSET_REG(R7, R1, "sleeps"),
	SET(pid, R8),
	ASKED_FOR("next"),
	FIELD(R6, "time"),
	STAMP,						/* start[prev_pid] = now */
	JUMP("next"),
LABEL("sleeps"),
	JSET(R7, SCHED_DYING, "dies"),			/* a parked one gets another */
	JUMP("next"),
LABEL("dies"),
	SET(pid, R8),
	DELETE("start", pid),
	JUMP_UNLESS("needs_tgids", "next"),
	DELETE("tgids", pid),
LABEL("next"),
	JEQ(R9, 0, "out"),
	SET(pid, R9),
	LOOKUP_OR("start", pid, "out"),		/* t = start[next_pid]; start[next_pid] = 0 */
	BPF_LDX_MEM(BPF_DW, R7, R0, 0),
	BPF_ST_MEM(BPF_DW, R0, 0, 0),
	JEQ(R7, 0, "out"),
	JNE(R6, 0, "timed"),
	FIELD(R6, "time"),
LABEL("timed"),
	JGT_REG(R7, R6, "out"),				/* clocks of two CPUs that disagree */
	BPF_ALU64_REG(BPF_SUB, R6, R7),			/* delta = now - t */
	JUMP_UNLESS("slower", "histogram"),
	BPF_MOV64_REG(R8, R6),
	BPF_ALU64_REG(BPF_ADD, R8, R7),			/* if (delta / 1000 > min) output */
	BPF_ALU64_IMM(BPF_DIV, R6, 1000),
	JUMP_UNLESS("min-us", "any"),
	CONST(R1, "min-us"),
	JGE_REG(R1, R6, "out"),
LABEL("any"),
	SET(slow.time, R8),
	SET(slow.usecs, R6),
	SET(slow.tid, R9),
	SET_FIELD(slow.prev_tid, "prev_pid"),
	SET_BYTES(slow.comm, "next_comm"),
	SET_BYTES(slow.prev_comm, "prev_comm"),
	OUTPUT("events", slow),
LABEL("histogram"),
	JUMP_UNLESS("histogram", "out"),
	IN_UNIT(R6),
	LOG2(R7, R6),
	JUMP_UNLESS("grouped", "one"),
	JUMP_UNLESS("pids", "by_tid"),
	LOOKUP_OR("tgids", pid, "by_tid"),
	BPF_LDX_MEM(BPF_W, R9, R0, 0),		/* id = tgids[next_pid], or next_pid itself */
LABEL("by_tid"),
	SET(hist.id, R9),
	COUNT_GROUP("hists", hist, R7),			/* hists[id, slot]++ */
	JUMP("out"),
LABEL("one"),
	COUNT_SLOT("hist", slot, R7),			/* hist[slot]++ */
LABEL("out"),
	EXIT,
};

static const struct insn on_new[] = {
	FIELD(R6, "clone_flags"),
	SET_FIELD(pid, "pid"),
	BPF_ALU64_IMM(BPF_AND, R6, CLONE_THREAD),
	JEQ(R6, 0, "process"),
	SET_FIELD(tgid, "tgid"),
	STORE("tgids", pid, tgid),			/* tgids[pid] = its process */
	JUMP("out"),
LABEL("process"),
	DELETE("tgids", pid),			/* its id was a thread's that executed a file */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("sched.wakeup", on_wakeup),
	PROGRAM("sched.switch", on_switch),
	PROGRAM("task.new", on_new, .option = "needs_tgids"),
	{ }
};

const struct program_set runqlat_programs = { programs, maps };
const struct program_set runqslower_programs = { programs, slower_maps };
