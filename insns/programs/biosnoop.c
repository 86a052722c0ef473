// SPDX-License-Identifier: GPL-2.0
/*
 * key = { dev, operation, sector }
 * block.request:	who[key] = { now, task }; if another request waits there already, both are
 *			in doubt
 * block.frontmerge:	move who[end of the I/O] to who[key]: the request behind the I/O now begins
 *			where the I/O does
 * block.merge:		drop who[key]: the request became part of another
 * block.issue:		start[key] = { take who[key], now, sectors }; if another request is under
 *			way there, they overlap
 * block.requeue:	start[key].time = 0: it will be issued once more; before that a driver may
 *			give it back several times
 * block.done:		s = start[key]; if there are sectors left of s: move it behind those that
 *			are done; otherwise output { s, now }, or
 *			sums[task, dev, operation] += { 1, bytes, now - s.time }
 *
 * Often a task of the kernel issues requests for others, so the task is the one that made the
 * request. Events do not say which request they are about. Two requests that are under way at the
 * same time with one key can't be told apart: each has its line or is counted, but without a
 * latency, and without a task unless both have the same. The same goes for a request whose issue
 * was not seen. Where CPUs race for an entry, the second one to make it finds it. Between them only
 * what is known of a request may get lost, never the request.
 *
 * A flush serves all tasks that asked for one, and has no task. The request that asked for it is
 * done once more with no sectors, and was never issued.
 */
#include "insns/programs/biosnoop.h"

#include "insns/disk.h"
#include "insns/hist.h"

struct task {
	u64 time;		/* when it made the request; 0: unknown */
	u64 pid_tgid;
	char comm[16];
};

struct who {
	struct task task;
	u64 waiting;	/* how many requests; with DOUBT: there were more than one */
};

struct start {
	struct task task;
	u64 time;		/* of its issue; 0: to be issued again */
	u64 sectors;	/* still to come; with OVERLAP: how many requests are under way */
	u64 first;		/* sector */
	u64 total;		/* sectors */
};

#define OVERLAP 0x40000000	/* no request has as many sectors */

#define MAPS \
	{ "who", MAP_HASH, ROLE_HINT, sizeof(struct disk_key), sizeof(struct who), DISK_WAITING, \
	  .detail = true }, \
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct disk_key), sizeof(struct start), \
	  DISK_REQUESTS }

static const struct map snoop_maps[] = {
	MAPS,
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &biosnoop_record_layout },
	{ }
}, top_maps[] = {
	MAPS,
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct biotop_key), sizeof(struct biotop_sums),
	  10240, .key = &biotop_key_layout, .value = &biotop_sums_layout },
	{ }
};

struct frame {
	struct disk_key key;
	struct who who;
	struct start start;
	struct biosnoop_record record;
	struct biotop_key top;
	struct biotop_sums sums;
};

/* frame.TASK = no task: pid_tgid is BIO_UNKNOWN. */
#define NOBODY(TASK) \
	BPF_MOV64_IMM(R1, -1), \
	SET(TASK.pid_tgid, R1), \
	ZERO(TASK.comm)

/*
 * If the user asked for some tasks, the requests of others are followed too, with a task of -1: of
 * two requests with one key it must not be guessed which is whose.
 */
static const struct insn on_request[] = {
	REQUEST_KEY(record.rwbs, "out"),
	JEQ(R7, 0, "out"),				/* a flush has no task */
	FIELD(R9, "pid_tgid"),
	FIELD(R8, "time"),
	SET(who.task.time, R8),
	SET(who.task.pid_tgid, R9),
	SET_BYTES(who.task.comm, "comm"),
	JUMP_UNLESS("filtered", "known"),
	BPF_MOV64_IMM(R1, -1),				/* until the filter lets it in */
	SET(who.task.pid_tgid, R1),
LABEL("known"),
	BPF_MOV64_IMM(R6, 1),
	SET(who.waiting, R6),
	STORE_NEW("who", key, who),			/* who[key] = { now, task } */
	JEQ(R0, 0, "stored"),
	LOOKUP_OR("who", key, "store"),			/* gone again, or there is no room */
	LOAD(R1, R0, struct who, task.time),
	BPF_ALU64_REG(BPF_SUB, R8, R1),
	BPF_ALU64_IMM(BPF_RSH, R8, QUEUE_SHIFT),
	JNE(R8, 0, "store"),				/* too old to be true: one was merged */
	SET(who.task.time, R1),		/* one waits there: DOUBT, and no task but the same one */
	LOAD(R6, R0, struct who, waiting),
	BPF_ALU64_IMM(BPF_ADD, R6, 1),
	BPF_ALU64_IMM(BPF_OR, R6, DOUBT),
	SET(who.waiting, R6),
	LOAD(R1, R0, struct who, task.pid_tgid),
	SET(who.task.pid_tgid, R9),
	JEQ_REG(R1, R9, "store"),
	NOBODY(who.task),
LABEL("store"),
	STORE("who", key, who),
LABEL("stored"),
	JUMP_UNLESS("filtered", "out"),
	JNE(R6, 1, "out"),
	FILTER(R9),
	LOOKUP_OR("who", key, "out"),			/* who[key].task = who was asked for */
	PUT(R0, struct who, task.pid_tgid, R9),
LABEL("out"),
	EXIT,
};

