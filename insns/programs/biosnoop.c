// SPDX-License-Identifier: GPL-2.0
/*
 * key = { dev, operation, sector }
 * block.request:	who[key] = { now, task }; if another request waits there already, both are in doubt
 * block.frontmerge:	the request behind the I/O now begins where the I/O does: move who[end of the I/O] to who[key]
 * block.merge:		the request became part of another: drop who[key]
 * block.issue:		start[key] = { take who[key], now, sectors }; if another request is under way there, they overlap
 * block.requeue:	start[key].time = 0: it will be issued once more; a driver may give it back several times before
 * block.done:		s = start[key]; if there are sectors left of s: move it behind those that are done;
 *			otherwise output { s, now }, or sums[task, dev, operation] += { 1, bytes, now - s.time }
 *
 * Who issues a request is often a task of the kernel that does it for others, so the task is that which made it.
 * Events do not say which request they are about. Two that are under way at the same time with one key can't be told
 * apart: each has its line or is counted, without a latency, and without a task unless it is the same one. So is one
 * whose issue was not seen. Where CPUs race for an entry, the second one to make it finds it; what else may get lost
 * between them is what is known of a request, never the request.
 *
 * A flush serves all who asked for one, and has no task. The request that asked for it is done once more with no sectors,
 * and was never issued.
 */
#include "insns/programs/biosnoop.h"

#include <stddef.h>

#include "insns/disk.h"

struct task {
	uint64_t time;		/* when it made the request; 0: unknown */
	uint64_t pid_tgid;
	char comm[16];
};

struct who {
	struct task task;
	uint64_t waiting;	/* how many requests; with DOUBT: there were more than one */
};

struct start {
	struct task task;
	uint64_t time;		/* of its issue; 0: to be issued again */
	uint64_t sectors;	/* still to come; with OVERLAP: how many requests are under way */
	uint64_t first;		/* sector */
	uint64_t total;		/* sectors */
};

#define OVERLAP 0x40000000	/* no request has as many sectors */

#define MAPS \
	{ "who", MAP_HASH, ROLE_HINT, sizeof(struct disk_key), sizeof(struct who), DISK_WAITING }, \
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct disk_key), sizeof(struct start), DISK_REQUESTS }

static const struct map snoop_maps[] = {
	MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0 },
	{ }
}, top_maps[] = {
	MAPS,
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct biotop_key), sizeof(struct biotop_sums), 10240 },
	{ }
};

#define KEY -16
#define START(MEMBER) (-80 + (int)offsetof(struct start, MEMBER))
#define WHO(MEMBER) (-120 + (int)offsetof(struct who, MEMBER))
#define RECORD(MEMBER) (-216 + (int)offsetof(struct biosnoop_record, MEMBER))
#define RWBS RECORD(rwbs)
#define TOP(MEMBER) (-248 + (int)offsetof(struct biotop_key, MEMBER))
#define SUMS(MEMBER) (-280 + (int)offsetof(struct biotop_sums, MEMBER))

_Static_assert(sizeof(struct start) == 64 && sizeof(struct task) == 32, "their words are copied");
_Static_assert(sizeof(struct biosnoop_record) <= 96, "it lies above the key of the sums");

#define COPY_TASK(TO) COPY_WORD(TO, 0), COPY_WORD(TO, 1), COPY_WORD(TO, 2), COPY_WORD(TO, 3)
#define COPY_START(TO) \
	COPY_TASK(TO), COPY_WORD(TO, 4), COPY_WORD(TO, 5), COPY_WORD(TO, 6), COPY_WORD(TO, 7)
#define MOVE_WORD(TO, FROM, N) \
	BPF_LDX_MEM(BPF_DW, R1, R10, (FROM) + 8 * (N)), \
	BPF_STX_MEM(BPF_DW, R10, R1, (TO) + 8 * (N))

#define NOBODY(OFF) \
	BPF_MOV64_IMM(R1, -1), \
	BPF_STX_MEM(BPF_DW, R10, R1, (OFF) + (int)offsetof(struct task, pid_tgid)), \
	BPF_ST_MEM(BPF_DW, R10, (OFF) + (int)offsetof(struct task, comm), 0), \
	BPF_ST_MEM(BPF_DW, R10, (OFF) + (int)offsetof(struct task, comm) + 8, 0)

/*
 * Where the user asked for some tasks, the others' requests are followed too, as nobody's: which of two with one key is
 * whose must not be guessed.
 */
