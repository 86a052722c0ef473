// SPDX-License-Identifier: GPL-2.0
/*
 * FS.enter:	if (op is fsync, and start[tid, write]) out: the fsync is a part of that write, to
 *		a file opened with O_SYNC
 *		start[tid, call] = { now, op, position in the file, the file's name }
 * FS.exit:	s = take start[tid, call]; d = now - s.time
 *		hists[op, slot(d / unit)]++, or
 *		if (d >= min) output the file's directories, { s, d, ret }
 *
 * A call is known by its operation, unless the function's return can't tell which it was.
 *
 * If an operation calls another one of its kind (a splice that reads), the inner one is shown. If
 * the function serves several file systems, `magic` is that of the file's; 0: it serves only one.
 */
#include "insns/programs/fs_common.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#include "insns/hist.h"

struct start {
	struct path_name name;
	s64 pos;
	u64 time;
	u64 dentry;
	u64 operation;
};

static const struct map dist_maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct key), 8, 10240, .calls = true },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct fs_key), 8, 10240,
	  .key = &fs_key_layout },
	{ }
}, slower_maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct key), sizeof(struct start), 10240,
	  .calls = true },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &fs_record_layout },
	{ }
};

struct frame {
	struct key key;
	struct fs_key hist;
	union {
		struct start start;
		struct fs_record record;
	};
};

/* Registers of on_enter, beside those of fs_common.h. */
enum { POS = R6, DENTRY = R6, TASK = R7, OPERATION = R7, FLAGS = R7 };

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	ASKED_FOR("out"),
	SET(key.tid, TASK),
	FIELD(OPERATION, "op"),
	JNE(OPERATION, FS_FSYNC, "begins"),
	SET_IMM(key.operation, FS_WRITE),
	LOOKUP("start", key),				/* if (start[tid, write]) out */
	JNE(R0, 0, "out"),
LABEL("begins"),
	SET_FIELD(key.operation, "call"),
	JUMP_UNLESS("slower", "brief"),
	SET(start.operation, OPERATION),
	SET_NAME(start.name),				/* s.name = the file's name */
	BPF_MOV64_IMM(POS, -1),
	JUMP_UNLESS("input:pos", "no_pos"),
	JUMP_UNLESS("input:flags", "no_pos"),
	FIELD(FLAGS, "flags?"),
	JSET(FLAGS, O_APPEND, "no_pos"),		/* the position is not known yet */
	FIELD(POS, "pos?"),
LABEL("no_pos"),
	SET(start.pos, POS),
	BPF_MOV64_IMM(DENTRY, 0),
	JUMP_UNLESS("full-path", "no_dentry"),
	FIELD(DENTRY, "dentry"),
LABEL("no_dentry"),
	SET(start.dentry, DENTRY),
	SET_FIELD(start.time, "time"),
	STORE_INNER_CALL("start", key, start),		/* start[tid, call] = s */
	JUMP("out"),
LABEL("brief"),
	JUMP_UNLESS("histogram", "out"),
	SET_FIELD(start.time, "time"),
	STORE_INNER_CALL("start", key, start.time),	/* start[tid, call] = now */
LABEL("out"),
	EXIT,
};

/* Registers of on_exit, beside TASK. */
enum {
	ENDED = R6,			/* the operation */
	START_AT = R6,
	SLOT = R7,
	BEGAN = R8,
	NOW = R9, DELTA = R9,
};

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(key.tid, TASK),
	FIELD(ENDED, "call"),
	SET(key.operation, ENDED),
	FIELD(NOW, "time"),
	LOOKUP_OR("start", key, "out"),			/* s = start[tid, call] */
	JUMP_UNLESS("slower", "histogram"),
	BPF_MOV64_REG(START_AT, R0),
	LOAD(BEGAN, START_AT, struct start, time),
	JGT_REG(BEGAN, NOW, "drop"),			/* the clocks of two CPUs differ */
	SET(record.time, NOW),
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	CONST(R1, "min_ns"),
	JGT_REG(R1, DELTA, "drop"),			/* if (now - s.time < min) out */
	SET(record.nsecs, DELTA),
	SET(record.pid_tgid, TASK),
	LOAD(R1, START_AT, struct start, pos),
	SET(record.pos, R1),
	LOAD(ABOVE, START_AT, struct start, dentry),
	SET_BYTES(record.comm, "comm"),
	SET_FIELD(record.ret, "ret"),
	SET_IMM(record.directories, 0),
	JUMP_UNLESS("full-path", "top"),
	SET_IMM(record.operation, FS_DIRECTORY),
	CLIMB_ALL("top"),				/* output each directory */
LABEL("top"),
	COPY_FROM(record.name, START_AT, struct start, name), /* r.name, r.pos = s.name, s.pos */
	LOAD(R1, START_AT, struct start, operation),
	SET(record.operation, R1),
	DELETE("start", key),
	OUTPUT("events", record),
	JUMP("out"),
LABEL("histogram"),
	JUMP_UNLESS("histogram", "drop"),
	BPF_LDX_MEM(BPF_DW, BEGAN, R0, 0),
	DELETE("start", key),
	JGT_REG(BEGAN, NOW, "out"),
	BPF_ALU64_REG(BPF_SUB, RENAME(DELTA, NOW), BEGAN),
	IN_UNIT(DELTA),
	VALUE_SLOT(SLOT, DELTA),
	SET(hist.operation, ENDED),
	COUNT_GROUP("hists", hist, SLOT, DELTA),	/* hists[op, slot((now - s) / unit)]++ */
	JUMP("out"),
LABEL("drop"),
	DELETE("start", key),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	FS_PROGRAMS(true),
	{ }
};

const struct program_set fsdist_programs = { programs, dist_maps };
const struct program_set fsslower_by_calls = { programs, slower_maps };
