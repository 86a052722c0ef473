// SPDX-License-Identifier: GPL-2.0
/*
 * made.file:		if (the file was made for this) births[inode] = now, fill++
 *			if (fill > size of births) count an evicted entry, fill--
 * inode.gone:		if (delete births[inode]) fill--
 * unlink.enter:	if (births[inode]) start[tid] = { name, births[inode] }
 * unlink.exit:		s = take start[tid]; if (s && ret == 0) output { now - s.birth, s.name }
 * replaced.enter, .exit:	the same for a name that another file takes, unless both exchange
 *			names
 *
 * A file is identified by the address of its inode, whatever its names, until the kernel frees the
 * inode. On a stacked file system one call is within another: if the inner call knows the file too,
 * only the inner call is shown.
 */
#include "insns/programs/filelife.h"

#include <stddef.h>

#include "insns/made.h"

struct start {
	struct path_name name;
	u64 birth;
};

#define BIRTHS 65536
#define RENAME_EXCHANGE 2

static const struct map maps[] = {
	{ "births", MAP_HASH, ROLE_HINT, 8, 8, BIRTHS },
	{ "fill", MAP_ARRAY, ROLE_JOIN, 4, 8, 1, .detail = true },
	{ "start", MAP_HASH, ROLE_JOIN, 4, sizeof(struct start), 10240 },
	MADE_MAP,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &filelife_record_layout },
	{ }
};

struct frame {
	uint32_t tid;
	uint32_t zero;
	u64 inode, now;
	struct made made;
	union {
		struct start start;
		struct filelife_record record;
	};
};

/* fill += N; r0 = its address, or 0 */
#define FILL(N, OUT) ADD_NUMBER("fill", zero, N, OUT)

static const struct insn on_made_may[] = { MADE_MAY };

/* Registers. */
enum { NOW = R6, FLAGS = R6, INODE = R6, BIRTH = R6, NAME = R6, TASK = R7, RET = R8, ENDED = R9 };

static const struct insn on_made[] = {
	JUMP_UNLESS_MADE("out"),
	SET_FIELD(inode, "inode"),
	FIELD(NOW, "time"),
	SET(now, NOW),
	/* its end was missed: the inode is another file's */
	LOOKUP_OR("births", inode, "new"),
	BPF_STX_MEM(BPF_DW, R0, NOW, 0),
	JUMP("out"),
LABEL("new"),
	UPDATE("births", inode, now),			/* births[inode] = now */
	JNE(R0, 0, "full"),
	FILL(1, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, 0),
	JSLE(R1, BIRTHS, "out"),
	BPF_MOV64_IMM(R1, -1),
	BPF_STX_XADD(BPF_DW, R0, R1, 0),
LABEL("full"),
	COUNT_FULL,				/* an older entry was evicted */
LABEL("out"),
	EXIT,
};

static const struct insn on_gone[] = {
	SET_FIELD(inode, "inode"),
	DELETE("births", inode),
	JNE(R0, 0, "out"),
	FILL(-1, "out"),
LABEL("out"),
	EXIT,
};

/* if (births[inode]) start[tid] = { name, births[inode] } */
#define REMOVES(OUT) \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	SET(tid, TASK), \
	FIELD(INODE, "inode"), \
	SET(inode, INODE), \
	LOOKUP_OR("births", inode, OUT), \
	BPF_LDX_MEM(BPF_DW, BIRTH, R0, 0), \
	SET(start.birth, BIRTH), \
	STRING(NAME, "name"), \
	SET_KERNEL_PATH(start.name, NAME), \
	STORE("start", tid, start), \
	LABEL(OUT), \
	EXIT

static const struct insn on_enter[] = { REMOVES("out") };

static const struct insn on_replaced[] = {
	FIELD(FLAGS, "flags"),
	JSET(FLAGS, RENAME_EXCHANGE, "out"),
	REMOVES("out"),
};

static const struct insn on_exit[] = {
	FIELD(TASK, "pid_tgid"),
	SET(record.pid_tgid, TASK),
	SET(tid, TASK),
	FIELD(ENDED, "time"),
	FIELD(RET, "ret"),
	LOOKUP_OR("start", tid, "out"),			/* s = take start[tid] */
	JNE(RET, 0, "delete"),				/* if (ret) out */
	LOAD(R1, R0, struct start, birth),
	SET(record.time, ENDED),
	BPF_ALU64_REG(BPF_SUB, ENDED, R1),
	SET(record.age, ENDED),				/* r.age = now - s.birth */
	COPY_FROM(record.name, R0, struct start, name),	/* r.name = s.name */
	SET_BYTES(record.comm, "comm"),
	OUTPUT("events", record),
LABEL("delete"),
	DELETE("start", tid),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("made.file", on_made),
	MADE_PROGRAM,
	PROGRAM("inode.gone", on_gone),
	PROGRAM("unlink.enter", on_enter),
	PROGRAM("unlink.exit", on_exit),
	PROGRAM("replaced.enter", on_replaced, .optional = true),
	PROGRAM("replaced.exit", on_exit, .optional = true),
	{ }
};

const struct program_set filelife_programs = { programs, maps };
