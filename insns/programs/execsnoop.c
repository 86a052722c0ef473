// SPDX-License-Identifier: GPL-2.0
/*
 * exec.enter:	output the file's name and each argument; start[tid] = { number of them, flags }
 * exec.again:	s = start[tid]; if (texts were unreadable) output each argument, again;
 *		s += { number of them, flags }
 * exec.image:	the same of the new image's stack, on the rings
 * exec.done:	s = take start[old tid]; if (s) output { s, 0, task, parents[tgid] }
 * exec.exit:	if (ret < 0) { s = take start[tid]
 *		if (s) output failures are wanted ? { s, ret, task } : { gone, tid } }
 * task.new:	parents[child] = the process that made it
 * task.exit:	if (take start[pid]) output { gone, pid }: killed within its exec
 *		delete parents[pid], unless the process is in an exec: a thread that is not the
 *		leader takes the leader's place and id, and the leader ends
 *
 * The last resort:
 * exec.done:	output the file's name, as the kernel has it
 *		output { unreadable, 0, task, parents[tgid] }
 * task.new:	as above
 * task.exit:	parents[pid].in_exec = 1: it ends, or a thread takes the leader's place
 * task.free:	delete parents[pid], if that is still so
 *
 * If argv is unreadable, no argument is known. If a part of argv is, no argument from there on is.
 * What a process has not touched since its fork is unreadable when the call begins. The kernel then
 * reads it, and BPF programs read it again behind that. The rings can't: they read what the kernel
 * put on the new stack, which has an interpreter's arguments, too.
 *
 * One record for each argument: 4.9 and older take records only from the stack, which has no room
 * for all of argv.
 */
#include "insns/programs/execsnoop.h"

#include <linux/sched.h>

#include "insns/common.h"

struct parent {
	uint32_t tgid;
	uint32_t in_exec;		/* or, of the last resort: its leader ended */
};

struct start {
	u64 told;			/* arguments << 32 | flags of struct exec_done */
	u64 table;			/* address of the row of pointers; 0: not needed */
	u64 step;			/* size of a pointer */
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240, .calls = true },
	{ "parents", MAP_HASH, ROLE_TABLE, 4, sizeof(struct parent), 32768 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &exec_record_layout },
	{ }
};

struct frame {
	uint32_t tid, tgid;
	uint32_t hole, unnamed;		/* EXEC_HOLE, EXEC_UNNAMED, or 0 */
	struct start start;
	struct parent parent;
	union {
		struct exec_arg arg;
		struct exec_done done;
		struct exec_gone gone;
	};
};

/* Registers. */
enum {
	TASK = R6, TGID = R6, TID = R6,
	POINTER = R6, LENGTH = R6, CLONE = R6,
	TEXT = R7, FLAGS = R7, OLD_TID = R7,
	STARTED = R7,			/* start[tid].told */
	ARGS = R8, RET = R8,
	STEP = R9, TEXT_OF_FILE = R9,
	LEFT = R9,			/* arguments of the new image */
};

/* output { index, frame.arg.text, r0 }; ARGS, the number of arguments, grows */
#define OUTPUT_TEXT(INDEX) \
	SET(arg.length, R0), \
	SET_IMM(arg.index, INDEX), \
	OUTPUT("events", arg), \
	BPF_ALU64_IMM(BPF_ADD, ARGS, 1)
/* output { index, TEXT } */
#define OUTPUT_ARG(INDEX) \
	SET_USER_STRING(arg.text, TEXT), \
	JSGE(R0, 0, ".whole"), \
	SET_IMM(hole, EXEC_HOLE), \
	LABEL(".whole"), \
	OUTPUT_TEXT(INDEX)

