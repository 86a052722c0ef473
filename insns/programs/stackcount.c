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

/* Registers. */
enum { TASK = R6, TGID = R6, CPU = R7, KERNEL_STACK = R7, WANTED = R8, USER_STACK = R8 };

static const struct insn on_hit[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	JUMP_UNLESS("one_cpu", "any"),
	FIELD(CPU, "cpu"),
	CONST(WANTED, "cpu"),
	JNE_REG(CPU, WANTED, "out"),
LABEL("any"),
	ZERO(key),
	SET_IMM(key.tgid, -1),
	BPF_MOV64_IMM(KERNEL_STACK, -EFAULT),
	BPF_MOV64_IMM(USER_STACK, -EFAULT),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(KERNEL_STACK, "kernel_stack"),
LABEL("user"),
	JUMP_UNLESS("user_stacks", "process"),
	STACK(USER_STACK, "user_stack"),
	SET_FIELD(key.caller, "caller"),
LABEL("process"),
	SET(key.kernel_stack, KERNEL_STACK),
	SET(key.user_stack, USER_STACK),
	JUMP_UNLESS("by_process", "count"),
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32),
	SET(key.tgid, TGID),
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
