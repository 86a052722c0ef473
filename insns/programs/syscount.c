// SPDX-License-Identifier: GPL-2.0
/*
 * calls.enter:	with --latency: start[tid] = now
 * task.new:	without: children[pid] = now
 * calls.exit:	with --latency: t = take start[tid]; if (!t) out
 *		without: if (the call makes tasks && returned 0 && take children[tid]) out
 *		if (failures are wanted, and the call did not fail that way) out
 *		n = slot(id); calls[n]++ or processes[process]++; with --latency: += now - t
 * task.exit:	with --latency: drop start[pid]
 *
 * Without times only returns are traced: one event for each call, not two. A number belongs to one
 * of three tables: that of 64-bit tasks, that of 32-bit tasks, and x32's, which has a bit of its
 * own.
 *
 * fork and clone return in the parent, and also, with 0, in the child, which made no call. Their
 * numbers are other calls in another table, and not every engine knows the table: so children are
 * recognized by their thread ids, and their first return is dropped.
 */
#include "insns/programs/syscount.h"

#include <errno.h>
#include <stddef.h>

#include "insns/call_slot.h"
#include "insns/hist.h"
#include "insns/programs/task_slots.h"

/* Errors that programs never see: the kernel restarts the call, or returns EINTR instead. */
#define ERESTARTSYS 512
#define ERESTART_RESTARTBLOCK 516

struct call {
	u64 time;			/* 0: it has returned */
	u64 owner;
};

static const struct map maps[] = {
	TASK_MAPS("start", struct call),
	{ "children", MAP_HASH, ROLE_HINT, 4, 8, 16384, .run = "returns" },
	{ "calls", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 2 * CALL_SLOTS,
	  .key = &index_key_layout },
	{ "processes", MAP_HASH, ROLE_RESULT, sizeof(struct syscount_key), 8, 20480,
	  .key = &syscount_key_layout, .run = "process" },
	{ "process", MAP_PERCPU_ARRAY, ROLE_TABLE, 4, sizeof(struct syscount_key) + 8, EPOCHS },
	{ }
};

struct frame {
	uint32_t pid;
	uint32_t slot;
	uint32_t index;
	u64 time;
	struct call call;
	struct syscount_key process;
};

/* Registers of all programs. */
enum {
	RET = R6, COMPAT = R6, TABLE = R6, NOW = R6, WHAT = R6, CHILD = R6,
	TASK = R7, TGID = R7,
	ID = R8, NUMBER = R8,
	BEGAN = R9, DELTA = R9,
};

/* TASK = pid_tgid; leave, if the user asked for another task. */
#define ASKED_FOR \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK)

static const struct insn on_enter[] = {
	ASKED_FOR,
	SET(pid, TASK),
	SET_FIELD(call.time, "time"),
	UPDATE_TASK("start", struct call, call),	/* start[tid] = now */
	EXIT,
};

/* if (REG, the return value, is no failure, or not the wanted one) goto OUT */
#define FAILED(REG, OUT) \
	JUMP_UNLESS("failed", ".any"), \
	JGT(REG, -4096, ".failed"),			/* -4095 to -1; others are addresses */ \
	JUMP(OUT), \
	LABEL(".failed"), \
	JUMP_UNLESS("errno", ".any"), \
	CONST(R1, "errno"), \
	BPF_ALU64_REG(BPF_ADD, R1, REG), \
	JEQ(R1, 0, ".any"), \
	JUMP_UNLESS("interrupted", ".other"), \
	BPF_ALU64_IMM(BPF_ADD, REG, ERESTART_RESTARTBLOCK), \
	JGT(REG, ERESTART_RESTARTBLOCK - ERESTARTSYS, OUT), \
	JUMP(".any"), \
	LABEL(".other"), \
	JUMP(OUT), \
	LABEL(".any")

static const struct insn on_new[] = {
	SET_FIELD(pid, "pid"),
	SET_FIELD(time, "time"),
	UPDATE("children", pid, time),			/* children[pid] = now */
	EXIT,
};

