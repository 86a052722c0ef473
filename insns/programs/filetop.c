// SPDX-License-Identifier: GPL-2.0
/*
 * moved.*enter:	if (the thread is in a call of a higher level) out
 *			start[tid, slot] = { the file, 0 if it is not wanted; op }
 * moved.*exit:		s = take start[tid, slot]; if (!s.file || ret < 0) out
 *			files[task, s.file] += { 1, ret }, of reads or writes, as s.op says
 *			if (the key is new in this interval) output the names of the file
 * moved.*returns:	the same of its own file, instead of these two, where a return still tells
 *			the arguments (fexit)
 *
 * What a call moves is counted once. sendfile(2) and the like move data between two files, by
 * functions that may call the functions of reads and writes: the levels tell which of these are
 * only parts. Level 0: reads and writes; 1: splices; 2: copies of ranges. Each level has two slots,
 * for its file that is read and for the one that is written. Functions that do either: slot 6.
 * `copies` is the number of calls under way in slots from 2 on, or more, if returns were missed.
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
	u64 inode, dentry;		/* inode 0: it is not wanted */
	u64 number;
	uint32_t dev, mode;
	u64 op;				/* a return may not tell it */
	struct path_name name;		/* on rings; BPF reads it when it is needed */
};

static const struct map maps[] = {
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct key), sizeof(struct start), 10240,
	  .calls = true },
	{ "copies", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 },
	{ "files", MAP_HASH, ROLE_RESULT, sizeof(struct filetop_key),
	  sizeof(struct filetop_sums), 102400, .key = &filetop_key_layout,
	  .value = &filetop_sums_layout },
	{ "names", MAP_OUTPUT, 0, 0, 0, 0, .value = &filetop_name_layout },
	{ }
};

/* So that a name need not be copied from one to the other. */
_Static_assert(offsetof(struct start, name) == offsetof(struct filetop_name, name), "a union");

struct frame {
	struct key key;
	uint32_t index;
	struct filetop_key file;
	struct filetop_sums sums;
	union {
		struct start start;
		struct filetop_name name;
	};
};

/* Registers of on_enter. */
enum { TASK = R6, LEVEL = R7, SLOT = R7, MODE = R8, NAME = R9 };

#define FIRST_COPY 2		/* the lowest slot of level 1 */

/* copies += N */
#define ADD_COPIES(N)	ADD_NUMBER("copies", index, N, ".added"), LABEL(".added")

/* if (no thread is in a call of a higher level) goto NONE */
#define UNLESS_COPIES(NONE) \
	JUMP_UNLESS("hook:moved.from_enter", NONE), \
	SET_IMM(index, 0), \
	LOOKUP_OR("copies", index, NONE), \
	BPF_LDX_MEM(BPF_DW, R1, R0, 0), \
	JEQ(R1, 0, NONE)

/* if (the thread is in a call whose slot is N) goto OUT */
#define PART_OF(N, OUT) \
	SET_IMM(key.slot, N), \
	LOOKUP("start", key), \
	JNE(R0, 0, OUT)

/* if (only regular files are wanted, and MODE, which is clobbered, is of another) goto OUT */
#define FILE_WANTED(OUT) \
	JUMP_UNLESS("regular", ".any"), \
	BPF_ALU64_IMM(BPF_AND, MODE, S_IFMT), \
	JNE(MODE, S_IFREG, OUT), \
	LABEL(".any")

static const struct insn on_enter[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	SET(key.tid, TASK),
	FIELD(LEVEL, "level"),
	UNLESS_COPIES("whole"),
	JGT(LEVEL, 1, "whole"),
	PART_OF(4, "out"),			/* if (in a call of a higher level) out */
	JGT(LEVEL, 0, "whole"),
	PART_OF(2, "out"),
LABEL("whole"),
	FIELD(SLOT, "slot"),
	SET(key.slot, SLOT),
	SET_FIELD(start.op, "op"),
	SET_IMM(start.inode, 0),
	SET_IMM(start.dentry, 0),
	SET_IMM(start.number, 0),
	SET_IMM(start.dev, 0),
	FIELD(MODE, "mode"),
	SET(start.mode, MODE),
	FILE_WANTED("unwanted"),
	SET_FIELD(start.inode, "inode"),
	SET_FIELD(start.dentry, "dentry"),
	SET_FIELD(start.number, "number?"),
	SET_FIELD(start.dev, "dev?"),
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
	JLT(SLOT, FIRST_COPY, "out"),
	ADD_COPIES(1),
LABEL("out"),
	EXIT,
};

/* Registers of on_exit and on_return, beside TASK. */
enum { RET = R7, WRITES = R8, ABOVE = R8 };

/* frame.sums = { 1, RET }, as WRITES says */
#define SET_SUMS \
	ZERO(sums), \
	JNE(WRITES, FILE_READ, ".of_writes"), \
	SET_IMM(sums.reads, 1), \
	SET(sums.read_bytes, RET), \
	JUMP(".summed"), \
	LABEL(".of_writes"), \
	SET_IMM(sums.writes, 1), \
	SET(sums.written_bytes, RET), \
	LABEL(".summed")