static const struct insn on_request[] = {
	REQUEST_KEY(KEY, RWBS),
	JUMP_IF(BPF_JEQ, R7, 0, "out"),			/* a flush has no task */
	FIELD(R9, "pid_tgid"),
	FIELD(R8, "time"),
	BPF_STX_MEM(BPF_DW, R10, R8, WHO(task.time)),
	BPF_STX_MEM(BPF_DW, R10, R9, WHO(task.pid_tgid)),
	BYTES(WHO(task.comm), "comm", 16),
	UNLESS("filtered", "known"),
	BPF_MOV64_IMM(R1, -1),
	BPF_STX_MEM(BPF_DW, R10, R1, WHO(task.pid_tgid)),
LABEL("known"),
	BPF_MOV64_IMM(R6, 1),
	BPF_STX_MEM(BPF_DW, R10, R6, WHO(waiting)),
	STORE_NEW("who", KEY, WHO(task)),		/* who[key] = { now, task } */
	JUMP_IF(BPF_JEQ, R0, 0, "stored"),
	LOOKUP("who", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "store"),		/* gone again, or there is no room */
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct who, task.time)),
	BPF_ALU64_REG(BPF_SUB, R8, R1),
	BPF_ALU64_IMM(BPF_RSH, R8, QUEUE_SHIFT),
	JUMP_IF(BPF_JNE, R8, 0, "store"),
	BPF_STX_MEM(BPF_DW, R10, R1, WHO(task.time)),	/* one waits there: DOUBT, and no task but the same one */
	BPF_LDX_MEM(BPF_DW, R6, R0, offsetof(struct who, waiting)),
	BPF_ALU64_IMM(BPF_ADD, R6, 1),
	BPF_ALU64_IMM(BPF_OR, R6, DOUBT),
	BPF_STX_MEM(BPF_DW, R10, R6, WHO(waiting)),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct who, task.pid_tgid)),
	BPF_STX_MEM(BPF_DW, R10, R9, WHO(task.pid_tgid)),
	JUMP_IF_REG(BPF_JEQ, R1, R9, "store"),
	NOBODY(WHO(task)),
LABEL("store"),
	STORE("who", KEY, WHO(task)),
LABEL("stored"),
	UNLESS("filtered", "out"),
	JUMP_IF(BPF_JNE, R6, 1, "out"),
	FILTER(R9),
	LOOKUP("who", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_STX_MEM(BPF_DW, R0, R9, offsetof(struct who, task.pid_tgid)),
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY(KEY, RWBS),
	MOVE_FRONT("who", KEY, WHO(task), COPY_TASK(WHO(task)), COPY_WORD(WHO(task), 4)),
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	REQUEST_KEY(KEY, RWBS),
	FORGET_MERGED("who", KEY, offsetof(struct who, waiting)),
LABEL("out"),
	EXIT,
};

/* take who[key], as far as it is known and not in doubt. A flush has none. */
#define TAKE_WHO \
	BPF_ST_MEM(BPF_DW, R10, WHO(task.time), 0), \
	NOBODY(WHO(task)), \
	LOOKUP("who", KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, ".taken"), \
	COPY_TASK(WHO(task)), \
	BPF_LDX_MEM(BPF_DW, R9, R0, offsetof(struct who, waiting)), \
	JUMP_IF(BPF_JEQ, R9, 1, ".last"), \
	BPF_ST_MEM(BPF_DW, R10, WHO(task.time), 0), \
	ONE_LESS_WAITS(offsetof(struct who, waiting)), \
	JUMP(".taken"), \
	LABEL(".last"), \
	DELETE("who", KEY), \
	LABEL(".taken")

static const struct insn on_issue[] = {
	REQUEST_KEY(KEY, RWBS),
	FIELD(R8, "time"),
	LOOKUP("start", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "new"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, time)),
	JUMP_IF(BPF_JNE, R1, 0, "another"),
	COPY_START(START(task)),			/* issued again: start[key].time = now */
	BPF_STX_MEM(BPF_DW, R10, R8, START(time)),
	JUMP("store"),
LABEL("another"),
	BPF_MOV64_REG(R2, R8),
	BPF_ALU64_REG(BPF_SUB, R2, R1),
	BPF_ALU64_IMM(BPF_RSH, R2, DEVICE_SHIFT),
	JUMP_IF(BPF_JEQ, R2, 0, "new"),
	DELETE("start", KEY),			/* its end was never told */
LABEL("new"),
	TAKE_WHO,
	MOVE_WORD(START(task), WHO(task), 0), MOVE_WORD(START(task), WHO(task), 1),
	MOVE_WORD(START(task), WHO(task), 2), MOVE_WORD(START(task), WHO(task), 3),
	BPF_STX_MEM(BPF_DW, R10, R8, START(time)),
	BPF_STX_MEM(BPF_DW, R10, R7, START(sectors)),
	BPF_STX_MEM(BPF_DW, R10, R6, START(first)),
	BPF_STX_MEM(BPF_DW, R10, R7, START(total)),
	STORE_NEW("start", KEY, START(task)),	/* start[key] = { who, now, sectors } */
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	LOOKUP("start", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "store"),
	COPY_START(START(task)),
	BPF_LDX_MEM(BPF_DW, R9, R10, START(sectors)),
	JUMP_IF(BPF_JSET, R9, OVERLAP, "more"),
	BPF_MOV64_IMM(R9, OVERLAP | 1),
