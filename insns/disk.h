/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_DISK_H
#define SONDE_INSNS_DISK_H

#include <stddef.h>

#include "insns/common.h"

/*
 * For programs that follow requests to disks. Events do not say which request they are about: its
 * device, operation and first sector are its key. Several requests with one key may be under way at
 * the same time; these can't be told apart. `waiting` in the value of those that wait for their
 * issue is how many there are; DOUBT: there were more than one.
 *
 * A request that is merged into another one is never issued: block.merge says so where the kernel
 * does (5.10). Else the next request with its key overwrites its entry once that is older than any
 * request in a queue, or the entry gives way.
 */
struct disk_key {
	uint32_t dev;
	uint32_t operation;
	u64 sector;
};

#define DISK_WAITING 16384	/* requests that wait for their issue, and entries of merged ones */
/*
 * Requests under way; a power of two, as buckets are. Each request is in another bucket: twice as
 * many take so much more of the CPU's cache that a request costs 7 % more.
 */
#define DISK_REQUESTS 4096

#define DOUBT 0x40000000
#define QUEUE_SHIFT 33		/* 8.6 s: longer than a request waits before it is issued */
#define DEVICE_SHIFT 35		/* 34 s: longer than the kernel waits for a device */

/*
 * Registers: REQUEST_KEY sets the request's first sector, and how many there are; the other macros
 * need two more.
 */
enum { DISK = R6, SECTOR = R6, N_SECTORS = R7, FRONT = R8, WAITING = R9 };

/*
 * if (SECTOR is -1, N_SECTORS 0 and OPERATION 'W') RWBS[1] = OPERATION = 'F'; RWBS begins with F.
 * Who asked for a flush is done without sectors as well, but has sector 0.
 */
#define FLUSH_IF_NOWHERE(RWBS, OPERATION) \
	JNE(SECTOR, -1, ".somewhere"), \
	JNE(N_SECTORS, 0, ".somewhere"), \
	JNE(OPERATION, 'W', ".somewhere"), \
	BPF_MOV64_IMM(OPERATION, 'F'), \
	SET(RWBS[1], OPERATION), \
	LABEL(".somewhere")

/*
 * The frame has a `struct disk_key key`. frame.key = { dev, operation, sector }; goes to OUT if the
 * user asked for another disk. The operation is the first letter of rwbs, or the second if the
 * first one says that a flush goes ahead: RWBS has these two.
 * Requests without sectors (commands that programs send to the device) are left out, except
 * flushes: these are issued with sector 0, and done with the last possible sector. Before 4.8 a
 * flush is no operation of its own, but a write of no sectors at the last possible one, behind a
 * flush.
 */
#define REQUEST_KEY(RWBS, OUT) \
	FIELD(DISK, "dev"), \
	JUMP_UNLESS("dev", ".any"), \
	CONST(R1, "dev"), \
	JNE_REG(DISK, R1, OUT), \
	LABEL(".any"), \
	SET(key.dev, DISK), \
	FIELD(SECTOR, "sector"), \
	FIELD(N_SECTORS, "sectors"), \
	SET_BYTES_N(RWBS, "rwbs", 2), \
	GET(R1, RWBS[0]), \
	JNE(R1, 'F', ".operation"), \
	GET(R2, RWBS[1]), \
	JEQ(R2, 0, ".operation"), \
	FLUSH_IF_NOWHERE(RWBS, R2), \
	BPF_MOV64_REG(R1, R2), \
	LABEL(".operation"), \
	SET(key.operation, R1), \
	JNE(N_SECTORS, 0, ".sectors"), \
	JNE(R1, 'F', OUT), \
	BPF_MOV64_IMM(SECTOR, 0), \
	LABEL(".sectors"), \
	SET(key.sector, SECTOR)

/*
 * block.frontmerge, behind REQUEST_KEY: the request behind the I/O now begins where the I/O does.
 * frame.VALUE: room for the entry that waits there.
 */
#define MOVE_FRONT(NAME, VALUE, OUT) \
	BPF_MOV64_REG(FRONT, SECTOR), \
	BPF_ALU64_REG(BPF_ADD, SECTOR, N_SECTORS), \
	SET(key.sector, SECTOR),			/* where the request began until now */ \
	LOOKUP_OR(NAME, key, OUT), \
	COPY_ALL(VALUE, R0), \
	DELETE(NAME, key), \
	SET(key.sector, FRONT), \
	STORE(NAME, key, VALUE)				/* map[dev, sector] = what was there */

/*
 * One request fewer waits at r0, a TYPE; WAITING = how many are left. Goes to LAST if none
 * waits any more: the caller deletes the entry.
 */
#define ONE_LESS_WAITS(TYPE, LAST) \
	LOAD(WAITING, R0, TYPE, waiting), \
	BPF_ALU64_IMM(BPF_SUB, WAITING, 1), \
	JEQ(WAITING, 0, LAST), \
	JEQ(WAITING, DOUBT, LAST), \
	PUT(R0, TYPE, waiting, WAITING)

/* block.merge, behind REQUEST_KEY: the request is part of another one, which has its own key. */
#define FORGET_MERGED(NAME, TYPE, OUT) \
	LOOKUP_OR(NAME, key, OUT), \
	ONE_LESS_WAITS(TYPE, ".last"), \
	JUMP(OUT), \
	LABEL(".last"), \
	DELETE(NAME, key)

#endif