/* files[key] += { 1, RET }; goto FOUND if it was there, and NO_ROOM if the map is full */
#define SUM_UP(FOUND, NO_ROOM) \
	LOOKUP("files", file), \
	JNE(R0, 0, ".found"), \
	SET_SUMS, \
	STORE_NEW("files", file, sums), \
	JEQ(R0, 0, ".new"), \
	LOOKUP("files", file),				/* made by another CPU, or no room */ \
	JNE(R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(NO_ROOM), \
	LABEL(".found"), \
	BPF_MOV64_IMM(R1, 1), \
	JNE(WRITES, FILE_READ, ".writes"), \
	XADD(R0, struct filetop_sums, reads, R1), \
	XADD(R0, struct filetop_sums, read_bytes, RET), \
	JUMP(FOUND), \
	LABEL(".writes"), \
	XADD(R0, struct filetop_sums, writes, R1), \
	XADD(R0, struct filetop_sums, written_bytes, RET), \
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

/*
 * files[TASK, the file in frame.file] += { 1, RET }, as WRITES says. If the key was there, or there
 * is no room, goto OUT. With --by-cgroup TASK becomes its owner.
 */
#define COUNT_FILE(OUT) \
	JUMP_UNLESS("by-cgroup", ".of_task"), \
	FIELD(TASK, "whose"), \
	LABEL(".of_task"), \
	SET_EPOCH(file.epoch), \
	SET(file.pid_tgid, TASK), \
	SET_BYTES(file.comm, "comm"), \
	SUM_UP(OUT, OUT)

/* frame.name's key; ABOVE = the file's dentry */
#define SET_NAME_KEY \
	GET(ABOVE, file.dentry), \
	SET_FIELD(name.time, "time"), \
	SET(name.pid_tgid, TASK), \
	COPY(name.inode, file.inode), \
	COPY(name.dentry, file.dentry), \
	SET_IMM(name.unused, 0)

/* output the names of ABOVE and the directories above it; at the root, goto TOP */
#define OUTPUT_NAMES(TOP) \
	OUTPUT_NAME(0), \
	CLIMB(1, TOP), CLIMB(2, TOP), CLIMB(3, TOP), CLIMB(4, TOP), CLIMB(5, TOP), \
	CLIMB(6, TOP), CLIMB(7, TOP), CLIMB(8, TOP), CLIMB(9, TOP), CLIMB(10, TOP), \
	CLIMB(11, TOP), CLIMB(12, TOP), CLIMB(13, TOP), CLIMB(14, TOP), CLIMB(15, TOP)

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(key.tid, TASK),
	FIELD(RET, "slot"),
	SET(key.slot, RET),
	LOOKUP_OR("start", key, "out"),			/* s = take start[tid, slot] */
	COPY_FROM(file.inode, R0, struct start, inode),
	COPY_FROM(file.dentry, R0, struct start, dentry),
	COPY_FROM(file.mode, R0, struct start, mode),
	COPY_FROM(start.name, R0, struct start, name),
	COPY_FROM(name.number, R0, struct start, number),
	COPY_FROM(name.dev, R0, struct start, dev),
	LOAD(WRITES, R0, struct start, op),
	DELETE("start", key),
	JLT(RET, FIRST_COPY, "taken"),
	ADD_COPIES(-1),
LABEL("taken"),
	GET(R1, file.inode),
	JEQ(R1, 0, "out"),				/* if (!s.file || ret < 0) out */
	FIELD(RET, "ret"),
	JSLT(RET, 0, "out"),
	COUNT_FILE("out"),				/* files[task, s.file] += { 1, ret } */
	SET_NAME_KEY,
	JUMP_UNLESS("directories", "if_bpf"),
	JUMP("climb"),
LABEL("if_bpf"),
	JUMP_UNLESS("target:bpf", "ring"),
LABEL("climb"),
	OUTPUT_NAMES("out"),				/* output the names of the file */
	JUMP("out"),
LABEL("ring"),
	SET_IMM(name.level, 0),
	OUTPUT("names", name),
LABEL("out"),
	EXIT,
};

/* The file and the number of bytes are known at once. */
static const struct insn on_return[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	FIELD(RET, "ret"),
	JSLT(RET, 0, "out"),
	FIELD(MODE, "mode"),
	SET(file.mode, MODE),
	FILE_WANTED("out"),
	UNLESS_COPIES("whole"),
	SET(key.tid, TASK),
	PART_OF(4, "out"),			/* if (in a call of a higher level) out */
	PART_OF(2, "out"),
LABEL("whole"),
	SET_FIELD(file.inode, "inode"),
	SET_FIELD(file.dentry, "dentry"),
	FIELD(WRITES, "op"),
	COUNT_FILE("out"),				/* files[task, file] += { 1, ret } */
	SET_NAME_KEY,
	SET_FIELD(name.number, "number?"),
	SET_FIELD(name.dev, "dev?"),
	OUTPUT_NAMES("out"),				/* output the names of the file */
LABEL("out"),
	EXIT,
};

#define BOTH(HOOK, ...) \
	PROGRAM(HOOK "enter", on_enter, __VA_ARGS__), PROGRAM(HOOK "exit", on_exit, __VA_ARGS__)
#define COPIES \
	BOTH("moved.from_", .optional = true), \
	BOTH("moved.to_", .optional = true)

static const struct program programs[] = {
	PROGRAM("moved.returns", on_return),
	PROGRAM("moved.vector_returns", on_return, .optional = true),
	COPIES,
	{ }
}, by_calls[] = {
	BOTH("moved."),
	BOTH("moved.vector_", .optional = true),
	COPIES,
	{ }
};

static const struct program_set filetop_by_calls = { by_calls, maps };

/* Elsewhere a function has a fexit only if nothing else serves it: the kernel may skip events. */
static const enum feature whole = FEATURE_FENTRY_WHOLE;

const struct program_set filetop_programs = {
	programs, maps, .otherwise = &filetop_by_calls, .needs = &whole,
};
