// SPDX-License-Identifier: GPL-2.0
/*
 * readline.enter:	start[tid] = 1
 * readline.exit:	if (take start[tid] && line) output { line }
 * task.exit:		delete start[tid]: a shell that is killed at its prompt
 *
 * A file that is seen through two mounts may be probed twice: of two returns only the first finds a start. No line: the
 * end of the input.
 */
#include "insns/programs/bashreadline.h"

#include <stddef.h>

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define VALUE -16

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	BPF_ST_MEM(BPF_DW, R10, VALUE, 1),
	STORE("start", KEY, VALUE),			/* start[tid] = 1 */
	EXIT,
};

#define RECORD(MEMBER) (-320 + (int)offsetof(struct bashreadline_record, MEMBER))

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),	/* r.pid_tgid */
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	TAKE(R8, "start", KEY),				/* if (!take start[tid]) out */
	JUMP_IF(BPF_JEQ, R8, 0, "out"),
	FIELD(R6, "pointer"),
	JUMP_IF(BPF_JEQ, R6, 0, "out"),			/* if (!line) out */
	FIELD(R6, "library"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(library)),	/* r.library = library */
	STRING(R6, "line"),
	READ_USER_STRING(RECORD(line.path), PATH_READ, R6),	/* r.line = line */
	BPF_STX_MEM(BPF_DW, R10, R0, RECORD(line.length)),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(time)),	/* r.time = now */
	BYTES(RECORD(comm), "comm", 16),		/* r.comm */
	OUTPUT("events", RECORD(time), sizeof(struct bashreadline_record)),
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	DELETE("start", KEY),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("readline.enter", on_enter),
	PROGRAM("readline.exit", on_exit),
	PROGRAM("task.exit", on_task_exit, .spare = true),
	{ }
};

const struct program_set bashreadline_programs = { programs, maps };
