/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOLATENCY_KEYS_H
#define SONDE_BIOLATENCY_KEYS_H

#include <errno.h>

#include "insns/disk.h"

/*
 * What biolatency needs because a request's key is made of what its events show. Two requests that
 * are under way at the same time may have one key, and a key changes when the front of a request
 * does. A program whose key is the request itself needs nothing of this file.
 *
 * Requests with one key can't be told apart. They are counted without a time, like a request whose
 * time in the queue is in doubt.
 *
 * Most requests are alone. A hash takes a lock to add a request, and another one to delete it. So
 * if the kernel can compare and exchange (5.12), a request goes into the array `slots`, if `start`
 * is empty and its slot is free: one instruction takes the slot, and one gives it back. A second
 * request with the key moves the first one to `start`, which can hold several. `started` counts the
 * entries of `start`.
 *
 * The frame has `key`, `waiting`, `start`, `older`, `who`, `index` and `slot`.
 */

/* A request in `start`. */
struct start {
	u64 time;		/* with OVERLAP_BIT: there were several, whose times are unknown */
	uint32_t sectors;	/* still to come, and the flags below */
	uint32_t under_way;	/* number of requests */
};

#define OVERLAP_BIT 63	/* makes the time a negative number */

/* Flags of start.sectors. */
#define AGAIN 0x20000000	/* the driver gave the request back: it will be issued again */
#define UNTIMED 0x10000000	/* its time in the queue is in doubt */
#define LEFT (UNTIMED - 1)	/* a mask: the sectors still to come */

/* Requests with one key in `queue`. */
struct waiting {
	u64 time;
	u64 waiting;		/* their number; with DOUBT: there was more than one */
};

/* A request in `slots`. */
struct slot {
	u64 who;		/* its key as one number; 0: the slot is free */
	u64 time;
	u64 sectors;
};

/* Bits of that number for the sector, the operation (a letter) and the device. */
#define SECTOR_BITS 40
#define LETTER_BITS 5
#define MAJOR_BITS 9
#define MINOR_BITS 10
#define BELOW_SECTOR (LETTER_BITS + MAJOR_BITS + MINOR_BITS)
#define DEV_MINOR_BITS 20	/* of the kernel's dev_t */

_Static_assert(SECTOR_BITS + BELOW_SECTOR == 64, "a key is one number");

#define MADE_KEY_MAPS \
	{ "queue", MAP_HASH, ROLE_HINT, sizeof(struct disk_key), sizeof(struct waiting), \
	  DISK_WAITING }, \
	{ "start", MAP_HASH, ROLE_JOIN, sizeof(struct disk_key), sizeof(struct start), \
	  DISK_REQUESTS }, \
	{ "slots", MAP_ARRAY, ROLE_TABLE, 4, sizeof(struct slot), 1 << SLOT_BITS }, \
	{ "started", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 },		/* number of entries of `start` */ \
	{ "overlaps", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 }		/* not 0: there were overlaps */

/* Registers beside those of disk.h. */
enum {
	SLOT_AT = R6,			/* the address of a struct slot */
	NOW = R8, AGE = R8, BEGAN = R8,	/* times, ns */
	TO_COME = R9,			/* a request's sectors, and its flags */
};

/* frame.START becomes a single request; its time and sectors are already set. */
#define ALONE(START) SET_IMM(START.under_way, 1)

/*
 * start[key] = frame.START if the key is new; r0 = 0, or an error if it is not, or there is no
 * room.
 */
#define ENTER(START) \
	STORE_NEW("start", key, START), \
	JUMP_UNLESS("cmpxchg", ".not_entered"), \
	JNE(R0, 0, ".not_entered"), \
	ADD_NUMBER("started", index, 1, ".uncounted"), \
	LABEL(".uncounted"), \
	BPF_MOV64_IMM(R0, 0), \
	LABEL(".not_entered")

/* delete start[key] */
#define LEAVE \
	DELETE("start", key), \
	JUMP_UNLESS("cmpxchg", ".not_left"), \
	JNE(R0, 0, ".not_left"), \
	ADD_NUMBER("started", index, -1, ".not_left"), \
	LABEL(".not_left")

/* Behind ENTER: if the map is full, that is counted. */
#define COUNT_UNLESS_ENTERED \
	JEQ(R0, 0, ".entered"), \
	JEQ(R0, -EEXIST, ".entered"), \
	COUNT_FULL, \
	LABEL(".entered")

/*
 * Behind REQUEST_KEY: frame.who = the key as one number, r0 = address of its slot. If there are no
 * slots, or if the key does not fit the number, goto OUT. The slot is chosen by the device and the
 * sector's page, multiplied by a number that mixes the bits.
 */
