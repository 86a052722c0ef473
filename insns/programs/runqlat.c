// SPDX-License-Identifier: GPL-2.0
/*
 * sched.wakeup:	start[pid] = now
 * sched.switch:	if (the previous task could run on) start[prev_pid] = now
 *			t = take start[next_pid]; if (t) hist[slot((now - t) / unit)]++
 *			if (the previous task dies) delete start[prev_pid], tgids[prev_pid]
 * task.new:		if (clone_flags & CLONE_THREAD) tgids[pid] = tgid of the parent
 *			otherwise delete tgids[pid]
 *
 * A task that is preempted is runnable and waits again. sched_switch marks it with a bit of
 * prev_state above the bits of all states. That bit has moved over the years: so a task is runnable
 * if it has none of the bits below. runqslower outputs each wait longer than the user's limit,
 * instead of counting it.
 *
 * The process of a task that is not current is looked up in tgids. The map is filled from /proc at
 * the start, and updated by task.new. It has only threads whose id differs from their process's.
 */
#include "insns/programs/runqlat.h"

#include "insns/programs/task_slots.h"
#include "insns/sched.h"
#include "insns/tgids.h"

struct wait {
	u64 time;			/* 0: the task does not wait */
	u64 owner;
};

static const struct map maps[] = {
	TASK_MAPS("start", struct wait, .of = OF_TASK),
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, HIST_ENTRIES, .key = &slot_key_layout },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct runqlat_key), 8, 65536,
	  .key = &runqlat_key_layout },
	TGIDS_MAP,
	{ }
}, slower_maps[] = {
	TASK_MAPS("start", struct wait, .of = OF_TASK),
	TGIDS_MAP,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &runqslower_record_layout },
	{ }
};

struct frame {
	uint32_t pid;
	uint32_t slot;
	union {
		uint32_t tgid;
		struct wait wait;
	};
	struct runqlat_key hist;
	struct runqslower_record slow;
};

/* Registers. */
enum {
	NOW = R6, DELTA = R6, USECS = R6, FLAGS = R6,
	STATE = R7, SINCE = R7, SLOT = R7, WHOM = R7,
	PREV = R8, RUNS = R8,
	NEXT = R9, ID = R9,
};

/* if (the user asked for other threads, or for other processes than that of thread pid) goto OUT */
#define ASKED_FOR(OUT) \
	JUMP_UNLESS("filtered", ".all"), \
	GET(WHOM, pid), \
	BPF_MOV64_REG(R1, WHOM), \
	JUMP_UNLESS("needs_tgids", ".process"), \
	LOOKUP("tgids", pid), \
	BPF_MOV64_REG(R1, WHOM), \
	JEQ(R0, 0, ".process"), \
	BPF_LDX_MEM(BPF_W, R1, R0, 0), \
	LABEL(".process"), \
	BPF_ALU64_IMM(BPF_LSH, R1, 32), \
	BPF_ALU64_REG(BPF_OR, WHOM, R1),		/* its pid_tgid */ \
	FILTER_OTHER(WHOM, OUT), \
	LABEL(".all")

/*
 * start[pid] = NOW. An entry stays until its task dies, and is 0 while the task does not wait:
 * making and deleting an entry costs several times as much as writing to it.
 */
#define STAMP \
	LOOKUP_TASK("start", struct wait), \
	JNE(R0, 0, ".known"), \
	SET(wait.time, NOW), \
	STORE_TASK("start", struct wait, wait), \
	JUMP(".stamped"), \
	LABEL(".known"), \
	PUT(R0, struct wait, time, NOW), \
	LABEL(".stamped")

static const struct insn on_wakeup[] = {
	SET_FIELD(pid, "pid"),
	ASKED_FOR("out"),
	FIELD(NOW, "time"),
	STAMP,						/* start[pid] = now */
LABEL("out"),
	EXIT,
};