/* argv[N], if the option `>N` is set; otherwise, if there is such an argument: EXEC_MORE. */
#define ONE_ARG(N, MORE, END, FAULT) \
	FIELD_OR(POINTER, "ptr[" #N "]", FAULT), \
	JEQ(POINTER, 0, END), \
	JUMP_UNLESS(">" #N, MORE), \
	STRING_AT(TEXT, "arg[" #N "]", POINTER), \
	OUTPUT_ARG(N + 1)
#define FIVE_ARGS(ARG, A, B, C, D, E, ...) \
	ARG(A, __VA_ARGS__), ARG(B, __VA_ARGS__), ARG(C, __VA_ARGS__), \
	ARG(D, __VA_ARGS__), ARG(E, __VA_ARGS__)
/* ARG(1, ...), ... as far as they are wanted, as ONE_ARG: all, and those that are read again. */
#define SOME_ARGS(ARG, ...) \
	ARG(1, __VA_ARGS__), ARG(2, __VA_ARGS__), ARG(3, __VA_ARGS__), ARG(4, __VA_ARGS__), \
	FIVE_ARGS(ARG, 5, 6, 7, 8, 9, __VA_ARGS__), \
	FIVE_ARGS(ARG, 10, 11, 12, 13, 14, __VA_ARGS__), \
	FIVE_ARGS(ARG, 15, 16, 17, 18, 19, __VA_ARGS__), \
	FIVE_ARGS(ARG, 20, 21, 22, 23, 24, __VA_ARGS__)
#define ALL_ARGS(ARG, ...) \
	SOME_ARGS(ARG, __VA_ARGS__), \
	FIVE_ARGS(ARG, 25, 26, 27, 28, 29, __VA_ARGS__), \
	FIVE_ARGS(ARG, 30, 31, 32, 33, 34, __VA_ARGS__), \
	FIVE_ARGS(ARG, 35, 36, 37, 38, 39, __VA_ARGS__), \
	FIVE_ARGS(ARG, 40, 41, 42, 43, 44, __VA_ARGS__), \
	FIVE_ARGS(ARG, 45, 46, 47, 48, 49, __VA_ARGS__), \
	FIVE_ARGS(ARG, 50, 51, 52, 53, 54, __VA_ARGS__), \
	FIVE_ARGS(ARG, 55, 56, 57, 58, 59, __VA_ARGS__)

/*
 * parents[TGID].in_exec = 1 or 0: a thread that is not the leader takes the leader's place and id
 * in its exec, and the leader ends.
 */
#define SET_IN_EXEC(WHETHER) \
	SET(tgid, TGID), \
	LOOKUP_OR("parents", tgid, ".older"),		/* made before tracing began */ \
	PUT_IMM(R0, struct parent, in_exec, WHETHER), \
	LABEL(".older")

/*
 * if (argv can't be read) goto FAULT.
 *
 * If a pointer is unreadable, the rings leave old bytes in its place: so argv is also read as a
 * text, which fails if it is unreadable. It is unreadable on machines whose CPUs do not set
 * accessed bits (32-bit ARM, s390x, many arm64): there all pages are absent after a fork until they
 * are touched. In a row of pointers an unreadable one is 0: so the row's end is checked.
 */
#define ARGV_CAN_BE_READ(FAULT) \
	JUMP_UNLESS("row:argv", ".text"), \
	JUMP(".readable"), \
	LABEL(".text"), \
	STRING(TEXT, "argv"), \
	SET_USER_STRING(arg.text, TEXT), \
	JSLT(R0, 0, FAULT),				/* 0: empty, on some kernels */ \
	LABEL(".readable")

/* if (this 0 is not NULL, but an unreadable pointer) goto FAULT. */
#define ARGV_ENDS(FAULT) \
	JUMP_UNLESS("row:argv", ".ended"), \
	STRING(TEXT, "argv"), \
	JEQ(TEXT, 0, FAULT), \
	LABEL(".ended")

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	SET(arg.tid, TASK),
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32),
	SET_IN_EXEC(1),					/* parents[tgid].in_exec = 1 */
	SET_FIELD(arg.time, "time"),
	SET_IMM(arg.type, EXEC_ARG),
	SET_IMM(hole, 0),
	SET_IMM(unnamed, 0),
	BPF_MOV64_IMM(ARGS, 0),				/* args = 0 */

	STRING(TEXT, "filename"),
	OUTPUT_ARG(0),					/* the file's name */
	GET(R1, hole),
	JEQ(R1, 0, "readable"),
	SET_IMM(unnamed, EXEC_UNNAMED),
LABEL("readable"),
	GET(LENGTH, arg.length),
	JGT(LENGTH, 1, "named"),		/* an empty name, the file is an fd: show argv[0] */
	FIELD_OR(POINTER, "ptr[0]", "fault"),
	JEQ(POINTER, 0, "end"),
	STRING_AT(TEXT, "arg[0]", POINTER),
	OUTPUT_ARG(1),
LABEL("named"),

	ARGV_CAN_BE_READ("unreadable"),
	ALL_ARGS(ONE_ARG, "more", "end", "fault"),	/* argv[1], ... as far as they are wanted */
LABEL("more"),
	BPF_MOV64_IMM(FLAGS, EXEC_SEEN | EXEC_MORE),
	JUMP("start"),
LABEL("end"),
	ARGV_ENDS("fault"),
	BPF_MOV64_IMM(FLAGS, EXEC_SEEN),
	JUMP("start"),
LABEL("unreadable"),
	BPF_MOV64_IMM(FLAGS, EXEC_SEEN | EXEC_FAULT | EXEC_ROW),
	JUMP("start"),
LABEL("fault"),
	BPF_MOV64_IMM(FLAGS, EXEC_SEEN | EXEC_FAULT),

LABEL("start"),
	GET(R1, hole),
	BPF_ALU64_REG(BPF_OR, FLAGS, R1),
	GET(R1, unnamed),
	BPF_ALU64_REG(BPF_OR, FLAGS, R1),
	BPF_ALU64_IMM(BPF_LSH, ARGS, 32),
	BPF_ALU64_REG(BPF_OR, ARGS, FLAGS),
	SET(start.told, ARGS),
	SET_IMM(start.table, 0),
	SET_IMM(start.step, 0),
	JUMP_UNLESS("target:bpf", "store"),
	JUMP_UNLESS("hook:exec.again", "store"),
	SET_FIELD(start.table, "table"),
	SET_FIELD(start.step, "step"),
LABEL("store"),
	STORE_CALL("start", tid, start),	/* start[tid] = { told, table, step } */
	EXIT,
};

/* ARGS = the number in start[tid], the current task's; if (nothing was unreadable) goto OUT */
#define ARGS_AGAIN(OUT) \
	SET_FIELD(tid, "tid"), \
	LOOKUP_OR("start", tid, OUT), \
	LOAD(ARGS, R0, struct start, told), \
	LOAD(STEP, R0, struct start, step), \
	LOAD(POINTER, R0, struct start, table), \
	SET(start.table, POINTER), \
	BPF_MOV64_REG(FLAGS, ARGS), \
	BPF_ALU64_IMM(BPF_RSH, ARGS, 32), \
	BPF_ALU64_IMM(BPF_AND, FLAGS, EXEC_FAULT | EXEC_HOLE), \
	JEQ(FLAGS, 0, OUT), \
	GET(R1, tid), \
	SET(arg.tid, R1), \
	SET_FIELD(arg.time, "time"), \
	SET_IMM(arg.type, EXEC_ARG)

/* start[tid].told = ARGS << 32 | FLAGS | the flags of before; if (there is none) goto OUT */
#define TELL_AGAIN(OUT) \
	LOOKUP_OR("start", tid, OUT), \
	LOAD(R1, R0, struct start, told), \
	BPF_ALU64_IMM(BPF_AND, R1, 0xffff), \
	BPF_ALU64_REG(BPF_OR, FLAGS, R1), \
	BPF_ALU64_IMM(BPF_LSH, ARGS, 32), \
	BPF_ALU64_REG(BPF_OR, ARGS, FLAGS), \
	PUT(R0, struct start, told, ARGS)

/* argv[N], as ONE_ARG, of the row at start.table, which goes on to the next. */
#define ARG_AGAIN_AT(N, MORE, END, FAULT) \
	GET(R1, start.table), \
	JEQ(STEP, 4, ".narrow"), \
	FOLLOW(POINTER, R1, 8, false, true), \
	SYMBOLIC(SYM_ELSE, FAULT, 0, 0, 0, 0), \
	JUMP(".known"), \
	LABEL(".narrow"), \
	FOLLOW(POINTER, R1, 4, false, true), \
	SYMBOLIC(SYM_ELSE, FAULT, 0, 0, 0, 0), \
	LABEL(".known"), \
	JEQ(POINTER, 0, END), \
	JUMP_UNLESS(">" #N, MORE), \
	SET_USER_STRING(arg.text, POINTER), \
	OUTPUT_TEXT(ARG_AGAIN + N), \
	GET(R1, start.table), \
	BPF_ALU64_REG(BPF_ADD, R1, STEP), \
	SET(start.table, R1)

static const struct insn on_again[] = {
	ARGS_AGAIN("out"),
	ARG_AGAIN_AT(0, "more", "end", "fault"),
	SOME_ARGS(ARG_AGAIN_AT, "more", "end", "fault"),
LABEL("more"),
	BPF_MOV64_IMM(FLAGS, EXEC_AGAIN | EXEC_AGAIN_MORE),
	JUMP("told"),
LABEL("end"),
	BPF_MOV64_IMM(FLAGS, EXEC_AGAIN),
	JUMP("told"),
LABEL("fault"),
	BPF_MOV64_IMM(FLAGS, 0),
LABEL("told"),
	TELL_AGAIN("out"),
LABEL("out"),
	EXIT,
};

/* argv[N], if there is one. The kernel has just written it to the new stack. */
#define ARG_OF_IMAGE(N, INPUT, MORE, END) \
	JEQ(LEFT, 0, END), \
	JUMP_UNLESS(">" #N, MORE), \
	STRING(TEXT, INPUT), \
	SET_USER_STRING(arg.text, TEXT), \
	OUTPUT_TEXT(ARG_AGAIN + N), \
	BPF_ALU64_IMM(BPF_SUB, LEFT, 1)

static const struct insn on_image[] = {
	ARGS_AGAIN("out"),
	FIELD_OR(LEFT, "stack[0]", "out"),		/* argc */
	JEQ(LEFT, 0, "out"),
	ARG_OF_IMAGE(0, "arg[1]", "more", "end"), ARG_OF_IMAGE(1, "arg[2]", "more", "end"),
	ARG_OF_IMAGE(2, "arg[3]", "more", "end"), ARG_OF_IMAGE(3, "arg[4]", "more", "end"),
	ARG_OF_IMAGE(4, "arg[5]", "more", "end"), ARG_OF_IMAGE(5, "arg[6]", "more", "end"),
	ARG_OF_IMAGE(6, "arg[7]", "more", "end"), ARG_OF_IMAGE(7, "arg[8]", "more", "end"),
	ARG_OF_IMAGE(8, "arg[9]", "more", "end"), ARG_OF_IMAGE(9, "arg[10]", "more", "end"),
	ARG_OF_IMAGE(10, "arg[11]", "more", "end"), ARG_OF_IMAGE(11, "arg[12]", "more", "end"),
	ARG_OF_IMAGE(12, "arg[13]", "more", "end"), ARG_OF_IMAGE(13, "arg[14]", "more", "end"),
	ARG_OF_IMAGE(14, "arg[15]", "more", "end"), ARG_OF_IMAGE(15, "arg[16]", "more", "end"),
	ARG_OF_IMAGE(16, "arg[17]", "more", "end"), ARG_OF_IMAGE(17, "arg[18]", "more", "end"),
	ARG_OF_IMAGE(18, "arg[19]", "more", "end"), ARG_OF_IMAGE(19, "arg[20]", "more", "end"),
	ARG_OF_IMAGE(20, "arg[21]", "more", "end"), ARG_OF_IMAGE(21, "arg[22]", "more", "end"),
	JEQ(LEFT, 0, "end"),
LABEL("more"),
	BPF_MOV64_IMM(FLAGS, EXEC_AGAIN | EXEC_AGAIN_MORE | EXEC_IMAGE),
	JUMP("told"),
LABEL("end"),
	BPF_MOV64_IMM(FLAGS, EXEC_AGAIN | EXEC_IMAGE),
LABEL("told"),
	TELL_AGAIN("out"),
LABEL("out"),
	EXIT,
};

/* output d = { now, task, STARTED, RET, parents[tgid] } */
#define OUTPUT_DONE \
	SET(done.flags, STARTED), \
	BPF_ALU64_IMM(BPF_RSH, STARTED, 32), \
	SET(done.args, STARTED), \
	SET(done.ret, RET), \
	SET_IMM(done.type, EXEC_DONE), \
	SET_FIELD(done.time, "time"), \
	SET_FIELD(done.uid, "uid?"), \
	SET_FIELD(done.cpu, "cpu"), \
	SET_FIELD(done.pid_tgid, "pid_tgid"), \
	SET_BYTES(done.comm, "comm"), \
	SET_IMM(done.ppid, 0), \
	LOOKUP_OR("parents", tgid, ".orphan"), \
	COPY_FROM(done.ppid, R0, struct parent, tgid), \
	LABEL(".orphan"), \
	OUTPUT("events", done)

/* output { now, gone, TID } */
#define OUTPUT_GONE \
	SET(gone.tid, TID), \
	SET_FIELD(gone.time, "time"), \
	SET_IMM(gone.type, EXEC_GONE), \
	OUTPUT("events", gone)

static const struct insn on_done[] = {
	FIELD(TGID, "tgid"),
	SET_IN_EXEC(0),					/* parents[tgid].in_exec = 0 */
	FIELD(TID, "old_pid"),
	SET(tid, TID),
	TAKE(STARTED, "start", tid),			/* s = take start[old_pid] */
	JEQ(STARTED, 0, "out"),
	BPF_MOV64_REG(R1, STARTED),
	BPF_ALU64_IMM(BPF_AND, R1, EXEC_UNNAMED),
	JEQ(R1, 0, "whole"),				/* if (s has no name) output the kernel's */
	SET(arg.tid, TID),
	SET_FIELD(arg.time, "time"),
	SET_IMM(arg.type, EXEC_ARG),
	STRING(TEXT_OF_FILE, "filename"),
	SET_KERNEL_STRING(arg.text, TEXT_OF_FILE),
	BPF_MOV64_REG(ARGS, STARTED),
	BPF_ALU64_IMM(BPF_RSH, ARGS, 32),
	OUTPUT_TEXT(ARG_FILE),
	BPF_ALU64_IMM(BPF_LSH, ARGS, 32),
	BPF_ALU64_IMM(BPF_AND, STARTED, 0xffff),
	BPF_ALU64_REG(BPF_OR, STARTED, ARGS),
LABEL("whole"),
	SET(done.tid, TID),
	BPF_MOV64_IMM(RET, 0),
	OUTPUT_DONE,
LABEL("out"),
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(RET, "ret"),
	JSGE(RET, 0, "out"),				/* exec.done outputs successes */
	FIELD(TGID, "tgid"),
	SET_IN_EXEC(0),					/* parents[tgid].in_exec = 0 */
	FIELD(TID, "tid"),
	SET(tid, TID),
	SET(done.tid, TID),
	TAKE(STARTED, "start", tid),			/* s = take start[tid] */
	JEQ(STARTED, 0, "out"),
	JUMP_UNLESS("fails", "hidden"),
	OUTPUT_DONE,
	JUMP("out"),
LABEL("hidden"),
	OUTPUT_GONE,					/* output { gone, tid } */
LABEL("out"),
	EXIT,
};

static const struct insn on_new[] = {
	FIELD(CLONE, "clone_flags"),
	JSET(CLONE, CLONE_THREAD, "out"),		/* no process of its own */
	SET_FIELD(tgid, "tgid"),
	SET_IMM(parent.in_exec, 0),
	JSET(CLONE, CLONE_PARENT, "sibling"),
	COPY(parent.tgid, tgid),			/* p = { tgid, 0 } */
	JUMP("store"),
LABEL("sibling"),
	LOOKUP_OR("parents", tgid, "out"),		/* p = { parents[tgid].tgid, 0 } */
	COPY_FROM(parent.tgid, R0, struct parent, tgid),
LABEL("store"),
	SET_FIELD(tid, "pid"),
	STORE("parents", tid, parent),			/* parents[pid] = p */
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	FIELD(TID, "pid"),
	SET(tid, TID),
	TAKE(STARTED, "start", tid),		/* if (take start[pid]) output { gone, pid } */
	JEQ(STARTED, 0, "done"),
	OUTPUT_GONE,
LABEL("done"),
	LOOKUP_OR("parents", tid, "out"),
	LOAD(R1, R0, struct parent, in_exec),
	JNE(R1, 0, "out"),				/* if (parents[pid].in_exec) out */
	DELETE("parents", tid),
LABEL("out"),
	EXIT,
};

static const struct insn on_alone[] = {
	FIELD(TGID, "tgid"),
	BPF_ALU64_IMM(BPF_LSH, RENAME(TASK, TGID), 32),
	FIELD(OLD_TID, "old_pid"),
	BPF_ALU64_REG(BPF_OR, TASK, OLD_TID),		/* the thread that called exec */
	FILTER(TASK),
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32),
	SET_IN_EXEC(0),					/* parents[tgid].in_exec = 0 */
	SET(arg.tid, RENAME(TID, TGID)),
	SET_FIELD(arg.time, "time"),
	SET_IMM(arg.type, EXEC_ARG),
	BPF_MOV64_IMM(ARGS, 0),				/* args = 0 */
	STRING(TEXT_OF_FILE, "filename"),
	SET_KERNEL_STRING(arg.text, TEXT_OF_FILE),
	OUTPUT_TEXT(0),
	BPF_MOV64_REG(STARTED, ARGS),
	BPF_ALU64_IMM(BPF_LSH, STARTED, 32),
	BPF_ALU64_IMM(BPF_OR, STARTED, EXEC_SEEN | EXEC_FAULT),
	SET(done.tid, TID),
	BPF_MOV64_IMM(RET, 0),
	OUTPUT_DONE,
	EXIT,
};

static const struct insn on_end[] = {
	FIELD(TGID, "pid"),
	SET_IN_EXEC(1),					/* parents[pid].in_exec = 1 */
	EXIT,
};

static const struct insn on_free[] = {
	FIELD(TID, "pid"),
	SET(tid, TID),
	LOOKUP_OR("parents", tid, "out"),
	LOAD(R1, R0, struct parent, in_exec),
	JEQ(R1, 0, "out"),		/* if (!parents[pid].in_exec) out: the id is used again */
	DELETE("parents", tid),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("exec.enter", on_enter),
	PROGRAM("exec.again", on_again, .spare = true),
	PROGRAM("exec.image", on_image, .spare = true),
	PROGRAM("exec.done", on_done),
	PROGRAM("exec.exit", on_exit),
	PROGRAM("task.new", on_new, .optional = true),
	PROGRAM("task.exit", on_task_exit, .optional = true),
	{ }
};

static const struct program alone[] = {
	PROGRAM("exec.done", on_alone),
	PROGRAM("task.new", on_new, .optional = true),
	PROGRAM("task.exit", on_end, .optional = true),
	PROGRAM("task.free", on_free, .optional = true, .tidies = true),
	{ }
};

const struct program_set execsnoop_programs = { programs, maps };
const struct program_set execsnoop_alone = { alone, maps };
