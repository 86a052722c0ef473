// SPDX-License-Identifier: GPL-2.0
/*
 * task.new:	a thread: family[tgid]++, if the process is followed
 *		a process: if (family[tgid of the parent]) family[pid] = 1
 *			   otherwise delete family[pid]
 * task.exit:	family[tgid]--
 * task.free:	if (!family[pid]) delete family[pid]
 *
 * The processes that --exec CMD follows: the command, and every process made by one of them. FILTER
 * looks them up. A value is the number of threads: the first thread may end before the others.
 * After task.exit the last thread still closes its files, and tools must show that. So a process is
 * deleted only when its memory is freed. By then another process may have its id, and threads of
 * its own.
 */
#include "insns/programs/family.h"

#include <linux/sched.h>

#include "insns/common.h"

static const struct map maps[] = {
	{ MAP_FAMILY, MAP_HASH, ROLE_TABLE, 4, 8, 16384 },
	{ }
};

struct frame {
	uint32_t pid;
	u64 threads;
};

/* Registers. */
enum { FLAGS = R7 };

static const struct insn on_new[] = {
	FIELD(FLAGS, "clone_flags"),
	SET_FIELD(pid, "tgid"),
	LOOKUP(MAP_FAMILY, pid),
	JEQ(R0, 0, "stranger"),
	JSET(FLAGS, CLONE_THREAD, "thread"),
	SET_FIELD(pid, "pid"),
	SET_IMM(threads, 1),
	STORE(MAP_FAMILY, pid, threads),		/* family[pid] = 1 */
	JUMP("out"),
LABEL("thread"),
	BPF_MOV64_IMM(R1, 1),
	BPF_STX_XADD(BPF_DW, R0, R1, 0),		/* family[tgid]++ */
	JUMP("out"),
LABEL("stranger"),
	JSET(FLAGS, CLONE_THREAD, "out"),
	SET_FIELD(pid, "pid"),
	LOOKUP(MAP_FAMILY, pid),
	JEQ(R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, 0),
	BPF_MOV64_REG(R2, R1),
	BPF_ALU64_IMM(BPF_RSH, R2, 32),
	JEQ(R2, 0, "another"),
	BPF_MOV32_REG(R1, R1),		/* the command's own making: FAMILY_MAKING is over */
	BPF_STX_MEM(BPF_DW, R0, R1, 0),
	JUMP("out"),
LABEL("another"),
	DELETE(MAP_FAMILY, pid),			/* another process had its id */
LABEL("out"),
	EXIT,
};

static const struct insn on_exit[] = {
	SET_FIELD(pid, "tgid"),
	LOOKUP(MAP_FAMILY, pid),
	JEQ(R0, 0, "out"),
	BPF_MOV64_IMM(R1, -1),
	BPF_STX_XADD(BPF_DW, R0, R1, 0),		/* family[tgid]-- */
LABEL("out"),
	EXIT,
};

static const struct insn on_free[] = {
	SET_FIELD(pid, "pid"),
	LOOKUP(MAP_FAMILY, pid),
	JEQ(R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, 0),
	BPF_ALU64_IMM(BPF_LSH, R1, 32),
	JNE(R1, 0, "out"),
	DELETE(MAP_FAMILY, pid),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("task.new", on_new),
	PROGRAM("task.exit", on_exit),
	PROGRAM("task.free", on_free, .spare = true, .tidies = true),
	{ }
};

const struct program_set family_programs = { programs, maps };
