// SPDX-License-Identifier: GPL-2.0
/*
 * cpu.sample:	counts[process, its stacks]++; with --heatmap: moments[its time in ms]++
 */
#include "insns/programs/profile.h"

#include <errno.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "counts", MAP_HASH, ROLE_RESULT, sizeof(struct profile_key), 8, 16384,
	  .key = &profile_key_layout },
	{ "moments", MAP_HASH, ROLE_RESULT, sizeof(struct profile_moment), 8, 16384,
	  .key = &profile_moment_layout },
	{ }
};

struct frame {
	struct profile_key key;
	struct profile_moment moment;
};

static const struct insn on_sample[] = {
	FIELD(R6, "pid_tgid"),
	JUMP_UNLESS("busy", "all"),
	JEQ(R6, 0, "out"),				/* nobody ran */
LABEL("all"),
	JUMP_UNLESS("one_cpu", "any"),
	FIELD(R7, "cpu"),
	CONST(R8, "cpu"),
	JNE_REG(R7, R8, "out"),
LABEL("any"),
	FILTER(R6),
	JUMP_UNLESS("heatmap", "stacks"),
	FIELD(R7, "time"),
	BPF_ALU64_IMM(BPF_DIV, R7, 1000000),
	SET(moment.ms, R7),
	SET_EPOCH(moment.epoch),
	COUNT("moments", moment),			/* moments[its time in ms]++ */
LABEL("stacks"),
	JUMP_UNLESS("stacks", "out"),
	BPF_ALU64_IMM(BPF_RSH, R6, 32),
	SET(key.tgid, R6),
	BPF_MOV64_IMM(R7, -EFAULT),
	BPF_MOV64_IMM(R8, -EFAULT),
	SET_IMM(key.caller, 0),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(R7, "kernel_stack"),
LABEL("user"),
	JUMP_UNLESS("user_stacks", "count"),
	STACK(R8, "user_stack"),
	JSLT(R8, 0, "count"),
	SET_FIELD(key.caller, "caller"),
LABEL("count"),
	SET(key.kernel_stack, R7),
	SET(key.user_stack, R8),
	SET_BYTES(key.comm, "comm"),
	SET_EPOCH(key.epoch),
	COUNT("counts", key),				/* counts[process, its stacks]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("cpu.sample", on_sample),
	{ }
};

const struct program_set profile_programs = { programs, maps };
