/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_DISK_H
#define SONDE_INSNS_DISK_H

#include <stddef.h>

#include "insns/common.h"
#include "insns/disk_maps.h"

/*
 * For programs that follow requests to disks by events that do not identify the request;
 * insns/request.h is for those that do. Its key is its device, operation and first sector. Several
 * requests with one key may be under way at the same time; they can't be told apart. The value of a
 * request that waits for its issue has the number of such requests in `waiting`; DOUBT is set if
 * there was more than one.
 *
 * A request that is merged into another one is never issued: block.merge reports it on kernels
 * since 5.10. On older kernels its entry is overwritten by the next request with its key, once the
 * entry is older than any request in a queue; or it is evicted.
 */
struct disk_key {
	uint32_t dev;
	uint32_t operation;
	u64 sector;
};

#define DOUBT 0x40000000
#define QUEUE_SHIFT 33		/* 8.6 s: longer than a request waits for its issue */
#define DEVICE_SHIFT 35		/* 34 s: longer than the kernel waits for a device */
/*
 * Registers: REQUEST_KEY sets SECTOR and N_SECTORS of the request; the other macros use two more
 * registers.
 */
enum { DISK = R6, SECTOR = R6, N_SECTORS = R7, FRONT = R8, WAITING = R9 };

/*
 * if (SECTOR is -1, N_SECTORS 0 and OPERATION 'W') RWBS[1] = OPERATION = 'F'. RWBS begins with F.
 * A request by a program to flush is completed without sectors as well, but has sector 0.
 */
#define FLUSH_IF_NOWHERE(RWBS, OPERATION) \
	JNE(SECTOR, -1, ".somewhere"), \
	JNE(N_SECTORS, 0, ".somewhere"), \
	JNE(OPERATION, 'W', ".somewhere"), \
	BPF_MOV64_IMM(OPERATION, 'F'), \
	SET(RWBS[1], OPERATION), \
	LABEL(".somewhere")

/*
 * frame.key = { dev, operation, sector }; if the user asked for another disk, goto OUT. `key` is a
 * struct disk_key. The operation is the first letter of rwbs; if that is F, a flush goes ahead, and
 * the second letter is the operation. RWBS, a member of the frame, gets these two letters.
 *
 * Requests without sectors (commands that programs send to the device) go to OUT, except flushes:
 * they are issued with sector 0, and completed with the last possible sector. Before 4.8 a flush is
 * not an operation, but a write of no sectors at the last possible one, behind a flush.
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
 * block.frontmerge, behind REQUEST_KEY: an I/O was put in front of a request, which now begins
 * where the I/O begins. Its entry moves to the new key. frame.VALUE is room for the entry.
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
 * One request fewer waits at r0, a TYPE; WAITING = the number left. If none is left, goto LAST,
 * where the caller deletes the entry.
 */
#define ONE_LESS_WAITS(TYPE, LAST) \
	LOAD(WAITING, R0, TYPE, waiting), \
	BPF_ALU64_IMM(BPF_SUB, WAITING, 1), \
	JEQ(WAITING, 0, LAST), \
	JEQ(WAITING, DOUBT, LAST), \
	PUT(R0, TYPE, waiting, WAITING)

/* block.merge, behind REQUEST_KEY: the request is now a part of another one, with its own key. */
#define FORGET_MERGED(NAME, TYPE, OUT) \
	LOOKUP_OR(NAME, key, OUT), \
	ONE_LESS_WAITS(TYPE, ".last"), \
	JUMP(OUT), \
	LABEL(".last"), \
	DELETE(NAME, key)

#endif