static const struct insn on_frontmerge[] = {
	REQUEST_KEY(record.rwbs, "out"),
	MOVE_FRONT("who", who, "out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_merge[] = {
	REQUEST_KEY(record.rwbs, "out"),
	FORGET_MERGED("who", struct who, "out"),
LABEL("out"),
	EXIT,
};

/* who = take who[key], as far as it is known and not in doubt. A flush has none. */
#define TAKE_WHO \
	SET_IMM(who.task.time, 0), \
	NOBODY(who.task), \
	LOOKUP_OR("who", key, ".taken"), \
	COPY_FROM(who.task, R0, struct who, task), \
	LOAD(R9, R0, struct who, waiting), \
	JEQ(R9, 1, ".last"), \
	SET_IMM(who.task.time, 0), \
	ONE_LESS_WAITS(struct who, ".last"), \
	JUMP(".taken"), \
	LABEL(".last"), \
	DELETE("who", key), \
	LABEL(".taken")

static const struct insn on_issue[] = {
	REQUEST_KEY(record.rwbs, "out"),
	FIELD(R8, "time"),
	LOOKUP_OR("start", key, "new"),			/* s = start[key] */
	LOAD(R1, R0, struct start, time),
	JNE(R1, 0, "another"),
	COPY_ALL(start, R0),				/* issued again: s.time = now */
	SET(start.time, R8),
	JUMP("store"),

LABEL("another"),
	BPF_MOV64_REG(R2, R8),
	BPF_ALU64_REG(BPF_SUB, R2, R1),
	BPF_ALU64_IMM(BPF_RSH, R2, DEVICE_SHIFT),
	JEQ(R2, 0, "new"),
	DELETE("start", key),				/* its end was never told */

LABEL("new"),					/* start[key] = { take who[key], now, sectors } */
	TAKE_WHO,
	COPY(start.task, who.task),
	SET(start.time, R8),
	SET(start.sectors, R7),
	SET(start.first, R6),
	SET(start.total, R7),
	STORE_NEW("start", key, start),
	JEQ(R0, 0, "out"),

	LOOKUP_OR("start", key, "store"), /* one more is under way: no task but the same one */
	COPY_ALL(start, R0),
	GET(R9, start.sectors),
	JSET(R9, OVERLAP, "more"),
	BPF_MOV64_IMM(R9, OVERLAP | 1),
LABEL("more"),
	BPF_ALU64_IMM(BPF_ADD, R9, 1),
	SET(start.sectors, R9),
	GET(R1, start.task.pid_tgid),
	GET(R2, who.task.pid_tgid),
	JEQ_REG(R1, R2, "store"),
	NOBODY(start.task),
LABEL("store"),
	STORE("start", key, start),
LABEL("out"),
	EXIT,
};

static const struct insn on_requeue[] = {
	REQUEST_KEY(record.rwbs, "out"),
	LOOKUP_OR("start", key, "out"),
	LOAD(R1, R0, struct start, sectors),
	JSET(R1, OVERLAP, "out"),			/* it will count twice there */
	PUT_IMM(R0, struct start, time, 0),		/* start[key].time = 0 */
LABEL("out"),
	EXIT,
};

/* reg = the time from FROM to TO; unknown if FROM is 0, or if the clocks of two CPUs disagree. */
#define ELAPSED(REG, TO, FROM) \
	BPF_MOV64_REG(REG, TO), \
	BPF_ALU64_REG(BPF_SUB, REG, FROM), \
	JEQ(FROM, 0, ".unknown"), \
	JSGE(REG, 0, ".elapsed"), \
	LABEL(".unknown"), \
	BPF_MOV64_IMM(REG, -1), \
	LABEL(".elapsed")

#define ADD_SUM(M) \
	GET(R1, sums.M), \
	XADD(R0, struct biotop_sums, M, R1)

/* r6: the task's pid_tgid; r7: bytes; r8: latency, -1: unknown. */
#define OUTPUT_RECORD \
	SET(record.pid_tgid, R6), \
	SET(record.bytes, R7), \
	SET(record.latency, R8), \
	SET_BYTES(record.rwbs, "rwbs"), \
	COPY(record.comm, start.task.comm), \
	COPY(record.dev, key.dev), \
	COPY(record.operation, key.operation), \
	COPY(record.sector, start.first), \
	OUTPUT("events", record)

/* The same registers; r8 becomes 0 where it is unknown. */
#define SUM_UP \
	COPY(top.comm, start.task.comm), \
	COPY(top.dev, key.dev), \
	COPY(top.operation, key.operation), \
	BPF_ALU64_IMM(BPF_RSH, R6, 32), \
	SET(top.pid, R6), \
	SET_EPOCH(top.epoch), \
	BPF_MOV64_IMM(R6, 1), \
	JNE(R8, -1, ".timed"), \
	BPF_MOV64_IMM(R8, 0), \
	BPF_MOV64_IMM(R6, 0), \
	LABEL(".timed"), \
	SET_IMM(sums.requests, 1), \
	SET(sums.bytes, R7), \
	SET(sums.timed, R6), \
	SET(sums.latency, R8), \
	LOOKUP("sums", top), \
	JNE(R0, 0, ".found"), \
	STORE_NEW("sums", top, sums), \
	JEQ(R0, 0, ".summed"), \
	LOOKUP("sums", top),				/* made by another CPU, or no room */ \
	JNE(R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(".summed"), \
	LABEL(".found"), \
	ADD_SUM(requests), \
	ADD_SUM(bytes), \
	ADD_SUM(timed), \
	ADD_SUM(latency), \
	LABEL(".summed")

static const struct insn on_done[] = {
	REQUEST_KEY(record.rwbs, "out"),
	FIELD(R9, "time"),
	SET(record.time, R9),
	BPF_MOV64_IMM(R8, -1),			/* latency, time in the queue: not known yet */
	SET(record.queued, R8),
	NOBODY(start.task),
	SET(start.first, R6),
	SET(start.total, R7),
	LOOKUP_OR("start", key, "done"),		/* s = start[key] */
	COPY_ALL(start, R0),
	GET(R9, start.sectors),
	JSET(R9, OVERLAP, "overlap"),
	DELETE("start", key),
	JGE_REG(R7, R9, "whole"),

	BPF_ALU64_REG(BPF_SUB, R9, R7),		/* part of it: the rest waits at sector + sectors */
	BPF_ALU64_REG(BPF_ADD, R6, R7),
	SET(key.sector, R6),
	SET(start.sectors, R9),
	STORE("start", key, start),
	JUMP("out"),

LABEL("overlap"),					/* one of several: one less is under way */
	SET(start.first, R6),
	SET(start.total, R7),
	BPF_ALU64_IMM(BPF_SUB, R9, 1),
	SET(start.sectors, R9),
	BPF_ALU64_IMM(BPF_AND, R9, OVERLAP - 1),
	JEQ(R9, 0, "last"),
	STORE("start", key, start),
	JUMP("done"),
LABEL("last"),
	DELETE("start", key),
	JUMP("done"),

LABEL("whole"),
	GET(R6, start.time),
	GET(R1, record.time),
	ELAPSED(R8, R1, R6),				/* latency = now - s.time */
	GET(R7, start.task.time),
	ELAPSED(R1, R6, R7),				/* queued = s.time - s.task.time */
	SET(record.queued, R1),

LABEL("done"),
	GET(R6, start.task.pid_tgid),
	JUMP_UNLESS("filtered", "everybody"),		/* if (not asked for) out */
	JEQ(R6, -1, "out"),
LABEL("everybody"),
	GET(R7, start.total),
	BPF_ALU64_IMM(BPF_MUL, R7, 512),
	JUMP_UNLESS("snoop", "sum"),
	JUMP_UNLESS("min_ns", "any"),
	CONST(R4, "min_ns"),
	JSLT_REG(R8, R4, "out"),			/* if (latency < min or unknown) out */
LABEL("any"),
	OUTPUT_RECORD,
LABEL("sum"),
	JUMP_UNLESS("sum", "out"),
	SUM_UP,				/* sums[task, dev, operation] += { 1, bytes, latency } */
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("block.request", on_request, .option = "everybody", .optional = true),
	/* without it no task that was asked for would be known */
	PROGRAM("block.request", on_request, .option = "filtered"),
	PROGRAM("block.frontmerge", on_frontmerge, .spare = true),
	PROGRAM("block.merge", on_merge, .spare = true),
	PROGRAM("block.issue", on_issue),
	PROGRAM("block.requeue", on_requeue, .spare = true),
	PROGRAM("block.done", on_done),
	{ }
};

const struct program_set biosnoop_programs = { programs, snoop_maps };
const struct program_set biotop_programs = { programs, top_maps };
