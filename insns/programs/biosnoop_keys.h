/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOSNOOP_KEYS_H
#define SONDE_BIOSNOOP_KEYS_H

#include "insns/disk.h"
#include "insns/programs/biosnoop_rows.h"

/*
 * What biosnoop and biotop need because a request's key is made of what its events show. Two
 * requests that are under way at the same time may have one key, and a key changes when the front
 * of a request does. A program whose key is the request itself needs nothing of this file.
 *
 * Two requests with one key can't be told apart: each has its line or is counted, but without a
 * latency, and without a task unless both have the same. The same holds for a request whose issue
 * was missed. If two CPUs race for an entry, the second one finds the entry of the first. Such a
 * race may lose what is known of a request, but never the request.
 *
 * The frame has `key`, `who` and `start`.
 */

/* Requests with one key that wait for their issue. */
struct who {
	struct task task;
	u64 waiting;	/* their number; with DOUBT: there was more than one */
};

/* A request under way, or several with one key. */
struct start {
	struct task task;
	u64 time;		/* of its issue; 0: to be issued again */
	u64 sectors;	/* still to come; with OVERLAP: the number of requests under way */
	u64 first;		/* sector */
	u64 total;		/* sectors */
};

#define OVERLAP 0x40000000	/* no request has as many sectors */

#define MADE_KEY_MAPS \
	{ "who", MAP_HASH, ROLE_HINT, sizeof(struct disk_key), sizeof(struct who), DISK_WAITING, \
	  .detail = true }, \
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct disk_key), sizeof(struct start), \
	  DISK_REQUESTS }

/* Registers beside those of disk.h. */
enum {
	N_WAITING = R6,			/* requests */
	NOW = R8, AGE = R8,		/* times, ns */
	TASK = R9,			/* a pid_tgid, or its WHOSE() */
	TO_COME = R9,			/* sectors; with OVERLAP: requests under way */
};

/*
 * TASK has made a request, frame.who, at NOW: who[key] = frame.who, N_WAITING = 1. If another
 * request with its key waits there, both are in doubt, and have no task unless both tasks are the
 * same; N_WAITING is greater than 1 then. An entry older than any request in a queue is replaced.
 */
#define WAIT_FOR_ISSUE(TASK) \
	BPF_MOV64_IMM(N_WAITING, 1), \
	SET(who.waiting, N_WAITING), \
	STORE_NEW("who", key, who), \
	JEQ(R0, 0, ".waits"), \
	LOOKUP_OR("who", key, ".store"),		/* gone again, or there is no room */ \
	LOAD(R1, R0, struct who, task.time), \
	BPF_ALU64_REG(BPF_SUB, RENAME(AGE, NOW), R1), \
	BPF_ALU64_IMM(BPF_RSH, AGE, QUEUE_SHIFT), \
	JNE(AGE, 0, ".store"),				/* too old: that request was merged */ \
	SET(who.task.time, R1), \
	LOAD(N_WAITING, R0, struct who, waiting), \
	BPF_ALU64_IMM(BPF_ADD, N_WAITING, 1), \
	BPF_ALU64_IMM(BPF_OR, N_WAITING, DOUBT), \
	SET(who.waiting, N_WAITING), \
	LOAD(R1, R0, struct who, task.pid_tgid), \
	SET(who.task.pid_tgid, TASK), \
	JEQ_REG(R1, TASK, ".store"), \
	NOBODY(who.task), \
	LABEL(".store"), \
	STORE("who", key, who), \
	LABEL(".waits")

/* who = take who[key], as far as known and not in doubt. A flush has no task. */
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

/*
 * The driver gave start[key] back, and the request is issued again: frame.start = start[key], but
 * with the time NOW, goto STORE_IT. A request whose end was missed is deleted.
 */
#define ISSUED_AGAIN(STORE_IT) \
	LOOKUP_OR("start", key, ".new"), \
	LOAD(R1, R0, struct start, time), \
	JNE(R1, 0, ".another"), \
	COPY_ALL(start, R0), \
	SET(start.time, NOW), \
	JUMP(STORE_IT), \
	LABEL(".another"), \
	BPF_MOV64_REG(R2, NOW), \
	BPF_ALU64_REG(BPF_SUB, R2, R1), \
	BPF_ALU64_IMM(BPF_RSH, R2, DEVICE_SHIFT), \
	JEQ(R2, 0, ".new"), \
	DELETE("start", key), \
	LABEL(".new")

/*
 * start[key] is another request with this key: frame.start = start[key], with one more request
 * under way, and without a task unless both tasks are the same. If the other one has just ended,
 * frame.start stays.
 */
#define ONE_MORE_UNDER_WAY \
	LOOKUP_OR("start", key, ".ended"), \
	COPY_ALL(start, R0), \
	GET(TO_COME, start.sectors), \
	JSET(TO_COME, OVERLAP, ".more"), \
	BPF_MOV64_IMM(TO_COME, OVERLAP | 1), \
	LABEL(".more"), \
	BPF_ALU64_IMM(BPF_ADD, TO_COME, 1), \
	SET(start.sectors, TO_COME), \
	GET(R1, start.task.pid_tgid), \
	GET(R2, who.task.pid_tgid), \
	JEQ_REG(R1, R2, ".ended"), \
	NOBODY(start.task), \
	LABEL(".ended")

/* Only N_SECTORS of TO_COME are done: the rest waits at the next sector. */
#define REST_WAITS \
	BPF_ALU64_REG(BPF_SUB, TO_COME, N_SECTORS), \
	BPF_ALU64_REG(BPF_ADD, SECTOR, N_SECTORS), \
	SET(key.sector, SECTOR), \
	SET(start.sectors, TO_COME), \
	STORE("start", key, start)

/*
 * One of several requests with this key is done: one less is under way. If any are left, goto DONE.
 */
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

#endif
