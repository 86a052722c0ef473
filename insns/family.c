// SPDX-License-Identifier: GPL-2.0
/*
 * task.new:	if (family[tgid of the parent]) family[pid] = 1
 *
 * What --exec CMD follows: the command, and every process made by one it follows. FILTER looks there.
 */
#include "insns/family.h"

#include <linux/sched.h>

#include "insns/common.h"

#define KEY -8
#define VALUE -16

static const struct insn on_new[] = {
	FIELD(R6, "clone_flags"),
	JUMP_IF(BPF_JSET, R6, CLONE_THREAD, "out"),	/* a thread is of its process */
	FIELD(R6, "tgid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	LOOKUP(MAP_FAMILY, KEY),			/* if (!family[tgid]) out */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	FIELD(R6, "pid"),
	BPF_STX_MEM(BPF_W, R10, R6, KEY),
	BPF_ST_MEM(BPF_DW, R10, VALUE, 1),
	STORE(MAP_FAMILY, KEY, VALUE),			/* family[pid] = 1 */
LABEL("out"),
	EXIT,
};

static const struct map maps[] = {
	{ MAP_FAMILY, MAP_HASH, ROLE_TABLE, 4, 4, 16384 },
	{ }
};

static const struct program programs[] = {
	PROGRAM("task.new", on_new),
	{ }
};

const struct program_set family_programs = { programs, maps };
