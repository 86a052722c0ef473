// SPDX-License-Identifier: GPL-2.0
/*
 * stat.enter:	start[tid] = filename
 * stat.name:	if (start[tid] && name is not an error) names[tid] = the kernel's copy of the path
 * stat.exit:	if (take start[tid]) output { ret, names[tid] or the text at filename }
 *
 * A call without a path, or with a valid empty one, is about an open file, as fstat is. Programs do
 * that whenever they open a file: such calls are left out.
 */
#include "insns/programs/statsnoop.h"

#include <errno.h>
#include <stddef.h>

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, 8, 10240, .calls = true },
	{ "names", MAP_HASH, ROLE_JOIN, 4, sizeof(struct path_name), 10240, .detail = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &statsnoop_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	u64 filename;
	union {
		struct path_name name;
		struct statsnoop_record record;
	};
};

/* Registers. */
enum { FILENAME = R6, NAME = R6, PATH = R6, TASK = R7, ASKED = R8, RET = R9 };

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	STRING(FILENAME, "filename"),
	SET(filename, FILENAME),
	SET(tid, TASK),
	JUMP_UNLESS("hook:stat.name", "no_names"),
	DELETE("names", tid),				/* of a call that never returned */
LABEL("no_names"),
	STORE_CALL("start", tid, filename),		/* start[tid] = filename */
	EXIT,
};

static const struct insn on_name[] = {
	SET_FIELD(tid, "tid"),
	LOOKUP_OR("start", tid, "out"),			/* other calls look up names, too */
	FIELD(NAME, "name"),			/* an error if no path could be copied */
	JGT(NAME, -4096, "out"),
	STRING(PATH, "path"),
	SET_KERNEL_PATH(name, PATH),
	STORE("names", tid, name),			/* names[tid] = path */
LABEL("out"),
	EXIT,
};

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET(tid, TASK),
	LOOKUP_OR("start", tid, "out"),			/* filename = take start[tid] */
	BPF_LDX_MEM(BPF_DW, ASKED, R0, 0),
	DELETE("start", tid),
	FIELD(RET, "ret"),
	JUMP_UNLESS("failed", "any"),
	JSGE(RET, 0, "out"),				/* if (ret >= 0) out */
LABEL("any"),
	SET(record.ret, RET),				/* r.ret = ret */
	SET_IMM(record.pad, 0),
	SET_FIELD(record.time, "time"),			/* r.time = now */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	JUMP_UNLESS("hook:stat.name", "pointer"),
	LOOKUP_OR("names", tid, "pointer"),
	COPY_ALL(record.name, R0),			/* r.name = take names[tid] */
	DELETE("names", tid),
	JUMP("named"),
LABEL("pointer"),
	JEQ(ASKED, 0, "none"),
	SET_USER_PATH(record.name, ASKED),		/* r.name = text at filename */
LABEL("named"),
	GET(R1, record.name.length),
	JSLT(R1, 0, "output"),				/* unreadable */
	GET(R1, record.name.path[0]),
	JNE(R1, 0, "output"),
	JNE(RET, -ENOENT, "out"),		/* if (the path is empty && ret != -ENOENT) out */
	JUMP("output"),
LABEL("none"),
	JSGE(RET, 0, "out"),				/* if (there is no path && ret >= 0) out */
	NO_PATH(record.name),
LABEL("output"),
	OUTPUT("events", record),
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