#define IF_MAKES_TASKS(WHICH, MAKES) \
	CONST(R1, "makes_task_" #WHICH), \
	JEQ_REG(ID, R1, MAKES)

/* if (the call makes tasks && returned 0 && take children[tid]) goto OUT */
#define CHILDS_RETURN(OUT) \
	JUMP_UNLESS("returns", ".own"), \
	FIELD(RET, "ret"), \
	JNE(RET, 0, ".own"), \
	FIELD(ID, "id"), \
	BPF_ALU64_IMM(BPF_AND, ID, ~X32_BIT), \
	IF_MAKES_TASKS(0, ".makes"), IF_MAKES_TASKS(1, ".makes"), IF_MAKES_TASKS(2, ".makes"), \
	IF_MAKES_TASKS(3, ".makes"), IF_MAKES_TASKS(4, ".makes"), IF_MAKES_TASKS(5, ".makes"), \
	IF_MAKES_TASKS(6, ".makes"), \
	JUMP(".own"), \
	LABEL(".makes"), \
	SET(pid, TASK), \
	TAKE(CHILD, "children", pid), \
	JNE(CHILD, 0, OUT), \
	LABEL(".own")

/* if (NUMBER is one of the slots of the wanted call) goto process */
#define IF_ASKED(WHICH) \
	CONST(R1, "call_" #WHICH), \
	JEQ_REG(NUMBER, R1, "process")

static const struct insn on_exit[] = {
	ASKED_FOR,
	CHILDS_RETURN("out"),
	JUMP_UNLESS("latency", "ended"),
	SET(pid, TASK),
	LOOKUP_TASK("start", struct call),		/* t = take start[tid] */
	JEQ(R0, 0, "out"),
	LOAD(BEGAN, R0, struct call, time),
	JEQ(BEGAN, 0, "out"),
	PUT_IMM(R0, struct call, time, 0),
	FIELD(NOW, "time"),
	JGT_REG(BEGAN, NOW, "out"),
	BPF_ALU64_REG(BPF_SUB, NOW, BEGAN),
	BPF_MOV64_REG(DELTA, NOW),			/* delta = now - t */
LABEL("ended"),
	JUMP_UNLESS("failed", "any"),
	FIELD(RET, "ret"),
	FAILED(RET, "out"),
LABEL("any"),
	JUMP_UNLESS("slots", "process"),
	CALL_SLOT(NUMBER, TABLE, COMPAT),		/* n = slot(id) */
	JUMP_UNLESS("call", "process"),
	IF_ASKED(0), IF_ASKED(1), IF_ASKED(2), IF_ASKED(3), IF_ASKED(4), IF_ASKED(5),
	JUMP("out"),
LABEL("process"),
	JUMP_UNLESS("grouped", "call"),
	SET_EPOCH(process.epoch),
	JUMP_UNLESS("by-cgroup", "of_process"),
	FIELD(TGID, "whose"),				/* a control group instead of a process */
	BPF_MOV64_IMM(WHAT, 0),
	ZERO(process.comm),
	JUMP("group"),
LABEL("of_process"),
	BPF_MOV64_IMM(WHAT, COUNTS_FIRST),
	BPF_MOV32_REG(R1, TASK),
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32),
	JEQ_REG(R1, TGID, "first"),
	BPF_MOV64_IMM(WHAT, 0),
LABEL("first"),
	SET_BYTES(process.comm, "comm"),
LABEL("group"),
	SET(process.what, WHAT),
	SET(process.tgid, TGID),
	COUNT("processes", process),			/* processes[process]++ */
	JUMP_UNLESS("latency", "out"),
	BPF_ALU64_IMM(BPF_OR, WHAT, COUNTS_TIME),
	SET(process.what, WHAT),
	ADD("processes", process, DELTA),		/* processes[process].time += delta */
LABEL("call"),
	JUMP_UNLESS("by_call", "out"),
	BPF_ALU64_IMM(BPF_MUL, NUMBER, 2),
	COUNT_SLOT("calls", index, NUMBER),		/* calls[n]++ */
	JUMP_UNLESS("latency", "out"),
	BPF_ALU64_IMM(BPF_ADD, NUMBER, 1),
	SET(index, NUMBER),
	ADD("calls", index, DELTA),			/* calls[n].time += delta */
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	SET_FIELD(pid, "pid"),
	DELETE_TASK("start", struct call),		/* its last call does not return */
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("calls.enter", on_enter, .option = "latency"),
	PROGRAM("task.new", on_new, .option = "returns", .optional = true),
	PROGRAM("calls.exit", on_exit),
	PROGRAM("task.exit", on_task_exit, .option = "latency"),
	{ }
};

const struct program_set syscount_programs = { programs, maps };
