// SPDX-License-Identifier: GPL-2.0
/*
 * exec.enter:	output the file's name and each argument; start[tid] = { how many, what was cut }
 * exec.done:	s = take start[old tid]; if (s) output { s, 0, who, parents[tgid] }
 * exec.exit:	if (ret < 0) { s = take start[tid]; if (s) output failures are wanted ? { s, ret, who } : { gone, tid } }
 * task.new:	parents[child] = the process that made it
 * task.exit:	if (take start[pid]) output { gone, pid }: killed within its exec
 *		delete parents[pid], unless the process is in an exec: a thread that is not the leader takes the leader's
 *		place and id, and the leader ends
 *
 * What can't be read is not known: argv itself, then nothing is, or from there on.
 *
 * One record an argument: 4.9 and older take a record only from the stack, which all of argv would outgrow.
 */
#include "insns/programs/execsnoop.h"

#include <linux/sched.h>
#include <stddef.h>

#include "insns/common.h"

struct parent {
	uint32_t tgid;
	uint32_t in_exec;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 10240 },
	{ "parents", MAP_HASH, ROLE_TABLE, 4, sizeof(struct parent), 32768 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define VALUE -16
#define TGID_KEY -184
#define ARG(MEMBER) (-176 + (int)offsetof(struct exec_arg, MEMBER))

/* output { index, text at r7 }; r8++ */
#define OUTPUT_ARG(INDEX) \
	READ_USER_STRING(ARG(text), ARG_READ, R7), \
	BPF_STX_MEM(BPF_W, R10, R0, ARG(length)), \
	BPF_ST_MEM(BPF_W, R10, ARG(index), INDEX), \
	OUTPUT("events", ARG(time), sizeof(struct exec_arg)), \
	BPF_ALU64_IMM(BPF_ADD, R8, 1)

/* argv[N]: the option `>N` says whether so many are wanted; if it is there all the same, there is more. */
#define ONE_ARG(N) \
	FIELD_OR(R6, "ptr[" #N "]", "fault"), \
	JUMP_IF(BPF_JEQ, R6, 0, "end"), \
	UNLESS(">" #N, "more"), \
	STRING_AT(R7, "arg[" #N "]", R6), \
	OUTPUT_ARG(N + 1)
#define FIVE_ARGS(A, B, C, D, E) ONE_ARG(A), ONE_ARG(B), ONE_ARG(C), ONE_ARG(D), ONE_ARG(E)

static const struct insn on_enter[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	BPF_STX_MEM(BPF_W, R10, R6, ARG(tid)),		/* a.tid = tid */
	BPF_ALU64_IMM(BPF_RSH, R6, 32),
	BPF_STX_MEM(BPF_W, R10, R6, TGID_KEY),
	LOOKUP("parents", TGID_KEY),			/* parents[tgid].in_exec = 1 */
	JUMP_IF(BPF_JEQ, R0, 0, "older"),
	BPF_ST_MEM(BPF_W, R0, offsetof(struct parent, in_exec), 1),
LABEL("older"),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, ARG(time)),	/* a.time = now */
	BPF_ST_MEM(BPF_W, R10, ARG(type), EXEC_ARG),
	BPF_MOV64_IMM(R8, 0),				/* args = 0 */
	STRING(R7, "filename"),
	OUTPUT_ARG(0),					/* the file's name */
	BPF_LDX_MEM(BPF_W, R6, R10, ARG(length)),
	JUMP_IF(BPF_JGT, R6, 1, "named"),		/* an empty name, the file is an fd: show argv[0] */
	FIELD_OR(R6, "ptr[0]", "fault"),
	JUMP_IF(BPF_JEQ, R6, 0, "end"),
	STRING_AT(R7, "arg[0]", R6),
	OUTPUT_ARG(1),
LABEL("named"),
	/*
	 * The rings leave what was in their memory before where a pointer can't be read, which may be anything: argv read as
	 * a text tells whether it could be. It can't where a CPU does not set accessed bits itself (32-bit ARM, s390x, many
	 * arm64): after a fork all pages are as if not there until they are touched. In a row what can't be read is 0: that is
	 * asked at its end.
	 */
	UNLESS("row:argv", "text"),
	JUMP("readable"),
LABEL("text"),
	STRING(R7, "argv"),
	READ_USER_STRING(ARG(text), ARG_READ, R7),
	JUMP_IF(BPF_JSGE, R0, 0, "readable"),		/* an empty text has length 0 on some kernels */
	JUMP("fault"),
LABEL("readable"),
	ONE_ARG(1), ONE_ARG(2), ONE_ARG(3), ONE_ARG(4),
	FIVE_ARGS(5, 6, 7, 8, 9), FIVE_ARGS(10, 11, 12, 13, 14), FIVE_ARGS(15, 16, 17, 18, 19),
	FIVE_ARGS(20, 21, 22, 23, 24), FIVE_ARGS(25, 26, 27, 28, 29), FIVE_ARGS(30, 31, 32, 33, 34),
	FIVE_ARGS(35, 36, 37, 38, 39), FIVE_ARGS(40, 41, 42, 43, 44), FIVE_ARGS(45, 46, 47, 48, 49),
	FIVE_ARGS(50, 51, 52, 53, 54), FIVE_ARGS(55, 56, 57, 58, 59),
LABEL("more"),
	BPF_MOV64_IMM(R7, EXEC_SEEN | EXEC_MORE),
	JUMP("start"),
LABEL("end"),
	UNLESS("row:argv", "ended"),
	STRING(R7, "argv"),
	JUMP_IF(BPF_JEQ, R7, 0, "fault"),		/* this 0 is no NULL, but a pointer that could not be read */
LABEL("ended"),
	BPF_MOV64_IMM(R7, EXEC_SEEN),
	JUMP("start"),
LABEL("fault"),
	BPF_MOV64_IMM(R7, EXEC_SEEN | EXEC_FAULT),
LABEL("start"),
	BPF_ALU64_IMM(BPF_LSH, R8, 32),
	BPF_ALU64_REG(BPF_OR, R8, R7),
	BPF_STX_MEM(BPF_DW, R10, R8, VALUE),
	BPF_LDX_MEM(BPF_W, R6, R10, ARG(tid)),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	STORE("start", KEY, VALUE),			/* start[tid] = args << 32 | flags */
	EXIT,
};

/* parents[tgid].in_exec = 0 */
#define EXEC_ENDS \
	FIELD(R7, "tgid"), \
	BPF_STX_MEM(BPF_W, R10, R7, PARENT_KEY), \
	LOOKUP("parents", PARENT_KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, ".older"), \
	BPF_ST_MEM(BPF_W, R0, offsetof(struct parent, in_exec), 0), \
	LABEL(".older")

#define DONE(MEMBER) (-88 + (int)offsetof(struct exec_done, MEMBER))
#define PARENT_KEY -96

/* d = { now, who, s = r7, ret = r8 }; output d */
#define OUTPUT_DONE \
	BPF_STX_MEM(BPF_W, R10, R7, DONE(flags)),	/* d.flags, d.args = s */ \
	BPF_ALU64_IMM(BPF_RSH, R7, 32), \
	BPF_STX_MEM(BPF_W, R10, R7, DONE(args)), \
	BPF_STX_MEM(BPF_W, R10, R8, DONE(ret)), \
	BPF_ST_MEM(BPF_W, R10, DONE(type), EXEC_DONE), \
	BPF_ST_MEM(BPF_W, R10, DONE(ppid), 0), \
	FIELD(R7, "time"), \
	BPF_STX_MEM(BPF_DW, R10, R7, DONE(time)), \
	FIELD(R7, "uid?"), \
	BPF_STX_MEM(BPF_W, R10, R7, DONE(uid)), \
	FIELD(R7, "cpu"), \
	BPF_STX_MEM(BPF_W, R10, R7, DONE(cpu)), \
	BYTES(DONE(comm), "comm", 16), \
	FIELD(R7, "pid_tgid"), \
	BPF_STX_MEM(BPF_DW, R10, R7, DONE(pid_tgid)), \
	BPF_ALU64_IMM(BPF_RSH, R7, 32), \
	BPF_STX_MEM(BPF_W, R10, R7, PARENT_KEY),	/* d.ppid = parents[tgid] */ \
	LOOKUP("parents", PARENT_KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, ".orphan"), \
	BPF_LDX_MEM(BPF_W, R1, R0, offsetof(struct parent, tgid)), \
	BPF_STX_MEM(BPF_W, R10, R1, DONE(ppid)), \
	LABEL(".orphan"), \
	OUTPUT("events", DONE(time), sizeof(struct exec_done))

#define GONE(MEMBER) (-32 + (int)offsetof(struct exec_gone, MEMBER))

/* output { now, gone, r6 } */
#define OUTPUT_GONE \
	BPF_STX_MEM(BPF_W, R10, R6, GONE(tid)), \
	FIELD(R6, "time"), \
	BPF_STX_MEM(BPF_DW, R10, R6, GONE(time)), \
	BPF_ST_MEM(BPF_W, R10, GONE(type), EXEC_GONE), \
	OUTPUT("events", GONE(time), sizeof(struct exec_gone))

static const struct insn on_done[] = {
	EXEC_ENDS,
	FIELD(R6, "old_pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	BPF_STX_MEM(BPF_W, R10, R6, DONE(tid)),		/* d.tid = old_pid */
	TAKE(R7, "start", KEY),				/* s = take start[old_pid] */
	JUMP_IF(BPF_JEQ, R7, 0, "out"),
	BPF_MOV64_IMM(R8, 0),
	OUTPUT_DONE,
LABEL("out"),
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(R8, "ret"),
	JUMP_IF(BPF_JSGE, R8, 0, "out"),		/* a success is told by exec.done */
	EXEC_ENDS,
	FIELD(R6, "tid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	BPF_STX_MEM(BPF_W, R10, R6, DONE(tid)),		/* d.tid = tid */
	TAKE(R7, "start", KEY),				/* s = take start[tid] */
	JUMP_IF(BPF_JEQ, R7, 0, "out"),
	UNLESS("fails", "hidden"),
	OUTPUT_DONE,
	JUMP("out"),
LABEL("hidden"),
	OUTPUT_GONE,					/* output { gone, tid } */
LABEL("out"),
	EXIT,
};

static const struct insn on_new[] = {
	FIELD(R6, "clone_flags"),
	JUMP_IF(BPF_JSET, R6, CLONE_THREAD, "out"),	/* no process of its own */
	FIELD(R7, "tgid"),
	BPF_ST_MEM(BPF_DW, R10, VALUE, 0),
	JUMP_IF(BPF_JSET, R6, CLONE_PARENT, "sibling"),
	BPF_STX_MEM(BPF_W, R10, R7, VALUE),
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	STORE("parents", KEY, VALUE),			/* parents[pid] = { tgid, 0 } */
	JUMP("out"),
LABEL("sibling"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),		/* parents[pid] = parents[tgid] */
	LOOKUP("parents", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_W, R7, R0, 0),
	BPF_STX_MEM(BPF_W, R10, R7, VALUE),
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	STORE("parents", KEY, VALUE),
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	TAKE(R7, "start", KEY),				/* if (take start[pid]) output { gone, pid } */
	JUMP_IF(BPF_JEQ, R7, 0, "done"),
	OUTPUT_GONE,
LABEL("done"),
	LOOKUP("parents", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_W, R1, R0, offsetof(struct parent, in_exec)),
	JUMP_IF(BPF_JNE, R1, 0, "out"),			/* if (parents[pid].in_exec) out */
	DELETE("parents", KEY),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("exec.enter", on_enter),
	PROGRAM("exec.done", on_done),
	PROGRAM("exec.exit", on_exit),
	PROGRAM("task.new", on_new, .optional = true),
	PROGRAM("task.exit", on_task_exit, .optional = true),
	{ }
};

const struct program_set execsnoop_programs = { programs, maps };
