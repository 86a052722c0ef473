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

/* Registers of on_request, beside those of disk.h. */
enum { N_WAITING = R6, NOW = R8, AGE = R8, TASK = R9 };

/*
 * If the user asked for some tasks, the requests of others are followed too, with a task of -1: of
 * two requests with one key it must not be guessed which is whose.
 */
static const struct insn on_request[] = {
	REQUEST_KEY(record.rwbs, "out"),
	JEQ(N_SECTORS, 0, "out"),			/* a flush has no task */
	FIELD(TASK, "pid_tgid"),
	FIELD(NOW, "time"),
	SET(who.task.time, NOW),
	SET(who.task.pid_tgid, TASK),
	SET_BYTES(who.task.comm, "comm"),
	JUMP_UNLESS("filtered", "known"),
	BPF_MOV64_IMM(R1, -1),				/* until the filter lets it in */
	SET(who.task.pid_tgid, R1),
LABEL("known"),
	BPF_MOV64_IMM(N_WAITING, 1),
	SET(who.waiting, N_WAITING),
	STORE_NEW("who", key, who),			/* who[key] = { now, task } */
	JEQ(R0, 0, "stored"),
	LOOKUP_OR("who", key, "store"),			/* gone again, or there is no room */
	LOAD(R1, R0, struct who, task.time),
	BPF_ALU64_REG(BPF_SUB, NOW, R1),
	BPF_ALU64_IMM(BPF_RSH, AGE, QUEUE_SHIFT),
	JNE(AGE, 0, "store"),				/* too old to be true: one was merged */
	SET(who.task.time, R1),		/* one waits there: DOUBT, and no task but the same one */
	LOAD(N_WAITING, R0, struct who, waiting),
	BPF_ALU64_IMM(BPF_ADD, N_WAITING, 1),
	BPF_ALU64_IMM(BPF_OR, N_WAITING, DOUBT),
	SET(who.waiting, N_WAITING),
	LOAD(R1, R0, struct who, task.pid_tgid),
	SET(who.task.pid_tgid, TASK),
	JEQ_REG(R1, TASK, "store"),
	NOBODY(who.task),
LABEL("store"),
	STORE("who", key, who),
LABEL("stored"),
	JUMP_UNLESS("filtered", "out"),
	JNE(N_WAITING, 1, "out"),
	FILTER(TASK),
	LOOKUP_OR("who", key, "out"),			/* who[key].task = who was asked for */
	PUT(R0, struct who, task.pid_tgid, TASK),
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
	LOAD(WAITING, R0, struct who, waiting), \
	JEQ(WAITING, 1, ".last"), \
	SET_IMM(who.task.time, 0), \
	ONE_LESS_WAITS(struct who, ".last"), \
	JUMP(".taken"), \
	LABEL(".last"), \
	DELETE("who", key), \
	LABEL(".taken")

/* A register of on_issue: sectors to come, or how many requests, with OVERLAP. */
enum { TO_COME = R9 };

static const struct insn on_issue[] = {
	REQUEST_KEY(record.rwbs, "out"),
	FIELD(NOW, "time"),
	LOOKUP_OR("start", key, "new"),			/* s = start[key] */
	LOAD(R1, R0, struct start, time),
	JNE(R1, 0, "another"),
	COPY_ALL(start, R0),				/* issued again: s.time = now */
	SET(start.time, NOW),
	JUMP("store"),

LABEL("another"),
	BPF_MOV64_REG(R2, NOW),
	BPF_ALU64_REG(BPF_SUB, R2, R1),
	BPF_ALU64_IMM(BPF_RSH, R2, DEVICE_SHIFT),
	JEQ(R2, 0, "new"),
	DELETE("start", key),				/* its end was never told */

LABEL("new"),					/* start[key] = { take who[key], now, sectors } */
	TAKE_WHO,
	COPY(start.task, who.task),
	SET(start.time, NOW),
	SET(start.sectors, N_SECTORS),
	SET(start.first, SECTOR),
	SET(start.total, N_SECTORS),
	STORE_NEW("start", key, start),
	JEQ(R0, 0, "out"),

	LOOKUP_OR("start", key, "store"), /* one more is under way: no task but the same one */
	COPY_ALL(start, R0),
	GET(TO_COME, start.sectors),
	JSET(TO_COME, OVERLAP, "more"),
	BPF_MOV64_IMM(TO_COME, OVERLAP | 1),
LABEL("more"),
	BPF_ALU64_IMM(BPF_ADD, TO_COME, 1),
	SET(start.sectors, TO_COME),
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

/* Registers of on_done, beside SECTOR, N_SECTORS and TO_COME. */
enum {
	ISSUED = R6, MADE = R7,		/* times */
	OWNER = R6,			/* a pid_tgid */
	TIMED = R6,			/* 0: the latency is not known */
	BYTES = R7,
	LATENCY = R8,			/* ns, -1: not known */
	ENDED = R9,			/* a time */
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

/* output { OWNER, BYTES, LATENCY, ... } */
#define OUTPUT_RECORD \
	SET(record.pid_tgid, OWNER), \
	SET(record.bytes, BYTES), \
	SET(record.latency, LATENCY), \
	SET_BYTES(record.rwbs, "rwbs"), \
	COPY(record.comm, start.task.comm), \
	COPY(record.dev, key.dev), \
	COPY(record.operation, key.operation), \
	COPY(record.sector, start.first), \
	OUTPUT("events", record)

/* sums[task, dev, operation] += { 1, BYTES, TIMED, LATENCY, which becomes 0 if it is not known } */
#define SUM_UP \
	COPY(top.comm, start.task.comm), \
	COPY(top.dev, key.dev), \
	COPY(top.operation, key.operation), \
	BPF_ALU64_IMM(BPF_RSH, OWNER, 32), \
	SET(top.pid, OWNER), \
	SET_EPOCH(top.epoch), \
	BPF_MOV64_IMM(TIMED, 1), \
	JNE(LATENCY, -1, ".timed"), \
	BPF_MOV64_IMM(LATENCY, 0), \
	BPF_MOV64_IMM(TIMED, 0), \
	LABEL(".timed"), \
	SET_IMM(sums.requests, 1), \
	SET(sums.bytes, BYTES), \
	SET(sums.timed, TIMED), \
	SET(sums.latency, LATENCY), \
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

/* Only N_SECTORS of TO_COME are done: the rest waits at the sector behind them. */
#define REST_WAITS \
	BPF_ALU64_REG(BPF_SUB, TO_COME, N_SECTORS), \
	BPF_ALU64_REG(BPF_ADD, SECTOR, N_SECTORS), \
	SET(key.sector, SECTOR), \
	SET(start.sectors, TO_COME), \
	STORE("start", key, start)

/* One of several requests with this key is done: one less is under way there. May goto DONE. */
#define ONE_LESS_UNDER_WAY(DONE) \
	SET(start.first, SECTOR), \
	SET(start.total, N_SECTORS), \
	BPF_ALU64_IMM(BPF_SUB, TO_COME, 1), \
	SET(start.sectors, TO_COME), \
	BPF_ALU64_IMM(BPF_AND, TO_COME, OVERLAP - 1), \
	JEQ(TO_COME, 0, ".last"), \
	STORE("start", key, start), \
	JUMP(DONE), \
	LABEL(".last"), \
	DELETE("start", key)

static const struct insn on_done[] = {
	REQUEST_KEY(record.rwbs, "out"),
	FIELD(ENDED, "time"),
	SET(record.time, ENDED),
	BPF_MOV64_IMM(LATENCY, -1),		/* latency, time in the queue: not known yet */
	SET(record.queued, LATENCY),
	NOBODY(start.task),
	SET(start.first, SECTOR),
	SET(start.total, N_SECTORS),
	LOOKUP_OR("start", key, "done"),		/* s = start[key] */
	COPY_ALL(start, R0),
	GET(TO_COME, start.sectors),
	JSET(TO_COME, OVERLAP, "overlap"),
	DELETE("start", key),
	JGE_REG(N_SECTORS, TO_COME, "whole"),
	REST_WAITS,			/* start[sector + sectors] = { s, s.sectors - sectors } */
	JUMP("out"),

LABEL("overlap"),
	ONE_LESS_UNDER_WAY("done"),
	JUMP("done"),

LABEL("whole"),
	GET(ISSUED, start.time),
	GET(R1, record.time),
	ELAPSED(LATENCY, R1, ISSUED),			/* latency = now - s.time */
	GET(MADE, start.task.time),
	ELAPSED(R1, ISSUED, MADE),			/* queued = s.time - s.task.time */
	SET(record.queued, R1),

LABEL("done"),
	GET(OWNER, start.task.pid_tgid),
	JUMP_UNLESS("filtered", "everybody"),		/* if (not asked for) out */
	JEQ(OWNER, -1, "out"),
LABEL("everybody"),
	GET(BYTES, start.total),
	BPF_ALU64_IMM(BPF_MUL, BYTES, 512),
	JUMP_UNLESS("snoop", "sum"),
	JUMP_UNLESS("min_ns", "any"),
	CONST(R4, "min_ns"),
	JSLT_REG(LATENCY, R4, "out"),			/* if (latency < min or unknown) out */
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