#define SLOT(OUT) \
	JUMP_UNLESS("cmpxchg", OUT), \
	GET(R2, key.sector), \
	BPF_MOV64_REG(R1, R2), \
	BPF_ALU64_IMM(BPF_RSH, R1, SECTOR_BITS), \
	JNE(R1, 0, OUT), \
	BPF_ALU64_IMM(BPF_LSH, R2, BELOW_SECTOR), \
	GET(R1, key.operation), \
	BPF_ALU64_IMM(BPF_AND, R1, (1 << LETTER_BITS) - 1), \
	BPF_ALU64_IMM(BPF_LSH, R1, MAJOR_BITS + MINOR_BITS), \
	BPF_ALU64_REG(BPF_OR, R2, R1), \
	GET(R1, key.dev), \
	BPF_MOV64_REG(R3, R1), \
	BPF_ALU64_IMM(BPF_RSH, R3, DEV_MINOR_BITS), \
	JGT(R3, (1 << MAJOR_BITS) - 1, OUT), \
	BPF_ALU64_IMM(BPF_LSH, R3, MINOR_BITS), \
	BPF_ALU64_REG(BPF_OR, R2, R3), \
	BPF_ALU64_IMM(BPF_AND, R1, (1 << DEV_MINOR_BITS) - 1), \
	JGT(R1, (1 << MINOR_BITS) - 1, OUT), \
	BPF_ALU64_REG(BPF_OR, R2, R1), \
	SET(who, R2), \
	BPF_MOV64_REG(R1, R2), \
	BPF_ALU64_IMM(BPF_RSH, R1, BELOW_SECTOR + 3), \
	BPF_ALU64_REG(BPF_XOR, R2, R1), \
	SLOT_OF_R2(OUT)
/* Frees the slot at BASE. If frame.who does not have it, or not any more, goto OUT. */
#define GIVE_BACK(BASE, OUT) \
	GET(R0, who), \
	BPF_MOV64_REG(R2, R0), \
	BPF_MOV64_IMM(R1, 0), \
	CMPXCHG(BASE, struct slot, who, R1), \
	JNE_REG(R0, R2, OUT)

/*
 * A request, frame.waiting, has come into the queue at NOW: queue[key] = frame.waiting. If another
 * request with its key waits there, both are in doubt. An entry older than any request in a queue
 * is replaced.
 */
#define WAIT_IN_QUEUE \
	STORE_NEW("queue", key, waiting), \
	JEQ(R0, 0, ".waits"), \
	LOOKUP_OR("queue", key, ".replace"),	/* gone again, or there is no room */ \
	LOAD(R1, R0, struct waiting, time), \
	BPF_ALU64_REG(BPF_SUB, RENAME(AGE, NOW), R1), \
	BPF_ALU64_IMM(BPF_RSH, AGE, QUEUE_SHIFT), \
	JNE(AGE, 0, ".replace"), \
	LOAD(R1, R0, struct waiting, waiting), \
	BPF_ALU64_IMM(BPF_ADD, R1, 1), \
	BPF_ALU64_IMM(BPF_OR, R1, DOUBT), \
	PUT(R0, struct waiting, waiting, R1), \
	JUMP(".waits"), \
	LABEL(".replace"), \
	STORE("queue", key, waiting), \
	LABEL(".waits")

/*
 * BEGAN = take queue[key].time. BEGAN stays if the user did not ask for the time in the queue, or
 * if no request waits there. If the time is in doubt, BEGAN stays too, and N_SECTORS gets UNTIMED.
 */
#define TAKE_QUEUED \
	JUMP_UNLESS("queued", ".now"), \
	LOOKUP_OR("queue", key, ".now"), \
	LOAD(R1, R0, struct waiting, time), \
	LOAD(R2, R0, struct waiting, waiting), \
	JSET(R2, DOUBT, ".doubt"), \
	BPF_MOV64_REG(BEGAN, R1), \
	JUMP(".last"), \
	LABEL(".doubt"), \
	BPF_ALU64_IMM(BPF_OR, N_SECTORS, UNTIMED), \
	ONE_LESS_WAITS(struct waiting, ".last"), \
	JUMP(".now"), \
	LABEL(".last"), \
	DELETE("queue", key), \
	LABEL(".now")

/*
 * Another request with this key is under way at r0, a struct start, with the time r1: the times of
 * both become unknown. If the end of the other one was missed, or if it has ended meanwhile, goto
 * REPLACE_IT.
 */
#define OVERLAP_AT_R0(REPLACE_IT) \
	BPF_MOV64_IMM(R2, 1), \
	BPF_ALU64_IMM(BPF_LSH, R2, OVERLAP_BIT), \
	BPF_ALU64_REG(BPF_OR, R1, R2), \
	BPF_ALU64_REG(BPF_OR, BEGAN, R2), \
	BPF_ALU64_REG(BPF_SUB, RENAME(AGE, BEGAN), R1), \
	BPF_ALU64_IMM(BPF_RSH, AGE, DEVICE_SHIFT), \
	JNE(AGE, 0, REPLACE_IT),			/* its end was missed */ \
	PUT(R0, struct start, time, R1),		/* they overlap */ \
	BPF_MOV64_IMM(R1, 1), \
	XADD(R0, struct start, under_way, R1),		/* one more is under way there */ \
	LOOKUP_OR("start", key, REPLACE_IT),		/* the other one has just ended */ \
	COUNT_INDEX("overlaps", index, 0)

/*
 * No request with this key is known. If no requests overlapped, it began before sonde did: goto
 * OUT. If some did, two CPUs may have raced for the last one's entry: the request goes on without a
 * time.
 */
#define UNKNOWN_UNLESS_OVERLAPS(OUT) \
	SET_IMM(index, 0), \
	LOOKUP_OR("overlaps", index, OUT), \
	BPF_LDX_MEM(BPF_DW, R1, R0, 0), \
	JEQ(R1, 0, OUT)

#endif
