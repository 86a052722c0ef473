// SPDX-License-Identifier: GPL-2.0
/*
 * function.hit:	counts[process, its stacks]++
 */
#include "insns/programs/stackcount.h"

#include <errno.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "counts", MAP_HASH, ROLE_RESULT, sizeof(struct stackcount_key), 8, 16384,
	  .key = &stackcount_key_layout },
	{ }
};

struct frame {
	struct stackcount_key key;
};

static const struct insn on_hit[] = {
	FIELD(R6, "pid_tgid"),
	FILTER(R6),
	JUMP_UNLESS("one_cpu", "any"),
	FIELD(R7, "cpu"),
	CONST(R8, "cpu"),
	JNE_REG(R7, R8, "out"),
LABEL("any"),
	ZERO(key),
	SET_IMM(key.tgid, -1),
	BPF_MOV64_IMM(R7, -EFAULT),
	BPF_MOV64_IMM(R8, -EFAULT),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(R7, "kernel_stack"),
LABEL("user"),
	JUMP_UNLESS("user_stacks", "process"),
	STACK(R8, "user_stack"),
	SET_FIELD(key.caller, "caller"),
LABEL("process"),
	SET(key.kernel_stack, R7),
	SET(key.user_stack, R8),
	JUMP_UNLESS("by_process", "count"),
	BPF_ALU64_IMM(BPF_RSH, R6, 32),
	SET(key.tgid, R6),
	SET_BYTES(key.comm, "comm"),
LABEL("count"),
	SET_EPOCH(key.epoch),
	COUNT("counts", key),				/* counts[process, its stacks]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("function.hit", on_hit),
	{ }
};

const struct program_set stackcount_programs = { programs, maps };
