// SPDX-License-Identifier: GPL-2.0
/*
 * FS.enter:	if (it is an fsync, and start[tid, write]) out: it is part of that write, of a file opened with O_SYNC
 *		start[tid, op] = { now, where in the file, the file's name }
 * FS.exit:	s = take start[tid, op]; d = now - s.time
 *		hists[op, slot(d / unit)]++, or if (d >= min) output { s, d, ret }, the file's directories before it
 *
 * What an operation does by another one of its kind (a splice that reads) begins anew, and the inner one counts. Where
 * the function serves several file systems, `magic` is what the file's says of itself; 0: it is the right one.
 */
#include "insns/programs/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>

#include "insns/common.h"

_Static_assert(FS_DIRECTORIES == 8, "as often CLIMB() stands below");

struct key {
	uint32_t tid;
	uint32_t operation;
};

struct start {
	struct path_name name;
	int64_t pos;
	uint64_t time;
	uint64_t dentry;
};

static const struct map dist_maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct key), 8, 10240 },
	{ "hists", MAP_HASH, ROLE_RESULT, sizeof(struct fs_key), 8, 10240 },
	{ }
}, slower_maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct key), sizeof(struct start), 10240 },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define KEY(MEMBER) (-8 + (int)offsetof(struct key, MEMBER))
#define START(MEMBER) (-304 + (int)offsetof(struct start, MEMBER))
#define RECORD(MEMBER) (-344 + (int)offsetof(struct fs_record, MEMBER))
#define HIST(MEMBER) (-32 + (int)offsetof(struct fs_key, MEMBER))
#define ONE -40

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	FIELD(R6, "magic"),
	JUMP_IF(BPF_JEQ, R6, 0, "ours"),
	CONST(R1, "magic"),				/* if (the file is on another file system) out */
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"),
LABEL("ours"),
	FIELD(R6, "as?"),
	JUMP_IF(BPF_JSET, R6, O_DIRECTORY, "out"),	/* if (a directory is opened) out */
	UNLESS("regular", "any"),
	FIELD(R6, "mode"),
	BPF_ALU64_IMM(BPF_AND, R6, S_IFMT),
	JUMP_IF(BPF_JNE, R6, S_IFREG, "out"),		/* if (it is a pipe, a terminal, a socket) out */
LABEL("any"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY(tid)),
	FIELD(R7, "op"),
	JUMP_IF(BPF_JNE, R7, FS_FSYNC, "begins"),
	BPF_ST_MEM(BPF_W, R10, KEY(operation), FS_WRITE),
	LOOKUP("start", KEY(tid)),			/* if (start[tid, write]) out */
	JUMP_IF(BPF_JNE, R0, 0, "out"),
LABEL("begins"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY(operation)),
	UNLESS("slower", "brief"),
	UNLESS("input:name", "no_name"),
	STRING(R6, "name?"),
	READ_KERNEL_STRING(START(name.path), PATH_READ, R6),
	BPF_STX_MEM(BPF_DW, R10, R0, START(name.length)), /* s.name = the file's name */
	JUMP("named"),
LABEL("no_name"),
	NO_PATH(START(name)),
LABEL("named"),
	BPF_MOV64_IMM(R6, -1),
	UNLESS("input:pos", "no_pos"),
	UNLESS("input:flags", "no_pos"),
	FIELD(R7, "flags?"),
	JUMP_IF(BPF_JSET, R7, O_APPEND, "no_pos"),	/* the end of the file is looked for later */
	FIELD(R6, "pos?"),
LABEL("no_pos"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(pos)),
	BPF_MOV64_IMM(R6, 0),
	UNLESS("full-path", "no_dentry"),
	FIELD(R6, "dentry"),
LABEL("no_dentry"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(dentry)),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(time)),
	STORE("start", KEY(tid), START(name)),		/* start[tid, op] = s */
	JUMP("out"),
LABEL("brief"),
	UNLESS("histogram", "out"),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(time)),
	STORE("start", KEY(tid), START(time)),		/* start[tid, op] = now */
LABEL("out"),
	EXIT,
};

