/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_DISK_H
#define SONDE_INSNS_DISK_H

#include <stddef.h>

#include "insns/common.h"

/*
 * What programs share that follow requests to disks. Events do not say which request they are
 * about: it is known by its device, its operation and its first sector. Several may be under way
 * with one key at the same time; these can't be told apart. The value of what waits for its issue
 * has in it `waiting`: how many there are, with DOUBT: there were more than one.
 *
 * A request that is merged into another one is never issued: block.merge says so where the kernel
 * does (5.10). Else what it left is overwritten by the next request with its key once it is older
 * than any queue, or gives way.
 */
struct disk_key {
	uint32_t dev;
	uint32_t operation;
	uint64_t sector;
};

#define DISK_WAITING 16384	/* requests that wait for their issue, and what merged ones left */
#define DISK_REQUESTS 10240	/* requests under way */

#define DOUBT 0x40000000
#define QUEUE_SHIFT 33		/* 8.6 s: longer than a request waits before it is issued */
#define DEVICE_SHIFT 35		/* 34 s: longer than a device is given */

/*
 * The frame has a `struct disk_key key`; frame.key = { dev, operation, sector }, unless the user
 * asked for another disk; r6 = sector, r7 = sectors, frame.RWBS = rwbs. The operation is the first
 * letter of rwbs, or the second if the first one says that a flush goes ahead. Requests without
 * sectors are left out (commands that programs hand to the device) but for flushes: these are
 * issued as sector 0 and done as the last sector there could be.
 */
#define REQUEST_KEY(RWBS) \
	FIELD(R6, "dev"), \
	JUMP_UNLESS("dev", ".any"), \
	CONST(R1, "dev"), \
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"), \
	LABEL(".any"), \
	SET(key.dev, R6), \
	FIELD(R6, "sector"), \
	FIELD(R7, "sectors"), \
	SET_BYTES(RWBS, "rwbs"), \
	GET(R1, RWBS[0]), \
	JUMP_IF(BPF_JNE, R1, 'F', ".operation"), \
	GET(R2, RWBS[1]), \
	JUMP_IF(BPF_JEQ, R2, 0, ".operation"), \
	BPF_MOV64_REG(R1, R2), \
	LABEL(".operation"), \
	SET(key.operation, R1), \
	JUMP_IF(BPF_JNE, R7, 0, ".sectors"), \
	JUMP_IF(BPF_JNE, R1, 'F', "out"), \
	BPF_MOV64_IMM(R6, 0), \
	LABEL(".sectors"), \
	SET(key.sector, R6)

/*
 * block.frontmerge, behind REQUEST_KEY: the request behind the I/O now begins where the I/O does.
 * frame.VALUE: room for what waits there.
 */
#define MOVE_FRONT(NAME, VALUE) \
	BPF_MOV64_REG(R8, R6), \
	BPF_ALU64_REG(BPF_ADD, R6, R7), \
	SET(key.sector, R6),				/* where the request began until now */ \
	LOOKUP(NAME, key), \
	JUMP_IF(BPF_JEQ, R0, 0, "out"), \
	COPY_ALL(VALUE, R0), \
	DELETE(NAME, key), \
	SET(key.sector, R8), \
	STORE(NAME, key, VALUE)				/* map[dev, sector] = what was there */

/*
 * One of those that wait at r0, a TYPE, does so no longer; r9 = `waiting` as it is left. Goes to
 * ".last" for the last one, which the caller deletes, and on otherwise.
 */
#define ONE_LESS_WAITS(TYPE) \
	LOAD(R9, R0, TYPE, waiting), \
	BPF_ALU64_IMM(BPF_SUB, R9, 1), \
	JUMP_IF(BPF_JEQ, R9, 0, ".last"), \
	JUMP_IF(BPF_JEQ, R9, DOUBT, ".last"), \
	PUT(R0, TYPE, waiting, R9)

/* block.merge, behind REQUEST_KEY: the request is part of another one, which has its own key. */
#define FORGET_MERGED(NAME, TYPE) \
	LOOKUP(NAME, key), \
	JUMP_IF(BPF_JEQ, R0, 0, "out"), \
	ONE_LESS_WAITS(TYPE), \
	JUMP("out"), \
	LABEL(".last"), \
	DELETE(NAME, key)

#endif
