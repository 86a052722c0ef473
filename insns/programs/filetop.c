// SPDX-License-Identifier: GPL-2.0
/*
 * moved.*enter:	if (the thread is in a call of a higher level) out
 *			start[tid, slot] = { the file, 0 if it is not wanted; op }
 * moved.*exit:		s = take start[tid, slot]; if (!s.file || ret < 0) out
 *			files[task, s.file] += { 1, ret }, of reads or writes, as s.op says
 *			if (the key is new in this interval) output the names of the file
 *
 * What a call moves is counted once. sendfile(2) and the like move data between two files, by
 * functions that may call the functions of reads and writes: the levels tell which of these are
 * only parts. Level 0: reads and writes; 1: splices; 2: copies of ranges. Each level has two slots,
 * for its file that is read and for the one that is written. Functions that do either: slot 6.
 */
#include "insns/programs/filetop.h"

#include <errno.h>
#include <stddef.h>
#include <sys/stat.h>

#include "insns/hist.h"

_Static_assert(FILETOP_DIRECTORIES == 15, "CLIMB() is used so often below");

struct key {
	uint32_t tid;
	uint32_t slot;
};

struct start {
	struct filetop_file file;	/* inode 0: it is not wanted */
	uint64_t op;			/* a return may not tell it */
	struct path_name name;		/* on rings; BPF reads it when it is needed */
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct key), sizeof(struct start), 10240,
	  .calls = true },
	{ "files", MAP_HASH, ROLE_RESULT, sizeof(struct filetop_key),
	  sizeof(struct filetop_sums), 102400, .key = &filetop_key_layout,
	  .value = &filetop_sums_layout },
	{ "names", MAP_OUTPUT, 0, 0, 0, 0, .value = &filetop_name_layout },
	{ }
};

struct frame {
	struct key key;
	struct filetop_key file;
	struct filetop_sums sums;
	union {
		struct start start;
		struct filetop_name name;
	};
};

/* Registers of on_enter. */
enum { TASK = R6, LEVEL = R7, SLOT = R7, MODE = R8, NAME = R9 };

/* if (the thread is in a call whose slot is N) goto OUT */
#define PART_OF(N, OUT) \
	SET_IMM(key.slot, N), \
	LOOKUP("start", key), \
	JNE(R0, 0, OUT)

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(key.tid, TASK),
	FIELD(LEVEL, "level"),
	JUMP_UNLESS("hook:moved.from_enter", "whole"),
	JGT(LEVEL, 1, "whole"),
	PART_OF(4, "out"),			/* if (in a call of a higher level) out */
	JGT(LEVEL, 0, "whole"),
	PART_OF(2, "out"),
LABEL("whole"),
	FIELD(SLOT, "slot"),
	SET(key.slot, SLOT),
	SET_FIELD(start.op, "op"),
	ZERO(start.file),
	FIELD(MODE, "mode"),
	SET(start.file.mode, MODE),
	JUMP_UNLESS("regular", "any"),
	BPF_ALU64_IMM(BPF_AND, MODE, S_IFMT),
	JNE(MODE, S_IFREG, "unwanted"),
LABEL("any"),
	SET_FIELD(start.file.inode, "inode"),
	SET_FIELD(start.file.dentry, "dentry"),
	SET_FIELD(start.file.number, "number?"),
	SET_FIELD(start.file.dev, "dev?"),
LABEL("unwanted"),
	NO_PATH(start.name),
	JUMP_UNLESS("target:bpf", "ring"),
	JUMP("stored"),
LABEL("ring"),
	JUMP_UNLESS("input:name", "stored"),
	STRING(NAME, "name?"),
	SET_KERNEL_PATH(start.name, NAME),
LABEL("stored"),
	STORE_INNER_CALL("start", key, start),		/* start[tid, slot] = the file */
LABEL("out"),
	EXIT,
};

/* Registers of on_exit, beside TASK. */
enum { RET = R7, WRITES = R8, ABOVE = R8 };

#define ADD_SUM(M) \
	GET(R1, sums.M), \
	XADD(R0, struct filetop_sums, M, R1)

