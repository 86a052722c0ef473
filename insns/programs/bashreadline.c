// SPDX-License-Identifier: GPL-2.0
/*
 * readline.enter:	start[tid] = 1
 * readline.exit:	if (take start[tid] && line) output { line }
 * task.exit:		delete start[tid]: the shell was killed at its prompt
 *
 * A file in two mounts may be probed twice: then only the first of two returns finds a start. At
 * the end of the input there is no line.
 */
#include "insns/programs/bashreadline.h"

#include <stddef.h>

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &bashreadline_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	u64 started;
	struct bashreadline_record record;
};

/* Registers. */
enum { POINTER = R6, LINE = R6, TASK = R7, BEGAN = R8 };

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(tid, TASK),
	SET_IMM(started, 1),
	STORE("start", tid, started),			/* start[tid] = 1 */
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET(tid, TASK),
	TAKE(BEGAN, "start", tid),			/* if (!take start[tid]) out */
	JEQ(BEGAN, 0, "out"),
	FIELD(POINTER, "pointer"),
	JEQ(POINTER, 0, "out"),				/* if (!line) out */
	SET_FIELD(record.library, "library"),		/* r.library = library */
	STRING(LINE, "line"),
	SET_USER_PATH(record.line, LINE),		/* r.line = line */
	SET_FIELD(record.time, "time"),			/* r.time = now */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct insn on_task_exit[] = {
	SET_FIELD(tid, "pid"),
	DELETE("start", tid),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("readline.enter", on_enter),
	PROGRAM("readline.exit", on_exit),
	PROGRAM("task.exit", on_task_exit, .spare = true),
	{ }
};

const struct program_set bashreadline_programs = { programs, maps };
