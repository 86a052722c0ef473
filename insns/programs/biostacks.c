// SPDX-License-Identifier: GPL-2.0
/*
 * key = { dev, operation, sector }: raw tracepoints, which tell the request, give no whole stacks
 *
 * block.request:	who[key] = { now, task, its stack }; if another request waits there already,
 *			both are in doubt
 * block.frontmerge:	move who[end of the I/O] to who[key]: the request behind the I/O now begins
 *			where the I/O does
 * block.merge:		drop who[key]: the request became part of another
 * block.issue:		start[key] = { take who[key], now, sectors }; if another request is under
 *			way there, they overlap
 * block.requeue:	start[key].time = 0: the request will be issued again
 * block.done:		s = start[key]; if there are sectors left of s: move it behind those that
 *			are done; otherwise slots[task, stack, dev, slot(now - s.time)]++, or
 *			sums[task, stack, dev] += { now - s.time, 1 }; or untimed++ if the request
 *			can't be told apart from others
 *
 * The stack is that of the task that makes the request: often another task issues it. A flush
 * serves all tasks that asked for one, and has no task and no stack.
 */
#include "insns/programs/biostacks.h"

#include <errno.h>

#include "insns/programs/biosnoop_keys.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	MADE_KEY_MAPS,
	{ "slots", MAP_HASH, ROLE_RESULT, sizeof(struct biostacks_key), 8, 16384,
	  .key = &biostacks_key_layout },
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct biostacks_key),
	  sizeof(struct biostacks_sums), 16384, .key = &biostacks_key_layout,
	  .value = &biostacks_sums_layout },
	{ "untimed", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, 1, .key = &index_key_layout },
	{ }
};

struct frame {
	struct disk_key key;
	char rwbs[8];
	uint32_t index;
	struct who who;
	struct start start;
	struct biostacks_key result;
	struct biostacks_sums sums;
};

/* Registers beside those of biosnoop_keys.h. */
enum {
	KERNEL_STACK = R7,
	/* the process, above, and the number of its stack; all ones: nobody */
	MAKER = TASK,
	CURRENT = R8,			/* a pid_tgid */
	SLOT = R7,
};

/* MAKER = the current process and its stack */
#define THIS_MAKER \
	STACK(KERNEL_STACK, "kernel_stack"), \
	BPF_ALU64_IMM(BPF_LSH, KERNEL_STACK, 32), \
	BPF_ALU64_IMM(BPF_RSH, KERNEL_STACK, 32), \
	FIELD(MAKER, "pid_tgid"), \
	BPF_ALU64_IMM(BPF_RSH, MAKER, 32), \
	BPF_ALU64_IMM(BPF_LSH, MAKER, 32), \
	BPF_ALU64_REG(BPF_OR, MAKER, KERNEL_STACK)

/*
 * If the user asked for some tasks, the requests of other tasks are followed too, with nobody: two
 * requests with one key may be of different tasks.
 */
static const struct insn on_request[] = {
	REQUEST_KEY(rwbs, "out"),
	JEQ(N_SECTORS, 0, "out"),			/* a flush has no task */
	THIS_MAKER,
	FIELD(NOW, "time"),
	SET(who.task.time, NOW),
	SET(who.task.pid_tgid, MAKER),
	SET_BYTES(who.task.comm, "comm"),
	JUMP_UNLESS("filtered", "known"),
	BPF_MOV64_IMM(R1, -1),
	SET(who.task.pid_tgid, R1),
LABEL("known"),
	WAIT_FOR_ISSUE(MAKER),				/* who[key] = { now, task, its stack } */
	JUMP_UNLESS("filtered", "out"),
	JNE(N_WAITING, 1, "out"),
	FIELD(CURRENT, "pid_tgid"),
	FILTER(CURRENT),
	LOOKUP_OR("who", key, "out"),
	PUT(R0, struct who, task.pid_tgid, MAKER),
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY(rwbs, "out"),
	MOVE_FRONT("who", who, "out"),			/* move who[end] to who[key] */
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	REQUEST_KEY(rwbs, "out"),
	FORGET_MERGED("who", struct who, "out"),	/* drop who[key] */
LABEL("out"),
	EXIT,
};