/* files[key] += sums; goto FOUND if it was there, and NO_ROOM if the map is full */
#define SUM_UP(FOUND, NO_ROOM) \
	LOOKUP("files", file), \
	JNE(R0, 0, ".found"), \
	STORE_NEW("files", file, sums), \
	JEQ(R0, 0, ".new"), \
	LOOKUP("files", file),				/* made by another CPU, or no room */ \
	JNE(R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(NO_ROOM), \
	LABEL(".found"), \
	ADD_SUM(reads), \
	ADD_SUM(writes), \
	ADD_SUM(read_bytes), \
	ADD_SUM(written_bytes), \
	JUMP(FOUND), \
	LABEL(".new")

/* frame.name.name = that of the dentry in ABOVE; output it */
#define OUTPUT_NAME(LEVEL) \
	PEEK(R4, ABOVE, "dentry.d_name.name"), \
	SET_KERNEL_PATH(name.name, R4), \
	SET_IMM(name.level, LEVEL), \
	OUTPUT("names", name)

/* ABOVE, a dentry, becomes its parent directory. A root is its own parent: goto TOP. */
#define CLIMB(N, TOP) \
	PEEK(R1, ABOVE, "dentry.d_parent"), \
	JEQ_REG(R1, ABOVE, TOP), \
	JEQ(R1, 0, TOP), \
	BPF_MOV64_REG(ABOVE, R1), \
	OUTPUT_NAME(N)

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(key.tid, TASK),
	FIELD(RET, "slot"),
	SET(key.slot, RET),
	LOOKUP_OR("start", key, "out"),			/* s = take start[tid, slot] */
	COPY_FROM(file.file, R0, struct start, file),
	COPY_FROM(start.name, R0, struct start, name),
	LOAD(WRITES, R0, struct start, op),
	DELETE("start", key),
	GET(R1, file.file.inode),
	JEQ(R1, 0, "out"),				/* if (!s.file || ret < 0) out */
	FIELD(RET, "ret"),
	JSLT(RET, 0, "out"),
	SET_EPOCH(file.epoch),
	SET_IMM(file.unused, 0),
	SET(file.pid_tgid, TASK),
	SET_BYTES(file.comm, "comm"),
	ZERO(sums),
	JNE(WRITES, FILE_READ, "writes"),
	SET_IMM(sums.reads, 1),
	SET(sums.read_bytes, RET),
	JUMP("moved"),
LABEL("writes"),
	SET_IMM(sums.writes, 1),
	SET(sums.written_bytes, RET),
LABEL("moved"),
	SUM_UP("out", "out"),				/* files[task, s.file] += { 1, ret } */
	GET(ABOVE, file.file.dentry),
	COPY(name.name, start.name),
	SET_FIELD(name.time, "time"),
	SET(name.pid_tgid, TASK),
	COPY(name.inode, file.file.inode),
	COPY(name.dentry, file.file.dentry),
	JUMP_UNLESS("directories", "if_bpf"),
	JUMP("climb"),
LABEL("if_bpf"),
	JUMP_UNLESS("target:bpf", "ring"),
LABEL("climb"),
	OUTPUT_NAME(0),					/* output the names of the file */
	CLIMB(1, "out"), CLIMB(2, "out"), CLIMB(3, "out"), CLIMB(4, "out"), CLIMB(5, "out"),
	CLIMB(6, "out"), CLIMB(7, "out"), CLIMB(8, "out"), CLIMB(9, "out"), CLIMB(10, "out"),
	CLIMB(11, "out"), CLIMB(12, "out"), CLIMB(13, "out"), CLIMB(14, "out"), CLIMB(15, "out"),
	JUMP("out"),
LABEL("ring"),
	SET_IMM(name.level, 0),
	OUTPUT("names", name),
LABEL("out"),
	EXIT,
};

#define BOTH(HOOK, ...) \
	PROGRAM(HOOK "enter", on_enter, __VA_ARGS__), PROGRAM(HOOK "exit", on_exit, __VA_ARGS__)

static const struct program programs[] = {
	BOTH("moved."),
	BOTH("moved.vector_", .optional = true),
	BOTH("moved.from_", .optional = true),
	BOTH("moved.to_", .optional = true),
	{ }
};

const struct program_set filetop_programs = { programs, maps };
