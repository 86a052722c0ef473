// SPDX-License-Identifier: GPL-2.0
/*
 * calls.enter:	with --latency: start[tid] = now
 * task.new:	without: children[pid] = now
 * calls.exit:	with --latency: t = take start[tid]; if (!t) out
 *		without: if (it made a task && returned 0 && take children[tid]) out
 *		if (failures are wanted, and it did not fail so) out
 *		n = slot(id); calls[n]++ or processes[process]++; with --latency: += now - t
 * task.exit:	with --latency: drop start[pid]
 *
 * Without times only returns are looked at: one event for each call, not two. A number is of one of
 * three tables: that of 64-bit tasks, that of 32-bit tasks, and x32's, which has a bit of its own.
 *
 * fork, clone and their like return in the parent, and once more, 0, in the child, which made no
 * call. Their numbers are other calls' in another table, which not every engine tells: so a child
 * is known by its thread, and its first return is dropped.
 */
#include "insns/programs/syscount.h"

#include <errno.h>
#include <stddef.h>

#include "insns/hist.h"

#define X32_BIT 0x40000000

/* Errors that no program sees: the kernel begins the call again, or turns them into EINTR. */
#define ERESTARTSYS 512
#define ERESTART_RESTARTBLOCK 516

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 65536 },
	{ "children", MAP_HASH, ROLE_HINT, 4, 8, 16384, .run = "returns" },
	{ "calls", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 2 * CALL_SLOTS,
	  .key = &index_key_layout },
	{ "processes", MAP_HASH, ROLE_RESULT, sizeof(struct syscount_key), 8, 20480,
	  .key = &syscount_key_layout, .run = "process" },
	{ "process", MAP_PERCPU_ARRAY, ROLE_TABLE, 4, sizeof(struct syscount_key) + 8, EPOCHS },
	{ }
};

struct frame {
	uint32_t tid;
	uint32_t index;
	u64 time;
	struct syscount_key process;
};

/* r7: pid_tgid, which was asked for. */
#define ASKED_FOR(OUT) \
	FIELD(R7, "pid_tgid"), \
	FILTER(R7), \
	JUMP_UNLESS("ppid", ".any_parent"), \
	FIELD(R6, "ppid"), \
	CONST(R1, "ppid"), \
	JNE_REG(R6, R1, OUT), \
	LABEL(".any_parent")

static const struct insn on_enter[] = {
	ASKED_FOR("out"),
	SET(tid, R7),
	SET_FIELD(time, "time"),
	STORE("start", tid, time),			/* start[tid] = now */
LABEL("out"),
	EXIT,
};

/* if (REG, what the call returned, is not a failure, or not the one asked for) goto OUT */
#define FAILED(REG, OUT) \
	JUMP_UNLESS("failed", ".any"), \
	JGT(REG, -4096, ".failed"),			/* -4095 to -1; else an address */ \
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

/* r8 = slot(id) */
#define SLOT \
	FIELD(R8, "id"), \
	JSGE(R8, 0, ".told"), \
	JUMP(".unknown"), \
	LABEL(".told"), \
	FIELD(R6, "compat"), \
	JEQ(R6, 0, ".native"), \
	BPF_MOV64_IMM(R6, CALLS_COMPAT * CALLS), \
	JUMP(".table"), \
	LABEL(".native"), \
	BPF_MOV64_IMM(R6, CALLS_NATIVE * CALLS), \
	JSET(R8, X32_BIT, ".x32"), \
	JUMP(".table"), \
	LABEL(".x32"), \
	BPF_ALU64_IMM(BPF_SUB, R8, X32_BIT), \
	BPF_MOV64_IMM(R6, CALLS_X32 * CALLS), \
	LABEL(".table"), \
	JGT(R8, CALLS - 1, ".unknown"), \
	BPF_ALU64_REG(BPF_ADD, R8, R6), \
	JUMP(".slot"), \
	LABEL(".unknown"), \
	BPF_MOV64_IMM(R8, CALL_UNKNOWN), \
	LABEL(".slot")