/* Output the directory above the dentry at r8, which r8 becomes; a root, or what is in no directory, is its own: goto "top". */
#define CLIMB(N) \
	PEEK(R1, R8, "dentry.d_parent"), \
	JUMP_IF_REG(BPF_JEQ, R1, R8, "top"), \
	BPF_MOV64_REG(R8, R1), \
	PEEK(R4, R8, "dentry.d_name.name"), \
	READ_KERNEL_STRING(RECORD(name.path), PATH_READ, R4), \
	BPF_STX_MEM(BPF_DW, R10, R0, RECORD(name.length)), \
	BPF_ST_MEM(BPF_DW, R10, RECORD(directories), N), \
	OUTPUT("events", RECORD(time), sizeof(struct fs_record))

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_W, R10, R7, KEY(tid)),
	FIELD(R6, "op"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY(operation)),
	FIELD(R9, "time"),
	LOOKUP("start", KEY(tid)),			/* s = start[tid, op] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	UNLESS("slower", "histogram"),
	BPF_MOV64_REG(R6, R0),
	BPF_LDX_MEM(BPF_DW, R8, R6, offsetof(struct start, time)),
	JUMP_IF_REG(BPF_JGT, R8, R9, "drop"),		/* clocks of two CPUs that disagree */
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(time)),
	BPF_ALU64_REG(BPF_SUB, R9, R8),
	CONST(R1, "min_ns"),
	JUMP_IF_REG(BPF_JGT, R1, R9, "drop"),		/* if (now - s.time < min) out */
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(nsecs)),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),
	BPF_LDX_MEM(BPF_DW, R1, R6, offsetof(struct start, pos)),
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(pos)),
	BPF_LDX_MEM(BPF_DW, R8, R6, offsetof(struct start, dentry)),
	BYTES(RECORD(comm), "comm", 16),
	FIELD(R7, "ret"),
	BPF_STX_MEM(BPF_W, R10, R7, RECORD(ret)),
	BPF_ST_MEM(BPF_DW, R10, RECORD(directories), 0),
	UNLESS("full-path", "top"),
	BPF_ST_MEM(BPF_W, R10, RECORD(operation), FS_DIRECTORY),
	CLIMB(1), CLIMB(2), CLIMB(3), CLIMB(4), CLIMB(5), CLIMB(6), CLIMB(7), CLIMB(8), /* output each directory */
LABEL("top"),
	COPY_PATH(RECORD(name)),			/* r.name, r.pos = s.name, s.pos */
	BPF_LDX_MEM(BPF_W, R1, R10, KEY(operation)),
	BPF_STX_MEM(BPF_W, R10, R1, RECORD(operation)),
	DELETE("start", KEY(tid)),
	OUTPUT("events", RECORD(time), sizeof(struct fs_record)),
	JUMP("out"),
LABEL("histogram"),
	UNLESS("histogram", "drop"),
	BPF_LDX_MEM(BPF_DW, R8, R0, 0),
	DELETE("start", KEY(tid)),
	JUMP_IF_REG(BPF_JGT, R8, R9, "out"),
	BPF_ALU64_REG(BPF_SUB, R9, R8),
	UNLESS("milliseconds", "usecs"),
	BPF_ALU64_IMM(BPF_DIV, R9, 1000000),
	JUMP("unit"),
LABEL("usecs"),
	BPF_ALU64_IMM(BPF_DIV, R9, 1000),
LABEL("unit"),
	LOG2_SLOT(R7, R9),
	BPF_STX_MEM(BPF_DW, R10, R6, HIST(operation)),
	EPOCH(R6),
	BPF_STX_MEM(BPF_W, R10, R6, HIST(epoch)),
	BPF_STX_MEM(BPF_W, R10, R7, HIST(slot)),
	COUNT_KEY("hists", HIST(epoch), ONE),		/* hists[op, slot((now - s) / unit)]++ */
	JUMP("out"),
LABEL("drop"),
	DELETE("start", KEY(tid)),
LABEL("out"),
	EXIT,
};

#define BOTH(HOOK, ...) \
	PROGRAM(HOOK "enter", on_enter, __VA_ARGS__), PROGRAM(HOOK "exit", on_exit, __VA_ARGS__)

static const struct program programs[] = {
	BOTH("btrfs.", .option = "btrfs"),
	BOTH("btrfs.read_", .option = "btrfs", .optional = true),
	BOTH("btrfs.open_", .option = "btrfs", .optional = true),
	BOTH("ext4.", .option = "ext4"),
	BOTH("ext4.read_", .option = "ext4", .optional = true),
	BOTH("ext4.getattr_", .option = "ext4_getattr"),
	BOTH("f2fs.", .option = "f2fs"),
	BOTH("f2fs.read_", .option = "f2fs", .optional = true),
	BOTH("f2fs.open_", .option = "f2fs", .optional = true),
	BOTH("f2fs.getattr_", .option = "f2fs_getattr", .optional = true),
	BOTH("nfs.", .option = "nfs"),
	BOTH("nfs.getattr_", .option = "nfs_getattr"),
	BOTH("xfs.", .option = "xfs"),
	BOTH("zfs.", .option = "zfs"),
	BOTH("vfs.", .option = "vfs"),
	BOTH("vfs.vector_", .option = "vfs", .optional = true),
	{ }
};

const struct program_set fsdist_programs = { programs, dist_maps };
const struct program_set fsslower_programs = { programs, slower_maps };
