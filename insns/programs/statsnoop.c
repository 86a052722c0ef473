// SPDX-License-Identifier: GPL-2.0
/*
 * stat.enter:	start[tid] = filename
 * stat.name:	if (start[tid] and name is no error) names[tid] = the kernel's copy of the path
 * stat.exit:	if (take start[tid]) output { ret, names[tid] or the text at filename }
 *
 * A call without a path, or with an empty one that is not an error, asks for an open file, as fstat does: programs do
 * that whenever they open one. It is left out.
 */
#include "insns/programs/statsnoop.h"

#include <errno.h>
#include <stddef.h>

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 10240 },
	{ "names", MAP_HASH, ROLE_JOIN, 4, sizeof(struct path_name), 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define START -16

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	STRING(R6, "filename"),
	BPF_STX_MEM(BPF_DW, R10, R6, START),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	UNLESS("hook:stat.name", "no_names"),
	DELETE("names", KEY),				/* what a call that never returned left */
LABEL("no_names"),
	STORE("start", KEY, START),			/* start[tid] = filename */
	EXIT,
};

#define NAME -288

static const struct insn on_name[] = {
	FIELD(R6, "tid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	LOOKUP("start", KEY),				/* other calls look up names, too */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	FIELD(R6, "name"),				/* where no path could be copied, it is the error */
	JUMP_IF(BPF_JGT, R6, -4096, "out"),
	STRING(R6, "path"),
	READ_KERNEL_STRING(NAME + 8, PATH_READ, R6),
	BPF_STX_MEM(BPF_DW, R10, R0, NAME),
	STORE("names", KEY, NAME),			/* names[tid] = path */
LABEL("out"),
	EXIT,
};

#define RECORD(MEMBER) (-328 + (int)offsetof(struct statsnoop_record, MEMBER))
#define EXIT_KEY -336

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),	/* r.pid_tgid */
	BPF_STX_MEM(BPF_W, R10, R7, EXIT_KEY),
	LOOKUP("start", EXIT_KEY),			/* filename = take start[tid] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R8, R0, 0),
	DELETE("start", EXIT_KEY),
	FIELD(R9, "ret"),
	UNLESS("failed", "any"),
	JUMP_IF(BPF_JSGT, R9, -1, "out"),		/* if (ret >= 0) out */
LABEL("any"),
	BPF_STX_MEM(BPF_W, R10, R9, RECORD(ret)),	/* r.ret = ret */
	BPF_ST_MEM(BPF_W, R10, RECORD(pad), 0),
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(time)),	/* r.time = now */
	BYTES(RECORD(comm), "comm", 16),		/* r.comm */
	UNLESS("hook:stat.name", "pointer"),
	LOOKUP("names", EXIT_KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "pointer"),
	BPF_MOV64_REG(R6, R0),
	COPY_PATH(RECORD(name)),			/* r.name = take names[tid] */
	DELETE("names", EXIT_KEY),
	JUMP("named"),
LABEL("pointer"),
	JUMP_IF(BPF_JEQ, R8, 0, "none"),
	READ_USER_STRING(RECORD(name.path), PATH_READ, R8),	/* r.name = text at filename */
	BPF_STX_MEM(BPF_DW, R10, R0, RECORD(name.length)),
LABEL("named"),
	BPF_LDX_MEM(BPF_DW, R1, R10, RECORD(name.length)),
	JUMP_IF(BPF_JSGT, R1, -1, "read"),
	JUMP("output"),					/* it could not be read */
LABEL("read"),
	BPF_LDX_MEM(BPF_B, R1, R10, RECORD(name.path)),
	JUMP_IF(BPF_JNE, R1, 0, "output"),
	JUMP_IF(BPF_JNE, R9, -ENOENT, "out"),		/* if (the path is empty && ret != -ENOENT) out */
	JUMP("output"),
LABEL("none"),
	JUMP_IF(BPF_JSGT, R9, -1, "out"),		/* if (there is no path && ret >= 0) out */
	NO_PATH(RECORD(name)),
LABEL("output"),
	OUTPUT("events", RECORD(time), sizeof(struct statsnoop_record)),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("stat.enter", on_enter),
	PROGRAM("stat.name", on_name, .spare = true),
	PROGRAM("stat.exit", on_exit),
	{ }
};

const struct program_set statsnoop_programs = { programs, maps };