static const struct insn on_issue[] = {
	REQUEST_KEY(rwbs, "out"),
	FIELD(NOW, "time"),
	ISSUED_AGAIN("store"),				/* start[key].time = now */
	TAKE_WHO,					/* who = take who[key] */
	COPY(start.task, who.task),
	SET(start.time, NOW),
	SET(start.sectors, N_SECTORS),
	SET(start.first, SECTOR),
	SET(start.total, N_SECTORS),
	STORE_NEW("start", key, start),			/* start[key] = { who, now, sectors } */
	JEQ(R0, 0, "out"),
	ONE_MORE_UNDER_WAY,
LABEL("store"),
	STORE("start", key, start),
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	REQUEST_KEY(rwbs, "out"),
	LOOKUP_OR("start", key, "out"),
	LOAD(R1, R0, struct start, sectors),
	JSET(R1, OVERLAP, "out"),			/* it will be counted twice there */
	PUT_IMM(R0, struct start, time, 0),		/* start[key].time = 0 */
LABEL("out"),
	EXIT,
};

/* frame.result.owner = MAKER, and the name and disk of frame.start and frame.key */
#define SET_OWNER \
	COPY(result.owner.comm, start.task.comm), \
	COPY(result.owner.dev, key.dev), \
	SET(result.owner.kernel_stack, MAKER), \
	JNE(MAKER, -1, ".somebody"), \
	SET_IMM(result.owner.kernel_stack, -EFAULT), \
	LABEL(".somebody"), \
	BPF_MOV64_IMM(R1, -1), \
	BPF_ALU64_IMM(BPF_RSH, R1, 32), \
	BPF_ALU64_REG(BPF_OR, MAKER, R1), \
	SET(result.owner.pid_tgid, MAKER)

/* sums[result] += { LATENCY, 1 } */
#define ADD_SUMS \
	LOOKUP("sums", result), \
	JNE(R0, 0, ".found"), \
	SET(sums.latency, LATENCY), \
	SET_IMM(sums.requests, 1), \
	STORE_NEW("sums", result, sums), \
	JEQ(R0, 0, ".summed"), \
	LOOKUP("sums", result),				/* made by another CPU, or no room */ \
	JNE(R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(".summed"), \
	LABEL(".found"), \
	XADD(R0, struct biostacks_sums, latency, LATENCY), \
	BPF_MOV64_IMM(R1, 1), \
	XADD(R0, struct biostacks_sums, requests, R1), \
	LABEL(".summed")

static const struct insn on_done[] = {
	REQUEST_KEY(rwbs, "out"),
	LOOKUP_OR("start", key, "out"),			/* s = start[key] */
	COPY_ALL(start, R0),
	GET(TO_COME, start.sectors),
	JSET(TO_COME, OVERLAP, "overlap"),
	DELETE("start", key),
	JGE_REG(N_SECTORS, TO_COME, "whole"),
	REST_WAITS,			/* start[sector + sectors] = { s, s.sectors - sectors } */
	JUMP("out"),

LABEL("overlap"),
	ONE_LESS_UNDER_WAY("untimed"),
	JUMP("untimed"),

LABEL("whole"),
	GET(MAKER, start.task.pid_tgid),
	JUMP_UNLESS("filtered", "everybody"),
	JEQ(MAKER, -1, "out"),
LABEL("everybody"),
	SET_OWNER,
	GET(R1, start.time),
	JEQ(R1, 0, "out"),
	FIELD(LATENCY, "time"),
	GET(R1, start.time),
	BPF_ALU64_REG(BPF_SUB, LATENCY, R1),		/* now - s.time */
	JSLT(LATENCY, 0, "untimed"),			/* the clocks of two CPUs differ */
	SET_EPOCH(result.epoch),
	SET_IMM(result.slot, 0),
	JUMP_UNLESS("summed", "slot"),
	ADD_SUMS,					/* sums[...] += { latency, 1 } */
	JUMP("out"),
LABEL("slot"),
	IN_UNIT(LATENCY),
	LOG2(SLOT, LATENCY),
	SET(result.slot, SLOT),
	COUNT("slots", result),				/* slots[..., slot(latency)]++ */
	JUMP("out"),

LABEL("untimed"),
	COUNT_INDEX("untimed", index, 0),		/* untimed++ */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.request", on_request),
	PROGRAM("block.frontmerge", on_frontmerge, .spare = true),
	PROGRAM("block.merge", on_merge, .spare = true),
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.requeue", on_requeue, .spare = true),
	PROGRAM("block.done", on_done),
	{ }
};

const struct program_set biostacks_programs = { programs, maps };
