// SPDX-License-Identifier: GPL-2.0
/*
 * open.enter:	start[tid] = { flags, mode, dfd, filename }
 * open.name:	if (start[tid]) names[tid] = the kernel's copy of the path
 * open.exit:	s = take start[tid]; if (s) output { s, ret, names[tid] or the text at s.filename }
 * uring.open_enter, uring.open_exit: the same for a request of io_uring, whose result may be
 *		unknown
 *
 * If only the caller's pointer is available, the path is read at the exit: the kernel itself has
 * read it by then, so its page is in memory.
 */
#include "insns/programs/opensnoop.h"

#include <errno.h>
#include <stddef.h>

#include "insns/path.h"
#include "insns/programs/task_slots.h"

struct start {
	u64 flags;
	uint32_t mode;
	int32_t dfd;
	u64 filename;			/* of a request: its place in the ring's files; 0: none */
};

/* A slot: start[tid] and names[tid]. */
struct call {
	struct start start;
	struct path_name name;		/* its length is 0: there is none yet */
	u64 owner;
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240, .calls = true },
	{ "names", MAP_HASH, ROLE_JOIN, 4, sizeof(struct path_name), 10240, .detail = true },
	THREAD_SLOTS_MAP(struct call),
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &opensnoop_record_layout },
	{ }
};

struct frame {
	uint32_t pid;
	uint32_t slot;
	struct start start;
	union {
		struct path_name name;
		struct opensnoop_record record;
	};
};

/* Registers. */
enum { FLAGS = R6, FILENAME = R6, PATH = R6, TASK = R7, RET = R7, ASKED = R8, CALL = R9 };

/* if (the open is wanted) start[tid] = { flags, mode, dfd, FILENAME, which SET_FILENAME sets } */
#define ENTER(SET_FILENAME) \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	FIELD(FLAGS, "flags?"), \
	JUMP_UNLESS("flag-filter", ".wanted"), \
	CONST(R1, "flag-filter"),			/* if (!(flags & wanted)) out */ \
	JSET_REG(FLAGS, R1, ".wanted"), \
	JUMP(".out"), \
	LABEL(".wanted"), \
	SET(start.flags, FLAGS),			/* s.flags = flags */ \
	SET_FIELD(start.mode, "mode?"),			/* s.mode = mode */ \
	SET_FIELD(start.dfd, "dfd"),			/* s.dfd = dfd */ \
	SET_FILENAME, \
	SET(start.filename, FILENAME),			/* s.filename = filename */ \
	SET(pid, TASK), \
	TAKE_SLOT(CALL, struct call, ".hash"), \
	COPY_TO(CALL, struct call, start, start), \
	PUT_IMM(CALL, struct call, name.length, 0), \
	JUMP(".out"), \
	LABEL(".hash"), \
	JUMP_UNLESS("hook:open.name", ".no_names"), \
	DELETE("names", pid),				/* of an open that never returned */ \
	LABEL(".no_names"), \
	STORE_CALL("start", pid, start),		/* start[tid] = s */ \
	LABEL(".out"), \
	EXIT

static const struct insn on_enter[] = { ENTER(STRING(FILENAME, "filename")) };
static const struct insn on_request[] = { ENTER(FIELD(FILENAME, "slot")) };

static const struct insn on_name[] = {
	SET_FIELD(pid, "tid"),
	OWN_SLOT(CALL, struct call, "hash"),
	STRING(PATH, "path"),
	SET_KERNEL_PATH(name, PATH),
	COPY_TO(CALL, struct call, name, name),
	JUMP("out"),
LABEL("hash"),
	LOOKUP_OR("start", pid, "out"),	/* an open of the kernel itself, or not wanted */
	STRING(PATH, "path"),
	SET_KERNEL_PATH(name, PATH),
	STORE("names", pid, name),			/* names[tid] = path */
LABEL("out"),
	EXIT,
};

/*
 * frame.record and ASKED = take start[tid], names[tid]; if the latter is not there, path_length is
 * 0. If the former is not there, goto NONE.
 */
