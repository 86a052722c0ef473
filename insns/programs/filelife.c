// SPDX-License-Identifier: GPL-2.0
/*
 * made.file:		if (the file was made for this) births[inode] = now, fill++; if (fill is more than births can be) the
 *			oldest one gave way: count it, fill--
 * inode.gone:		if (delete births[inode]) fill--
 * unlink.enter:	if (births[inode]) start[tid] = { name, births[inode] }
 * unlink.exit:		s = take start[tid]; if (s && it worked) output { now - s.birth, s.name }
 *
 * A file is known by the address of its inode, whatever its names, until the kernel gives that away. On a stacked file
 * system one call is within another: the inner one, if it knows the file too, stands for both.
 */
#include "insns/programs/filelife.h"

#include <stddef.h>

#include "insns/made.h"

struct start {
	struct path_name name;
	uint64_t birth;
};

_Static_assert(offsetof(struct start, name) == 0, "a name is copied from where its struct begins");

#define BIRTHS 65536

static const struct map maps[] = {
	{ "births", MAP_HASH, ROLE_HINT, 8, 8, BIRTHS },
	{ "fill", MAP_ARRAY, ROLE_JOIN, 4, 8, 1 },
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240 },
	MADE_MAP,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
};

#define INODE -24
#define NOW -32
#define ZERO -40

/* fill += N; r0 = its address, or 0 */
#define FILL(N) \
	BPF_ST_MEM(BPF_W, R10, ZERO, 0), \
	LOOKUP("fill", ZERO), \
	JUMP_IF(BPF_JEQ, R0, 0, "out"), \
	BPF_MOV64_IMM(R1, N), \
	BPF_STX_XADD(BPF_DW, R0, R1, 0)

static const struct insn on_made[] = {
	UNLESS_MADE("out"),
	FIELD(R6, "inode"),
	BPF_STX_MEM(BPF_DW, R10, R6, INODE),
	FIELD(R6, "time"),
	BPF_STX_MEM(BPF_DW, R10, R6, NOW),
	LOOKUP("births", INODE),
	JUMP_IF(BPF_JEQ, R0, 0, "new"),			/* its end was not seen: another file's inode now */
	BPF_STX_MEM(BPF_DW, R0, R6, 0),
	JUMP("out"),
LABEL("new"),
	MAP(R1, "births"),
	STACK_ADDRESS(R2, INODE),
	STACK_ADDRESS(R3, NOW),
	BPF_MOV64_IMM(R4, BPF_ANY),
	CALL(map_update_elem),				/* births[inode] = now */
	JUMP_IF(BPF_JNE, R0, 0, "full"),
	FILL(1),
	BPF_LDX_MEM(BPF_DW, R1, R0, 0),
	JUMP_IF(BPF_JSGT, R1, BIRTHS, "gives_way"),
	JUMP("out"),
LABEL("gives_way"),
	BPF_MOV64_IMM(R1, -1),
	BPF_STX_XADD(BPF_DW, R0, R1, 0),
LABEL("full"),
	COUNT_FULL,					/* the end of an older one will not be known */
LABEL("out"),
	EXIT,
};

static const struct insn on_gone[] = {
	FIELD(R6, "inode"),
	BPF_STX_MEM(BPF_DW, R10, R6, INODE),
	DELETE("births", INODE),
	JUMP_IF(BPF_JNE, R0, 0, "out"),
	FILL(-1),
LABEL("out"),
	EXIT,
};

#define KEY -8
#define START(MEMBER) (-312 + (int)offsetof(struct start, MEMBER))

static const struct insn on_enter[] = {
	FIELD(R7, "pid_tgid"),
	FILTER(R7),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	FIELD(R6, "inode"),
	BPF_STX_MEM(BPF_DW, R10, R6, INODE),
	LOOKUP("births", INODE),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R6, R0, 0),
	BPF_STX_MEM(BPF_DW, R10, R6, START(birth)),
	STRING(R6, "name"),
	READ_KERNEL_STRING(START(name.path), PATH_READ, R6),
	BPF_STX_MEM(BPF_DW, R10, R0, START(name.length)),
	STORE("start", KEY, START(name)),		/* start[tid] = { name, births[inode] } */
LABEL("out"),
	EXIT,
};

#define RECORD(MEMBER) (-328 + (int)offsetof(struct filelife_record, MEMBER))

static const struct insn on_exit[] = {
	FIELD(R7, "pid_tgid"),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(pid_tgid)),
	BPF_STX_MEM(BPF_W, R10, R7, KEY),
	FIELD(R9, "time"),
	FIELD(R8, "ret"),
	LOOKUP("start", KEY),				/* s = take start[tid] */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	JUMP_IF(BPF_JNE, R8, 0, "delete"),		/* if (it did not work) out */
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, birth)),
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(time)),
	BPF_ALU64_REG(BPF_SUB, R9, R1),
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(age)),	/* r.age = now - s.birth */
	BPF_MOV64_REG(R6, R0),
	COPY_PATH(RECORD(name)),			/* r.name = s.name */
	BYTES(RECORD(comm), "comm", 16),
	OUTPUT("events", RECORD(time), sizeof(struct filelife_record)),
LABEL("delete"),
	DELETE("start", KEY),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("made.file", on_made),
	MADE_PROGRAM,
	PROGRAM("inode.gone", on_gone),
	PROGRAM("unlink.enter", on_enter),
	PROGRAM("unlink.exit", on_exit),
	{ }
};

const struct program_set filelife_programs = { programs, maps };