/* output { now, USECS, NEXT, prev_pid }; if USECS is not more than min-us, goto OUT */
#define OUTPUT_SLOW(OUT) \
	BPF_MOV64_REG(RUNS, DELTA), \
	BPF_ALU64_REG(BPF_ADD, RUNS, SINCE), \
	BPF_ALU64_IMM(BPF_DIV, RENAME(USECS, DELTA), 1000), \
	JUMP_UNLESS("min-us", ".any"), \
	CONST(R1, "min-us"), \
	JGE_REG(R1, USECS, OUT), \
	LABEL(".any"), \
	SET(slow.time, RUNS), \
	SET(slow.usecs, USECS), \
	SET(slow.tid, NEXT), \
	SET_FIELD(slow.prev_tid, "prev_pid"), \
	SET_BYTES(slow.comm, "next_comm"), \
	SET_BYTES(slow.prev_comm, "prev_comm"), \
	OUTPUT("events", slow)

static const struct insn on_switch[] = {
	PREV_STATE(STATE),
	FIELD(PREV, "prev_pid"),
	FIELD(NEXT, "next_pid"),
	BPF_MOV64_IMM(NOW, 0),				/* now: not asked for yet */
	JEQ(PREV, 0, "next"),				/* the idle task never waits */
	CONST(R1, "sleeping_states"),
	JSET_REG(STATE, R1, "sleeps"),
	SET(pid, PREV),
	ASKED_FOR("next"),
	FIELD(NOW, "time"),
	STAMP,						/* start[prev_pid] = now */
	JUMP("next"),
LABEL("sleeps"),
	JSET(STATE, SCHED_DYING, "dies"),		/* a parked task gets another */
	JUMP("next"),
LABEL("dies"),
	SET(pid, PREV),
	DELETE_TASK("start", struct wait),
	JUMP_UNLESS("needs_tgids", "next"),
	DELETE("tgids", pid),
LABEL("next"),
	JEQ(NEXT, 0, "out"),
	SET(pid, NEXT),
	LOOKUP_TASK("start", struct wait),	/* t = start[next_pid]; start[next_pid] = 0 */
	JEQ(R0, 0, "out"),
	LOAD(SINCE, R0, struct wait, time),
	PUT_IMM(R0, struct wait, time, 0),
	JEQ(SINCE, 0, "out"),
	JNE(NOW, 0, "timed"),
	FIELD(NOW, "time"),
LABEL("timed"),
	JGT_REG(SINCE, NOW, "out"),			/* the clocks of two CPUs differ */
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), SINCE),	/* delta = now - t */
	JUMP_UNLESS("slower", "histogram"),
	OUTPUT_SLOW("out"),				/* if (delta / 1000 > min) output */
LABEL("histogram"),
	JUMP_UNLESS("histogram", "out"),
	IN_UNIT(DELTA),
	VALUE_SLOT(SLOT, DELTA),
	JUMP_UNLESS("grouped", "one"),
	JUMP_UNLESS("pids", "by_tid"),
	LOOKUP_OR("tgids", pid, "by_tid"),
	BPF_LDX_MEM(BPF_W, ID, R0, 0),	/* id = tgids[next_pid], or next_pid itself */
LABEL("by_tid"),
	SET(hist.id, RENAME(ID, NEXT)),
	COUNT_GROUP("hists", hist, SLOT, DELTA),		/* hists[id, slot]++ */
	JUMP("out"),
LABEL("one"),
	COUNT_VALUE("hist", slot, SLOT, DELTA),			/* hist[slot]++ */
LABEL("out"),
	EXIT,
};

static const struct insn on_new[] = { NOTE_NEW_TASK(FLAGS, pid, tgid), EXIT };

static const struct program programs[] = {
	PROGRAM("sched.wakeup", on_wakeup),
	PROGRAM("sched.switch", on_switch),
	PROGRAM("task.new", on_new, .option = "needs_tgids"),
	{ }
};

const struct program_set runqlat_programs = { programs, maps };
const struct program_set runqslower_programs = { programs, slower_maps };
