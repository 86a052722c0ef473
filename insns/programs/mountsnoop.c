// SPDX-License-Identifier: GPL-2.0
/*
 * mount.enter:	output each text; start[tid] = { call, number of texts, numbers }
 * mount.exit:	s = take start[tid]; if (s) output { s, ret, task }
 *
 * One record for each text: 4.9 and older take records only from the stack.
 */
#include "insns/programs/mountsnoop.h"

#include <stddef.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct mount_args), 10240, .calls = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &mount_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	struct mount_text text;
	struct mount_args args;
	struct mount_done done;
};

/* Registers. */
enum { TASK = R6, POINTER = R6, VALUE = R6, CALLER = R7, TEXT = R7, TEXTS = R8 };

/* Text N of the call, if it has one. */
#define ONE_TEXT(N) \
	JUMP_UNLESS("input:ptr" #N, ".no_text"), \
	BPF_ALU64_IMM(BPF_ADD, TEXTS, 1), \
	SET_IMM(text.index, N), \
	FIELD(POINTER, "ptr" #N "?"), \
	JNE(POINTER, 0, ".given"), \
	SET_IMM(text.length, MOUNT_NULL), \
	OUTPUT_AT("events", FRAME(text), offsetof(struct mount_text, text)), \
	JUMP(".no_text"), \
	LABEL(".given"), \
	STRING(TEXT, "text" #N "?"), \
	SET_USER_STRING(text.text, TEXT), \
	SET(text.length, R0), \
	OUTPUT("events", text), \
	LABEL(".no_text")

#define NUMBER(N) \
	BPF_MOV64_IMM(VALUE, INT32_MIN), \
	JUMP_UNLESS("input:n" #N, ".not_had"), \
	FIELD_OR(VALUE, "n" #N "?", ".not_had"), \
	LABEL(".not_had"), \
	SET(args.numbers[N], VALUE)

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	SET(text.tid, TASK),
	SET_FIELD(text.time, "time"),
	SET_IMM(text.type, MOUNT_TEXT),
	BPF_MOV64_IMM(TEXTS, 0),
	ONE_TEXT(0),					/* output the texts */
	ONE_TEXT(1),
	ONE_TEXT(2),
	ONE_TEXT(3),
	SET(args.texts, TEXTS),				/* s.texts */
	SET_FIELD(args.call, "call"),			/* s.call */
	NUMBER(0), NUMBER(1), NUMBER(2), NUMBER(3),	/* s.numbers */
	STORE("start", tid, args),			/* start[tid] = s */
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(CALLER, "pid_tgid"),
	SET(done.pid_tgid, CALLER),			/* d.pid_tgid */
	SET(tid, CALLER),
	LOOKUP_OR("start", tid, "out"),			/* d.args = take start[tid] */
	COPY_ALL(done.args, R0),
	DELETE("start", tid),
	SET_FIELD(done.ret, "ret"),			/* d.ret */
	SET_IMM(done.type, MOUNT_DONE),
	SET_FIELD(done.mnt_ns, "mnt_ns?"),		/* d.mnt_ns */
	SET_IMM(done.ppid, 0),
	ZERO(done.pcomm),
	JUMP_UNLESS("parent", "orphan"),
	SET_FIELD(done.ppid, "ppid?"),			/* d.ppid */
	JUMP_UNLESS("input:pcomm", "orphan"),
	STRING(TEXT, "pcomm?"),
	SET_KERNEL_STRING(done.pcomm, TEXT),		/* d.pcomm */
LABEL("orphan"),
	SET_FIELD(done.time, "time"),
	SET_BYTES(done.comm, "comm"),
	OUTPUT("events", done),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("mount.enter", on_enter),
	PROGRAM("mount.exit", on_exit),
	{ }
};

const struct program_set mountsnoop_programs = { programs, maps };
