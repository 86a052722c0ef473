// SPDX-License-Identifier: GPL-2.0
/*
 * open.enter:	start[tid] = { flags, mode, dfd, filename }
 * open.name:	if (start[tid]) names[tid] = the kernel's copy of the path
 * open.exit:	s = take start[tid]; if (s) output { s, ret, names[tid] or the text at s.filename }
 *
 * A path is read at the exit where only the caller's pointer is had: by then the kernel itself has read it, so its page
 * is there.
 */
#include "insns/programs/opensnoop.h"

#include <errno.h>
#include <stddef.h>

#include "insns/path.h"

struct start {
	uint64_t flags;
	uint32_t mode;
	int32_t dfd;
	uint64_t filename;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240 },
	{ "names", MAP_HASH, ROLE_JOIN, 4, sizeof(struct path_name), 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY -8
#define START(MEMBER) (-40 + (int)offsetof(struct start, MEMBER))

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	FIELD(R6, "flags?"),
	UNLESS("flag-filter", "wanted"),
	CONST(R1, "flag-filter"),			/* if (!(flags & wanted)) out */
	JUMP_IF_REG(BPF_JSET, R6, R1, "wanted"),
	JUMP("out"),
LABEL("wanted"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(flags)),	/* s.flags = flags */
	FIELD(R6, "mode?"),
	BPF_STX_MEM(BPF_W, R10, R6, START(mode)),	/* s.mode = mode */
	FIELD(R6, "dfd"),
	BPF_STX_MEM(BPF_W, R10, R6, START(dfd)),	/* s.dfd = dfd */
	STRING(R6, "filename"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(filename)),	/* s.filename = filename */
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	UNLESS("hook:open.name", "no_names"),
	DELETE("names", KEY),				/* what an open that never returned left */
LABEL("no_names"),
	STORE("start", KEY, START(flags)),		/* start[tid] = s */
LABEL("out"),
	EXIT,
};

#define NAME_VALUE -288

static const struct insn on_name[] = {
	FIELD(R6, "tid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	LOOKUP("start", KEY),				/* other opens than the system calls', or not asked for */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	STRING(R6, "path"),
	READ_KERNEL_STRING(NAME_VALUE + 8, PATH_READ, R6),
	BPF_STX_MEM(BPF_DW, R10, R0, NAME_VALUE),
	STORE("names", KEY, NAME_VALUE),		/* names[tid] = path */
LABEL("out"),
	EXIT,
};

#define RECORD(MEMBER) (-336 + (int)offsetof(struct opensnoop_record, MEMBER))
#define EXIT_KEY -344

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),	/* r.pid_tgid */
	BPF_STX_MEM(BPF_W, R10, R7, EXIT_KEY),
	LOOKUP("start", EXIT_KEY),			/* s = start[tid] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, flags)),
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(flags)),	/* r.flags = s.flags */
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, mode)),
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(mode)),	/* r.mode, r.dfd = s.mode, s.dfd */
	BPF_LDX_MEM(BPF_DW, R8, R0, offsetof(struct start, filename)),
	DELETE("start", EXIT_KEY),
	FIELD(R7, "ret"),
	UNLESS("failed", "any"),
	JUMP_IF(BPF_JSGT, R7, -1, "out"),		/* if (ret >= 0) out */
LABEL("any"),
	BPF_STX_MEM(BPF_W, R10, R7, RECORD(ret)),	/* r.ret = ret */
	FIELD(R7, "time"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(time)),	/* r.time = now */
	FIELD(R7, "uid?"),
	BPF_STX_MEM(BPF_W, R10, R7, RECORD(uid)),	/* r.uid */
	BYTES(RECORD(comm), "comm", 16),		/* r.comm */
	UNLESS("hook:open.name", "pointer"),
	LOOKUP("names", EXIT_KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "pointer"),
	BPF_MOV64_REG(R6, R0),
	COPY_PATH(RECORD(path_length)),			/* r.path = take names[tid] */
	DELETE("names", EXIT_KEY),
	JUMP("path"),
LABEL("pointer"),
	JUMP_IF(BPF_JEQ, R8, 0, "none"),		/* it failed before the kernel had a path */
	READ_USER_STRING(RECORD(path), PATH_READ, R8),	/* r.path = text at s.filename */
	BPF_STX_MEM(BPF_DW, R10, R0, RECORD(path_length)),
LABEL("path"),
	OUTPUT("events", RECORD(time), sizeof(struct opensnoop_record)),
	JUMP("out"),
LABEL("none"),
	NO_PATH(RECORD(path_length)),
	OUTPUT("events", RECORD(time), sizeof(struct opensnoop_record)),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("open.enter", on_enter),
	PROGRAM("open.name", on_name, .spare = true),
	PROGRAM("open.exit", on_exit),
	{ }
};

const struct program_set opensnoop_programs = { programs, maps };