#define TAKE_CALL(NONE) \
	OWN_SLOT(CALL, struct call, ".hash"), \
	COPY_FROM(record.flags, CALL, struct call, start.flags), \
	COPY_FROM(record.mode, CALL, struct call, start.mode), \
	COPY_FROM(record.dfd, CALL, struct call, start.dfd), \
	LOAD(ASKED, CALL, struct call, start.filename), \
	COPY_FROM(record.path_length, CALL, struct call, name.length), \
	JUMP_UNLESS("hook:open.name", ".back"), \
	COPY_FROM(record.path, CALL, struct call, name.path), \
	LABEL(".back"), \
	GIVE_SLOT_BACK(CALL, struct call), \
	JUMP(".got"), \
	LABEL(".hash"), \
	LOOKUP_OR("start", pid, NONE), \
	COPY_FROM(record.flags, R0, struct start, flags), \
	COPY_FROM(record.mode, R0, struct start, mode), \
	COPY_FROM(record.dfd, R0, struct start, dfd), \
	LOAD(ASKED, R0, struct start, filename), \
	DELETE("start", pid), \
	SET_IMM(record.path_length, 0), \
	JUMP_UNLESS("hook:open.name", ".got"), \
	ZERO(record.path),			/* for verifiers */ \
	LOOKUP_OR("names", pid, ".got"), \
	COPY_FROM(record.path_length, R0, struct path_name, length), \
	COPY_FROM(record.path, R0, struct path_name, path), \
	DELETE("names", pid), \
	LABEL(".got")

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),			/* r.pid_tgid */
	SET(pid, TASK),
	TAKE_CALL("out"),		/* r.flags, mode, dfd, path = take start[tid], names[tid] */
	FIELD(RET, "ret"),
	JUMP_UNLESS("failed", "any"),
	JSGE(RET, 0, "out"),				/* if (ret >= 0) out */
LABEL("any"),
	SET(record.ret, RET),				/* r.ret = ret */
	SET_FIELD(record.time, "time"),			/* r.time = now */
	SET_FIELD(record.uid, "uid?"),			/* r.uid */
	SET_BYTES(record.comm, "comm"),			/* r.comm */
	JUMP_UNLESS("hook:open.name", "pointer"),
	GET(R1, record.path_length),
	JNE(R1, 0, "path"),
LABEL("pointer"),
	JEQ(ASKED, 0, "none"),				/* it failed before the path was read */
	SET_USER_STRING(record.path, ASKED),		/* r.path = text at s.filename */
	SET(record.path_length, R0),
LABEL("path"),
	OUTPUT("events", record),
	JUMP("out"),
LABEL("none"),
	SET_IMM(record.path_length, -EFAULT),
	ZERO(record.path),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

/* if (the request is done) output { take start[tid], its result, take names[tid] } */
static const struct insn on_request_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),
	SET(pid, TASK),
	TAKE_CALL("out"),
	FIELD(RET, "ret"),
	JEQ(RET, -EAGAIN, "out"),			/* a worker will open it */
	BPF_MOV64_IMM(RET, OPEN_UNKNOWN),
	JUMP_UNLESS("input:result", "output"),
	FIELD(RET, "result?"),
	JSLT(RET, 0, "output"),
	JUMP_UNLESS("failed", "any"),
	JUMP("out"),
LABEL("any"),
	JEQ(ASKED, 0, "output"),
	BPF_MOV64_IMM(RET, OPEN_SLOT),
LABEL("output"),
	SET(record.ret, RET),
	SET_FIELD(record.time, "time"),
	SET_FIELD(record.uid, "uid?"),
	SET_BYTES(record.comm, "comm"),
	GET(R1, record.path_length),
	JNE(R1, 0, "path"),
	SET_IMM(record.path_length, -EFAULT),	/* it failed before the path was looked at */
	ZERO(record.path),
LABEL("path"),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("open.enter", on_enter),
	PROGRAM("open.name", on_name, .spare = true),
	PROGRAM("open.exit", on_exit),
	PROGRAM("uring.open_enter", on_request, .spare = true),
	PROGRAM("uring.open_exit", on_request_exit, .spare = true),
	{ }
};

const struct program_set opensnoop_programs = { programs, maps };
