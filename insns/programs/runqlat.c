// SPDX-License-Identifier: GPL-2.0
/*
 * sched.wakeup:	start[pid] = now
 * sched.switch:	if (the previous task could run on) start[prev_pid] = now
 *			t = take start[next_pid]; if (t) hist[slot((now - t) / unit)]++
 *			if (the previous task dies) delete start[prev_pid], tgids[prev_pid]
 * task.new:		if (clone_flags & CLONE_THREAD) tgids[pid] = tgid of the parent, otherwise delete tgids[pid]
 *
 * A task that is preempted is runnable and waits again. sched_switch says so by a bit of prev_state, which stands above
 * the bits of all states and has moved over the years: runnable is who has none of the bits below it.
 * runqslower hands over each such wait instead of counting it, if it was longer than the user asked for.
 *
 * The process of a task that is not current is looked up in tgids: filled from /proc at the start, kept by task.new.
 * Only threads stand there that have another id than their process.
 */
#include "insns/programs/runqlat.h"

#include <linux/sched.h>
#include <stddef.h>

#include "insns/sched.h"

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 65536 },
	{ "hist", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 496 },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct runqlat_key), 8, 65536 },
	{ "tgids", MAP_HASH, ROLE_TABLE, 4, 4, 65536 },
	{ }
}, slower_maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 65536 },
	{ "tgids", MAP_HASH, ROLE_TABLE, 4, 4, 65536 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define VALUE -16
#define HIST(MEMBER) (-32 + (int)offsetof(struct runqlat_key, MEMBER))
#define ONE -40
#define SLOW(MEMBER) (-104 + (int)offsetof(struct runqslower_record, MEMBER))

/* Unless the user asked for one thread or process, and the thread whose id is at KEY is another, or of another: goto out. */
#define ASKED_FOR(OUT) \
	UNLESS("tid", ".any"), \
	BPF_LDX_MEM(BPF_W, R1, R10, KEY), \
	CONST(R2, "tid"), \
	JUMP_IF_REG(BPF_JNE, R1, R2, OUT), \
	LABEL(".any"), \
	UNLESS("pid", ".all"), \
	LOOKUP("tgids", KEY), \
	BPF_LDX_MEM(BPF_W, R1, R10, KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, ".process"), \
	BPF_LDX_MEM(BPF_W, R1, R0, 0), \
	LABEL(".process"), \
	CONST(R2, "pid"), \
	JUMP_IF_REG(BPF_JNE, R1, R2, OUT), \
	LABEL(".all")

/*
 * start[pid] = the time at r6. An entry stays until its task dies, with 0 while the task does not wait: to make and to
 * delete one costs the kernel several times as much as to write into it.
 */
#define STAMP \
	LOOKUP("start", KEY), \
	JUMP_IF(BPF_JNE, R0, 0, ".known"), \
	BPF_STX_MEM(BPF_DW, R10, R6, VALUE), \
	STORE("start", KEY, VALUE), \
	JUMP(".stamped"), \
	LABEL(".known"), \
	BPF_STX_MEM(BPF_DW, R0, R6, 0), \
	LABEL(".stamped")

static const struct insn on_wakeup[] = {
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	ASKED_FOR("out"),
	FIELD(R6, "time"),
	STAMP,						/* start[pid] = now */
LABEL("out"),
	EXIT,
};

static const struct insn on_switch[] = {
	FIELD(R7, "prev_state"),
	FIELD(R8, "prev_pid"),
	FIELD(R9, "next_pid"),
	BPF_MOV64_IMM(R6, 0),				/* now: not asked for yet */
	JUMP_IF(BPF_JEQ, R8, 0, "next"),		/* the idle task never waits */
	BPF_STX_MEM(BPF_W, R10, R8, KEY),
	CONST(R1, "preempted_bit"),
	BPF_ALU64_IMM(BPF_SUB, R1, 1),
	JUMP_IF_REG(BPF_JSET, R7, R1, "sleeps"),	/* if (prev_state & (bit - 1)) it sleeps */
	ASKED_FOR("next"),
	FIELD(R6, "time"),
	STAMP,						/* start[prev_pid] = now */
	JUMP("next"),
LABEL("sleeps"),
	JUMP_IF(BPF_JSET, R7, SCHED_DYING, "dies"),	/* a parked task that loses its entry gets another */
	JUMP("next"),
LABEL("dies"),
	DELETE("start", KEY),
	UNLESS("needs_tgids", "next"),
	DELETE("tgids", KEY),
LABEL("next"),
	JUMP_IF(BPF_JEQ, R9, 0, "out"),
	BPF_STX_MEM(BPF_W, R10, R9, KEY),
	LOOKUP("start", KEY),				/* t = start[next_pid]; start[next_pid] = 0 */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R7, R0, 0),
	BPF_ST_MEM(BPF_DW, R0, 0, 0),
	JUMP_IF(BPF_JEQ, R7, 0, "out"),
	JUMP_IF(BPF_JNE, R6, 0, "timed"),
	FIELD(R6, "time"),
LABEL("timed"),
	JUMP_IF_REG(BPF_JGT, R7, R6, "out"),		/* clocks of two CPUs that disagree */
	BPF_ALU64_REG(BPF_SUB, R6, R7),			/* delta = now - t */
	UNLESS("slower", "histogram"),
	BPF_MOV64_REG(R8, R6),
	BPF_ALU64_REG(BPF_ADD, R8, R7),			/* if (delta / 1000 > min) output { now, delta, next, prev } */
	BPF_ALU64_IMM(BPF_DIV, R6, 1000),
	UNLESS("min-us", "any"),
	CONST(R1, "min-us"),
	JUMP_IF_REG(BPF_JGE, R1, R6, "out"),
LABEL("any"),
	BPF_STX_MEM(BPF_DW, R10, R8, SLOW(time)),
	BPF_STX_MEM(BPF_DW, R10, R6, SLOW(usecs)),
	BPF_STX_MEM(BPF_W, R10, R9, SLOW(tid)),
	FIELD(R8, "prev_pid"),
	BPF_STX_MEM(BPF_W, R10, R8, SLOW(prev_tid)),
	BYTES(SLOW(comm), "next_comm", 16),
	BYTES(SLOW(prev_comm), "prev_comm", 16),
	OUTPUT("events", SLOW(time), sizeof(struct runqslower_record)),
LABEL("histogram"),
	UNLESS("histogram", "out"),
	IN_UNIT(R6),
	LOG2_SLOT(R7, R6),
	UNLESS("grouped", "one"),
	UNLESS("pids", "by_tid"),
	LOOKUP("tgids", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "by_tid"),
	BPF_LDX_MEM(BPF_W, R9, R0, 0),			/* id = tgids[next_pid], or next_pid itself */
LABEL("by_tid"),
	BPF_STX_MEM(BPF_DW, R10, R9, HIST(id)),
	EPOCH(R6),
	BPF_STX_MEM(BPF_W, R10, R6, HIST(epoch)),
	BPF_STX_MEM(BPF_W, R10, R7, HIST(slot)),
	COUNT_KEY("hists", HIST(epoch), ONE),		/* hists[id, slot]++ */
	JUMP("out"),
LABEL("one"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	COUNT("hist", KEY),				/* hist[slot]++ */
LABEL("out"),
	EXIT,
};

static const struct insn on_new[] = {
	FIELD(R6, "clone_flags"),
	FIELD(R7, "pid"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	BPF_ALU64_IMM(BPF_AND, R6, CLONE_THREAD),
	JUMP_IF(BPF_JEQ, R6, 0, "process"),
	FIELD(R7, "tgid"),
	BPF_STX_MEM(BPF_W, R10, R7, VALUE),
	STORE("tgids", KEY, VALUE),			/* tgids[pid] = its process */
	JUMP("out"),
LABEL("process"),
	DELETE("tgids", KEY),				/* its id was a thread's that executed a file */
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