LABEL("more"),
	BPF_ALU64_IMM(BPF_ADD, R9, 1),
	BPF_STX_MEM(BPF_DW, R10, R9, START(sectors)),	/* one more is under way there: no task but the same one */
	BPF_LDX_MEM(BPF_DW, R1, R10, START(task.pid_tgid)),
	BPF_LDX_MEM(BPF_DW, R2, R10, WHO(task.pid_tgid)),
	JUMP_IF_REG(BPF_JEQ, R1, R2, "store"),
	NOBODY(START(task)),
LABEL("store"),
	STORE("start", KEY, START(task)),
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	REQUEST_KEY(KEY, RWBS),
	LOOKUP("start", KEY),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	BPF_LDX_MEM(BPF_DW, R1, R0, offsetof(struct start, sectors)),
	JUMP_IF(BPF_JSET, R1, OVERLAP, "out"),		/* it will count twice there */
	BPF_ST_MEM(BPF_DW, R0, offsetof(struct start, time), 0),
LABEL("out"),
	EXIT,
};

/* reg = the time from FROM to TO; unknown where FROM is 0, or where the clocks of two CPUs disagree. */
#define ELAPSED(REG, TO, FROM) \
	BPF_MOV64_REG(REG, TO), \
	BPF_ALU64_REG(BPF_SUB, REG, FROM), \
	JUMP_IF(BPF_JEQ, FROM, 0, ".unknown"), \
	JUMP_IF(BPF_JSGT, REG, -1, ".elapsed"), \
	LABEL(".unknown"), \
	BPF_MOV64_IMM(REG, -1), \
	LABEL(".elapsed")

#define ADD_SUM(MEMBER) \
	BPF_LDX_MEM(BPF_DW, R1, R10, SUMS(MEMBER)), \
	BPF_STX_XADD(BPF_DW, R0, R1, offsetof(struct biotop_sums, MEMBER))

static const struct insn on_done[] = {
	REQUEST_KEY(KEY, RWBS),
	FIELD(R9, "time"),
	BPF_STX_MEM(BPF_DW, R10, R9, RECORD(time)),
	BPF_MOV64_IMM(R8, -1),				/* latency, time in the queue: not known yet */
	BPF_STX_MEM(BPF_DW, R10, R8, RECORD(queued)),
	NOBODY(START(task)),
	BPF_STX_MEM(BPF_DW, R10, R6, START(first)),
	BPF_STX_MEM(BPF_DW, R10, R7, START(total)),
	LOOKUP("start", KEY),			/* s = start[key] */
	JUMP_IF(BPF_JEQ, R0, 0, "done"),
	COPY_START(START(task)),
	BPF_LDX_MEM(BPF_DW, R9, R10, START(sectors)),
	JUMP_IF(BPF_JSET, R9, OVERLAP, "overlap"),
	JUMP_IF_REG(BPF_JGE, R7, R9, "whole"),
	DELETE("start", KEY),
	BPF_ALU64_REG(BPF_SUB, R9, R7),			/* part of it: the rest waits at sector + sectors */
	BPF_ALU64_REG(BPF_ADD, R6, R7),
	BPF_STX_MEM(BPF_DW, R10, R6, KEY_OF(KEY, sector)),
	BPF_STX_MEM(BPF_DW, R10, R9, START(sectors)),
	STORE("start", KEY, START(task)),
	JUMP("out"),
LABEL("overlap"),
	BPF_STX_MEM(BPF_DW, R10, R6, START(first)),
	BPF_STX_MEM(BPF_DW, R10, R7, START(total)),
	BPF_ALU64_IMM(BPF_SUB, R9, 1),			/* one less is under way */
	BPF_STX_MEM(BPF_DW, R10, R9, START(sectors)),
	BPF_ALU64_IMM(BPF_AND, R9, OVERLAP - 1),
	JUMP_IF(BPF_JEQ, R9, 0, "last"),
	STORE("start", KEY, START(task)),
	JUMP("done"),
LABEL("last"),
	DELETE("start", KEY),
	JUMP("done"),
LABEL("whole"),
	DELETE("start", KEY),
	BPF_LDX_MEM(BPF_DW, R6, R10, START(time)),
	BPF_LDX_MEM(BPF_DW, R1, R10, RECORD(time)),
	ELAPSED(R8, R1, R6),				/* latency = now - s.time */
	BPF_LDX_MEM(BPF_DW, R7, R10, START(task.time)),
	ELAPSED(R1, R6, R7),				/* queued = s.time - s.who.time */
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(queued)),
LABEL("done"),
	BPF_LDX_MEM(BPF_DW, R6, R10, START(task.pid_tgid)),
	UNLESS("filtered", "everybody"),
	JUMP_IF(BPF_JEQ, R6, -1, "out"),
