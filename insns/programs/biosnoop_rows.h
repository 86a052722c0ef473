/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOSNOOP_ROWS_H
#define SONDE_BIOSNOOP_ROWS_H

#include "insns/hist.h"
#include "insns/programs/biosnoop.h"

/* The results of biosnoop and biotop, however their programs tell one request from others. */

#define EVENTS_MAP \
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &biosnoop_record_layout }
#define SUMS_MAP \
	{ "sums", MAP_HASH, ROLE_RESULT, sizeof(struct biotop_key), sizeof(struct biotop_sums), \
	  10240, .key = &biotop_key_layout, .value = &biotop_sums_layout }

/* The task that made a request. */
struct task {
	u64 time;		/* when the task made it; 0: unknown */
	u64 pid_tgid;		/* or its WHOSE() */
	char comm[16];
};

/* frame.TASK = no task: pid_tgid is BIO_UNKNOWN. */
#define NOBODY(TASK) \
	BPF_MOV64_IMM(R1, -1), \
	SET(TASK.pid_tgid, R1), \
	ZERO(TASK.comm)

/*
 * With --by-cgroup TASK, a pid_tgid, becomes its `whose`. That of the idle task may be -1, which
 * would be nobody: then it becomes 0, which is unknown, too.
 */
#define WHOSE(TASK) \
	JUMP_UNLESS("by-cgroup", ".maker"), \
	FIELD(TASK, "whose"), \
	JNE(TASK, -1, ".maker"), \
	BPF_MOV64_IMM(TASK, 0), \
	LABEL(".maker")

/* Leaves the program unless the user asked for the current task. TASK is its WHOSE(). */
#define FILTER_WHOSE(TASK) \
	JUMP_UNLESS("by-cgroup", ".task"), \
	FIELD(TASK, "pid_tgid"), \
	LABEL(".task"), \
	FILTER(TASK), \
	WHOSE(TASK)

/*
 * frame.WHO = { now, the current task }; NOW and TASK are registers. If the user asked for some
 * tasks, it is -1 instead of the task: until the task has passed the filter.
 */
#define MADE_NOW(WHO) \
	FIELD(TASK, "pid_tgid"), \
	WHOSE(TASK), \
	FIELD(NOW, "time"), \
	SET(WHO.time, NOW), \
	SET(WHO.pid_tgid, TASK), \
	SET_BYTES(WHO.comm, "comm"), \
	JUMP_UNLESS("filtered", ".known"), \
	BPF_MOV64_IMM(R1, -1), \
	SET(WHO.pid_tgid, R1), \
	LABEL(".known")

/* Registers of a request that is done. */
enum {
	ISSUED = R6, MADE = R7,		/* times */
	OWNER = R6,			/* a pid_tgid, or its WHOSE() */
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

/* frame.record.time = ENDED = now; the latency and the time in the queue are not known yet. */
#define DONE_NOW \
	FIELD(ENDED, "time"), \
	SET(record.time, ENDED), \
	BPF_MOV64_IMM(LATENCY, -1), \
	SET(record.queued, LATENCY)

/* LATENCY and frame.record.queued, of frame.start and the time of the end, a register. */
#define LATENCIES(END) \
	GET(ISSUED, start.time), \
	ELAPSED(LATENCY, END, ISSUED),			/* latency = end - start.time */ \
	GET(MADE, start.task.time), \
	ELAPSED(R1, ISSUED, MADE),		/* queued = start.time - start.task.time */ \
	SET(record.queued, R1)

/* OWNER = who made the request of frame.start. If the user did not ask for that task, goto OUT. */
#define ASKED_FOR(OUT) \
	GET(OWNER, start.task.pid_tgid), \
	JUMP_UNLESS("filtered", ".everybody"), \
	JEQ(OWNER, -1, OUT), \
	LABEL(".everybody")

#define ADD_SUM(M) \
	GET(R1, sums.M), \
	XADD(R0, struct biotop_sums, M, R1)

/* frame.top = whose request frame.start was. */
#define TOP_OWNER \
	JUMP_UNLESS("by-cgroup", ".process"), \
	ZERO(top.comm), \
	JSGE(OWNER, 0, ".owned"),			/* a group's id, not a thread's */ \
	GET(R1, start.task.time), \
	GET(R2, record.time), \
	BPF_ALU64_REG(BPF_SUB, R2, R1), \
	JLE(R2, BIO_OWNED, ".owned"), \
	BPF_MOV64_IMM(OWNER, 0), \
	JUMP(".owned"), \
	LABEL(".process"), \
	COPY(top.comm, start.task.comm), \
	BPF_ALU64_IMM(BPF_RSH, OWNER, 32), \
	LABEL(".owned"), \
	SET(top.owner, OWNER)

/* sums[task, dev, operation] += { 1, BYTES, TIMED, LATENCY }; an unknown LATENCY becomes 0. */
#define SUM_UP \
	COPY(top.dev, record.dev), \
	COPY(top.operation, record.operation), \
	SET_IMM(top.unused, 0), \
	TOP_OWNER, \
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

/*
 * biosnoop: outputs frame.record, unless the user asked for longer ones. biotop: adds it up. OWNER,
 * BYTES and LATENCY are not in the record yet, nor frame.start.task.comm.
 */
#define SHOW_REQUEST \
	JUMP_UNLESS("snoop", ".sum"), \
	JUMP_UNLESS("min_ns", ".any"), \
	CONST(R4, "min_ns"), \
	JSLT_REG(LATENCY, R4, ".shown"),	/* if (latency < min or unknown) out */ \
	LABEL(".any"), \
	SET(record.pid_tgid, OWNER), \
	SET(record.bytes, BYTES), \
	SET(record.latency, LATENCY), \
	COPY(record.comm, start.task.comm), \
	OUTPUT("events", record), \
	LABEL(".sum"), \
	JUMP_UNLESS("sum", ".shown"), \
	SUM_UP, \
	LABEL(".shown")

#endif