static const struct insn on_new[] = {
	SET_FIELD(tid, "pid"),
	SET_FIELD(time, "time"),
	UPDATE("children", tid, time),			/* children[pid] = now */
	EXIT,
};

#define IF_MAKES_TASKS(WHICH) \
	CONST(R1, "makes_task_" #WHICH), \
	JEQ_REG(R8, R1, ".makes")

/* if (it made a task && returned 0 && take children[tid]) goto OUT; clobbers r6 and r8 */
#define CHILDS_RETURN(OUT) \
	JUMP_UNLESS("returns", ".own"), \
	FIELD(R6, "ret"), \
	JNE(R6, 0, ".own"), \
	FIELD(R8, "id"), \
	BPF_ALU64_IMM(BPF_AND, R8, ~X32_BIT), \
	IF_MAKES_TASKS(0), IF_MAKES_TASKS(1), IF_MAKES_TASKS(2), IF_MAKES_TASKS(3), \
	IF_MAKES_TASKS(4), IF_MAKES_TASKS(5), IF_MAKES_TASKS(6), \
	JUMP(".own"), \
	LABEL(".makes"), \
	SET(tid, R7), \
	TAKE(R6, "children", tid), \
	JNE(R6, 0, OUT), \
	LABEL(".own")

static const struct insn on_exit[] = {
	ASKED_FOR("out"),
	CHILDS_RETURN("out"),
	JUMP_UNLESS("latency", "ended"),
	SET(tid, R7),
	TAKE(R9, "start", tid),				/* t = take start[tid] */
	JEQ(R9, 0, "out"),
	FIELD(R6, "time"),
	JGT_REG(R9, R6, "out"),
	BPF_ALU64_REG(BPF_SUB, R6, R9),
	BPF_MOV64_REG(R9, R6),				/* delta = now - t */
LABEL("ended"),
	JUMP_UNLESS("failed", "any"),
	FIELD(R6, "ret"),
	FAILED(R6, "out"),
LABEL("any"),
	JUMP_UNLESS("slots", "process"),
	SLOT,						/* n = slot(id) */
	JUMP_UNLESS("call", "process"),
	CONST(R1, "call"),				/* call: its slot plus 1 */
	BPF_ALU64_IMM(BPF_SUB, R1, 1),
	JNE_REG(R8, R1, "out"),
LABEL("process"),
	JUMP_UNLESS("process", "call"),
	SET_EPOCH(process.epoch),
	BPF_MOV64_IMM(R6, COUNTS_FIRST),
	BPF_MOV32_REG(R1, R7),
	BPF_ALU64_IMM(BPF_RSH, R7, 32),
	JEQ_REG(R1, R7, "first"),
	BPF_MOV64_IMM(R6, 0),
LABEL("first"),
	SET(process.what, R6),
	SET(process.tgid, R7),
	SET_BYTES(process.comm, "comm"),
	COUNT("processes", process),			/* processes[process]++ */
	JUMP_UNLESS("latency", "out"),
	BPF_ALU64_IMM(BPF_OR, R6, COUNTS_TIME),
	SET(process.what, R6),
	ADD("processes", process, R9),			/* processes[process].time += delta */
LABEL("call"),
	JUMP_UNLESS("by_call", "out"),
	BPF_ALU64_IMM(BPF_MUL, R8, 2),
	COUNT_SLOT("calls", index, R8),			/* calls[n]++ */
	JUMP_UNLESS("latency", "out"),
	BPF_ALU64_IMM(BPF_ADD, R8, 1),
	SET(index, R8),
	ADD("calls", index, R9),			/* calls[n].time += delta */
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	SET_FIELD(tid, "pid"),
	DELETE("start", tid),				/* its last call does not return */
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
