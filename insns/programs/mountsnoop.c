// SPDX-License-Identifier: GPL-2.0
/*
 * mount.enter:	output each text; start[tid] = { call, how many texts, numbers }
 * mount.exit:	s = take start[tid]; if (s) output { s, ret, who }
 *
 * One record a text: 4.9 and older take a record only from the stack.
 */
#include "insns/programs/mountsnoop.h"

#include <stddef.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct mount_args), 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define TEXT(MEMBER) (-296 + (int)offsetof(struct mount_text, MEMBER))
#define ARGS(MEMBER) (-336 + (int)offsetof(struct mount_args, MEMBER))

/* Text N of the call, if it has one. */
#define ONE_TEXT(N) \
	UNLESS("input:ptr" #N, ".no_text"), \
	BPF_ALU64_IMM(BPF_ADD, R8, 1), \
	BPF_ST_MEM(BPF_W, R10, TEXT(index), N), \
	FIELD(R6, "ptr" #N "?"), \
	JUMP_IF(BPF_JNE, R6, 0, ".given"), \
	BPF_ST_MEM(BPF_W, R10, TEXT(length), MOUNT_NULL), \
	OUTPUT("events", TEXT(time), offsetof(struct mount_text, text)), \
	JUMP(".no_text"), \
	LABEL(".given"), \
	STRING(R7, "text" #N "?"), \
	READ_USER_STRING(TEXT(text), MOUNT_READ, R7), \
	BPF_STX_MEM(BPF_W, R10, R0, TEXT(length)), \
	OUTPUT("events", TEXT(time), sizeof(struct mount_text)), \
	LABEL(".no_text")

#define NUMBER(N) \
	BPF_MOV64_IMM(R6, INT32_MIN), \
	UNLESS("input:n" #N, ".not_had"), \
	FIELD_OR(R6, "n" #N "?", ".not_had"), \
	LABEL(".not_had"), \
	BPF_STX_MEM(BPF_DW, R10, R6, ARGS(numbers[N]))

static const struct insn on_enter[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	BPF_STX_MEM(BPF_W, R10, R6, TEXT(tid)),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, TEXT(time)),
	BPF_ST_MEM(BPF_W, R10, TEXT(type), MOUNT_TEXT),
	BPF_MOV64_IMM(R8, 0),
	ONE_TEXT(0),					/* output the texts */
	ONE_TEXT(1),
	ONE_TEXT(2),
	ONE_TEXT(3),
	BPF_STX_MEM(BPF_W, R10, R8, ARGS(texts)),	/* s.texts */
	FIELD(R6, "call"),
	BPF_STX_MEM(BPF_W, R10, R6, ARGS(call)),	/* s.call */
	NUMBER(0), NUMBER(1), NUMBER(2), NUMBER(3),	/* s.numbers */
	STORE("start", KEY, ARGS(call)),		/* start[tid] = s */
	EXIT,
};

#define DONE(MEMBER) (-128 + (int)offsetof(struct mount_done, MEMBER))

#define COPY(OFFSET) \
	BPF_LDX_MEM(BPF_DW, R6, R0, OFFSET), \
	BPF_STX_MEM(BPF_DW, R10, R6, DONE(args) + (OFFSET))

_Static_assert(sizeof(struct mount_args) == 40, "five words are copied");

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, DONE(pid_tgid)),	/* d.pid_tgid */
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	LOOKUP("start", KEY),				/* d.args = take start[tid] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	COPY(0), COPY(8), COPY(16), COPY(24), COPY(32),
	DELETE("start", KEY),
	FIELD(R6, "ret"),
	BPF_STX_MEM(BPF_W, R10, R6, DONE(ret)),		/* d.ret */
	BPF_ST_MEM(BPF_W, R10, DONE(type), MOUNT_DONE),
	FIELD(R6, "mnt_ns?"),
	BPF_STX_MEM(BPF_W, R10, R6, DONE(mnt_ns)),	/* d.mnt_ns */
	BPF_ST_MEM(BPF_W, R10, DONE(ppid), 0),
	BPF_ST_MEM(BPF_DW, R10, DONE(pcomm), 0),
	BPF_ST_MEM(BPF_DW, R10, DONE(pcomm[8]), 0),
	UNLESS("parent", "orphan"),
	FIELD(R6, "ppid?"),
	BPF_STX_MEM(BPF_W, R10, R6, DONE(ppid)),	/* d.ppid */
	UNLESS("input:pcomm", "orphan"),
	STRING(R7, "pcomm?"),
	READ_KERNEL_STRING(DONE(pcomm), 16, R7),	/* d.pcomm */
LABEL("orphan"),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, DONE(time)),
	BYTES(DONE(comm), "comm", 16),
	OUTPUT("events", DONE(time), sizeof(struct mount_done)),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("mount.enter", on_enter),
	PROGRAM("mount.exit", on_exit),
	{ }
};

const struct program_set mountsnoop_programs = { programs, maps };
