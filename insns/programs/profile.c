// SPDX-License-Identifier: GPL-2.0
/*
 * cpu.sample:	counts[process, its stacks]++; with --heatmap: moments[the time in ms]++
 *		or groups[whose the task is]++
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
}, group_maps[] = {
	{ "groups", MAP_HASH, ROLE_RESULT, sizeof(struct profile_group), 8, 16384,
	  .key = &profile_group_layout },
	{ }
};

struct frame {
	struct profile_key key;
	struct profile_moment moment;
	struct profile_group group;
};

/* Registers. */
enum {
	TASK = R6, TGID = R6,
	CPU = R7, NOW = R7, MS = R7, KERNEL_STACK = R7,
	WANTED = R8, USER_STACK = R8,
};

/* TASK = the sampled task. If the user did not ask for this sample, goto OUT. */
#define SAMPLED(OUT) \
	FIELD(TASK, "pid_tgid"), \
	JUMP_UNLESS("busy", ".all"), \
	JEQ(TASK, 0, OUT),				/* the CPU was idle */ \
	LABEL(".all"), \
	JUMP_UNLESS("one_cpu", ".any"), \
	FIELD(CPU, "cpu"), \
	CONST(WANTED, "cpu"), \
	JNE_REG(CPU, WANTED, OUT), \
	LABEL(".any"), \
	FILTER(TASK)

static const struct insn on_sample[] = {
	SAMPLED("out"),
	JUMP_UNLESS("heatmap", "stacks"),
	FIELD(NOW, "time"),
	BPF_ALU64_IMM(BPF_DIV, RENAME(MS, NOW), 1000000),
	SET(moment.ms, MS),
	SET_EPOCH(moment.epoch),
	COUNT("moments", moment),			/* moments[the time in ms]++ */
LABEL("stacks"),
	JUMP_UNLESS("stacks", "out"),
	BPF_ALU64_IMM(BPF_RSH, RENAME(TGID, TASK), 32),
	SET(key.tgid, TGID),
	SET_IMM(key.owner, 0),
	JUMP_UNLESS("by-cgroup", "unasked"),
	SET_FIELD(key.owner, "whose"),
LABEL("unasked"),
	BPF_MOV64_IMM(KERNEL_STACK, -EFAULT),
	BPF_MOV64_IMM(USER_STACK, -EFAULT),
	SET_IMM(key.caller, 0),
	JUMP_UNLESS("kernel_stacks", "user"),
	STACK(KERNEL_STACK, "kernel_stack"),
LABEL("user"),
	JUMP_UNLESS("user_stacks", "count"),
	STACK(USER_STACK, "user_stack"),
	JSLT(USER_STACK, 0, "count"),
	SET_FIELD(key.caller, "caller"),
LABEL("count"),
	SET(key.kernel_stack, KERNEL_STACK),
	SET(key.user_stack, USER_STACK),
	SET_BYTES(key.comm, "comm"),
	SET_EPOCH(key.epoch),
	COUNT("counts", key),				/* counts[process, its stacks]++ */
LABEL("out"),
	EXIT,
};

static const struct insn on_group_sample[] = {
	SAMPLED("out"),
	SET_FIELD(group.owner, "whose"),
	SET_IMM(group.unused, 0),
	SET_EPOCH(group.epoch),
	COUNT("groups", group),				/* groups[whose the task is]++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("cpu.sample", on_sample),
	{ }
}, group_programs[] = {
	PROGRAM("cpu.sample", on_group_sample),
	{ }
};

const struct program_set profile_programs = { programs, maps };
const struct program_set profile_group_programs = { group_programs, group_maps };
