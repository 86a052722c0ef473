// SPDX-License-Identifier: GPL-2.0
/*
 * The slower tools where an operation's return still tells its arguments (fexit): an operation that
 * is fast enough costs two times and no name.
 *
 * FS.enter:	if (op is fsync, and start[tid, write]) out: the fsync is a part of that write, to
 *		a file opened with O_SYNC
 *		start[tid, op] = now
 * FS.exit:	d = now - start[tid, op]; start[tid, op] = 0; if (d < min) out
 *		output the file's directories, { now, d, ret, position, the file's name }
 *
 * The first KEPT entries of `start` are kept (insns/kept.h), others are deleted by the return.
 */
#include "insns/programs/fs_common.h"

#include <errno.h>
#include <fcntl.h>

#include "insns/kept.h"

#define KEPT 4096

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct key), 8, 10240, .calls = true },
	KEPT_MAP,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &fs_record_layout },
	{ }
};

struct frame {
	struct key key;
	uint32_t kept;
	u64 time;
	struct fs_record record;
};

/* Registers beside those of fs_common.h. */
enum {
	OPERATION = R6, POS = R6,
	TASK = R7,
	BEGAN = R8,
	NOW = R9, DELTA = R9,
};

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(key.tid, TASK),
	FIELD(OPERATION, "op"),
	JNE(OPERATION, FS_FSYNC, "begins"),
	SET_IMM(key.operation, FS_WRITE),
	LOOKUP_OR("start", key, "begins"),
	BPF_LDX_MEM(BPF_DW, BEGAN, R0, 0),
	JNE(BEGAN, 0, "out"),				/* if (start[tid, write]) out */
LABEL("begins"),
	SET(key.operation, OPERATION),
	FIELD(NOW, "time"),
	LOOKUP_OR("start", key, "new"),
	BPF_STX_MEM(BPF_DW, R0, NOW, 0),		/* start[tid, op] = now */
	JUMP("out"),
LABEL("new"),
	KEEP_ONE_MORE(kept),
	SET(time, NOW),
	STORE("start", key, time),			/* start[tid, op] = now */
LABEL("out"),
	EXIT,
};

/*
 * POS = where the operation began; -1: unknown. A read or write has moved the position; it began
 * at an unknown one if it appended. Rows of all file systems do not have it.
 */
#define SET_POS \
	BPF_MOV64_IMM(POS, -1), \
	JUMP_UNLESS("input:pos", ".placed"), \
	JUMP_UNLESS("input:flags", ".placed"), \
	FIELD(R1, "flags?"), \
	JSET(R1, O_APPEND, ".placed"), \
	FIELD(POS, "pos?"), \
	FIELD(R1, "ret"), \
	JSLT(R1, 1, ".placed"), \
	JUMP_UNLESS("vfs", ".moved"), \
	JUMP(".placed"), \
	LABEL(".moved"), \
	BPF_ALU64_REG(BPF_SUB, POS, R1), \
	LABEL(".placed")

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(key.tid, TASK),
	FIELD(OPERATION, "op"),
	SET(key.operation, OPERATION),
	FIELD(NOW, "time"),
	LOOKUP_OR("start", key, "out"),
	BPF_LDX_MEM(BPF_DW, BEGAN, R0, 0),
	JEQ(BEGAN, 0, "out"),				/* an inner operation took its place */
	BPF_ST_MEM(BPF_DW, R0, 0, 0),			/* start[tid, op] = 0 */
	KEEP_OR_DELETE(kept, KEPT, "ended"),
	DELETE("start", key),
LABEL("ended"),
	JGT_REG(BEGAN, NOW, "out"),			/* the clocks of two CPUs differ */
	SET(record.time, NOW),
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	CONST(R1, "min_ns"),
	JGT_REG(R1, DELTA, "out"),			/* if (now - began < min) out */
	ASKED_FOR("out"),
	SET(record.nsecs, DELTA),
	SET(record.pid_tgid, TASK),
	SET_POS,
	SET(record.pos, POS),
	SET_BYTES(record.comm, "comm"),
	SET_FIELD(record.ret, "ret"),
	SET_IMM(record.directories, 0),
	FIELD(ABOVE, "dentry"),
	JUMP_UNLESS("full-path", "top"),
	SET_IMM(record.operation, FS_DIRECTORY),
	CLIMB_ALL("top"),				/* output each directory */
LABEL("top"),
	SET_NAME(record.name),				/* r.name = the file's name */
	GET(R1, key.operation),
	SET(record.operation, R1),
	OUTPUT("events", record),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	FS_PROGRAMS(false),
	{ }
};

/* Elsewhere a function has a fexit only if nothing else serves it: the kernel may skip events. */
static const enum feature whole = FEATURE_FENTRY_WHOLE;

const struct program_set fsslower_programs = {
	programs, maps, .otherwise = &fsslower_by_calls, .needs = &whole,
};