LABEL("everybody"),
	BPF_LDX_MEM(BPF_DW, R7, R10, START(total)),
	BPF_ALU64_IMM(BPF_MUL, R7, 512),
	BPF_LDX_MEM(BPF_DW, R0, R10, START(task.comm)),
	BPF_LDX_MEM(BPF_DW, R1, R10, START(task.comm) + 8),
	BPF_LDX_MEM(BPF_W, R2, R10, KEY_OF(KEY, dev)),
	BPF_LDX_MEM(BPF_W, R3, R10, KEY_OF(KEY, operation)),
	UNLESS("snoop", "sum"),
	UNLESS("min_ns", "any"),
	CONST(R4, "min_ns"),
	JUMP_IF_REG(BPF_JSGT, R4, R8, "out"),		/* so is one that is not known */
LABEL("any"),
	BPF_STX_MEM(BPF_DW, R10, R0, RECORD(comm)),
	BPF_STX_MEM(BPF_DW, R10, R1, RECORD(comm) + 8),
	BPF_STX_MEM(BPF_W, R10, R2, RECORD(dev)),
	BPF_STX_MEM(BPF_W, R10, R3, RECORD(operation)),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(pid_tgid)),
	BPF_STX_MEM(BPF_DW, R10, R7, RECORD(bytes)),
	BPF_STX_MEM(BPF_DW, R10, R8, RECORD(latency)),
	BPF_LDX_MEM(BPF_DW, R6, R10, START(first)),
	BPF_STX_MEM(BPF_DW, R10, R6, RECORD(sector)),
	OUTPUT("events", RECORD(time), sizeof(struct biosnoop_record)),
LABEL("sum"),
	UNLESS("sum", "out"),
	BPF_STX_MEM(BPF_DW, R10, R0, TOP(comm)),
	BPF_STX_MEM(BPF_DW, R10, R1, TOP(comm) + 8),
	BPF_STX_MEM(BPF_W, R10, R2, TOP(dev)),
	BPF_STX_MEM(BPF_W, R10, R3, TOP(operation)),
	BPF_ALU64_IMM(BPF_RSH, R6, 32),
	BPF_STX_MEM(BPF_W, R10, R6, TOP(pid)),
	EPOCH(R6),
	BPF_STX_MEM(BPF_W, R10, R6, TOP(epoch)),
	BPF_MOV64_IMM(R6, 1),
	JUMP_IF(BPF_JNE, R8, -1, "timed"),
	BPF_MOV64_IMM(R8, 0),
	BPF_MOV64_IMM(R6, 0),
LABEL("timed"),
	BPF_ST_MEM(BPF_DW, R10, SUMS(requests), 1),
	BPF_STX_MEM(BPF_DW, R10, R7, SUMS(bytes)),
	BPF_STX_MEM(BPF_DW, R10, R6, SUMS(timed)),
	BPF_STX_MEM(BPF_DW, R10, R8, SUMS(latency)),
	LOOKUP("sums", TOP(epoch)),
	JUMP_IF(BPF_JNE, R0, 0, "found"),
	STORE_NEW("sums", TOP(epoch), SUMS(requests)),
	JUMP_IF(BPF_JEQ, R0, 0, "out"),
	LOOKUP("sums", TOP(epoch)),			/* another CPU has just made it, or there is no room */
	JUMP_IF(BPF_JNE, R0, 0, "found"),
	COUNT_FULL,
	JUMP("out"),
LABEL("found"),
	ADD_SUM(requests),				/* sums[task, dev, operation] += { 1, bytes, latency } */
	ADD_SUM(bytes),
	ADD_SUM(timed),
	ADD_SUM(latency),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.request", on_request, .option = "everybody", .optional = true),
	PROGRAM("block.request", on_request, .option = "filtered"),	/* nobody would be shown without it */
	PROGRAM("block.frontmerge", on_frontmerge, .spare = true),
	PROGRAM("block.merge", on_merge, .spare = true),
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.requeue", on_requeue, .spare = true),
	PROGRAM("block.done", on_done),
	{ }
};

const struct program_set biosnoop_programs = { programs, snoop_maps };
const struct program_set biotop_programs = { programs, top_maps };
