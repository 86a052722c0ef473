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

/* started += N */
#define COUNT_STARTED(N) ADD_NUMBER("started", index, N, ".uncounted"), LABEL(".uncounted")

/*
 * start[key] = frame.START if the key is new; r0 = 0, or an error if it is not, or there is no
 * room.
 */
#define ENTER(START) \
	STORE_NEW("start", key, START), \
	JUMP_UNLESS("cmpxchg", ".not_entered"), \
	JNE(R0, 0, ".not_entered"), \
	COUNT_STARTED(1), \
	BPF_MOV64_IMM(R0, 0), \
	LABEL(".not_entered")

/* delete start[key] */
#define LEAVE \
	DELETE("start", key), \
	JUMP_UNLESS("cmpxchg", ".not_left"), \
	JNE(R0, 0, ".not_left"), \
	COUNT_STARTED(-1), \
	LABEL(".not_left")

/* start[key] = frame.start, even if the key exists; if the map is full, that is counted. */
#define REPLACE \
	LEAVE, \
	ENTER(start), \
	JEQ(R0, 0, ".replaced"), \
	JEQ(R0, -EEXIST, ".replaced"), \
	COUNT_FULL, \
	LABEL(".replaced")

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
	BPF_ALU64_REG(BPF_SUB, NOW, R1), \
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
 * The request takes its slot if that is free: goto OUT. If a request with the same key has the
 * slot, that one moves to `start`: goto ENTER_IT. In all other cases: goto ENTER_IT.
 */
#define TAKE_SLOT(OUT, ENTER_IT) \
	SLOT(ENTER_IT), \
	BPF_MOV64_REG(SLOT_AT, R0), \
	SET_IMM(index, 0), \
	LOOKUP_OR("started", index, ENTER_IT), \
	BPF_LDX_MEM(BPF_DW, R1, R0, 0), \
	GET(R2, who), \
	JNE(R1, 0, ".look"), \
	BPF_MOV64_IMM(R0, 0), \
	CMPXCHG(SLOT_AT, struct slot, who, R2),		/* slots[who].who = who */ \
	JNE(R0, 0, ".whose"), \
	PUT(SLOT_AT, struct slot, time, BEGAN),		/* only its owner does, or ends it */ \
	PUT(SLOT_AT, struct slot, sectors, N_SECTORS), \
	JUMP(OUT), \
	LABEL(".look"), \
	LOAD(R0, SLOT_AT, struct slot, who), \
	LABEL(".whose"), \
	JNE_REG(R0, R2, ENTER_IT),			/* free, or another request's */ \
	COUNT_INDEX("overlaps", index, 0),		/* one with this key: it moves to start */ \
	LOAD(R1, SLOT_AT, struct slot, time), \
	SET(older.time, R1), \
	LOAD(R1, SLOT_AT, struct slot, sectors), \
	SET(older.sectors, R1), \
	ALONE(older), \
	ENTER(older),					/* its end may find it in both places */ \
	JNE(R0, 0, ENTER_IT), \
	GIVE_BACK(SLOT_AT, ".ended"), \
	JUMP(ENTER_IT), \
	LABEL(".ended"),				/* it has just ended */ \
	LEAVE

/*
 * start[key] = { BEGAN, N_SECTORS }. If the key exists, its request was given back and is issued
 * again now; or it is another request with this key: then the times of both are unknown.
 */
#define ENTER_START \
	SET(start.time, BEGAN), \
	SET(start.sectors, N_SECTORS), \
	ALONE(start), \
	ENTER(start), \
	JEQ(R0, 0, ".under_way"), \
	LOOKUP_OR("start", key, ".store"),		/* gone again, or there is no room */ \
	LOAD(R1, R0, struct start, time), \
	LOAD(R2, R0, struct start, sectors), \
	JSET(R2, AGAIN, ".again"), \
	OVERLAP_AT_R0(".store"), \
	JUMP(".under_way"), \
	LABEL(".again"), \
	BPF_ALU64_IMM(BPF_AND, R2, AGAIN - 1), \
	PUT(R0, struct start, sectors, R2), \
	JUMP_UNLESS("issued", ".under_way"),	/* the last issue counts; the first if queued */ \
	PUT(R0, struct start, time, BEGAN), \
	JUMP(".under_way"), \
	LABEL(".store"), \
	REPLACE, \
	LABEL(".under_way")

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
	BPF_ALU64_REG(BPF_SUB, BEGAN, R1), \
	BPF_ALU64_IMM(BPF_RSH, AGE, DEVICE_SHIFT), \
	JNE(AGE, 0, REPLACE_IT),			/* its end was missed */ \
	PUT(R0, struct start, time, R1),		/* they overlap */ \
	BPF_MOV64_IMM(R1, 1), \
	XADD(R0, struct start, under_way, R1),		/* one more is under way there */ \
	LOOKUP_OR("start", key, REPLACE_IT),		/* the other one has just ended */ \
	COUNT_INDEX("overlaps", index, 0)

/* The driver gave the request back: start[key].sectors gets the flag AGAIN. */
#define GIVEN_BACK \
	SLOT(".start"), \
	BPF_MOV64_REG(R3, R0), \
	LOAD(R1, R3, struct slot, time), \
	SET(start.time, R1), \
	LOAD(R1, R3, struct slot, sectors), \
	BPF_ALU64_IMM(BPF_OR, R1, AGAIN), \
	SET(start.sectors, R1), \
	ALONE(start), \
	GIVE_BACK(R3, ".start"), \
	REPLACE,					/* it moves to start */ \
	JUMP(".given_back"), \
	LABEL(".start"), \
	LOOKUP_OR("start", key, ".given_back"), \
	LOAD(R1, R0, struct start, time), \
	JSLT(R1, 0, ".given_back"),			/* it will be counted twice there */ \
	LOAD(R1, R0, struct start, sectors), \
	BPF_ALU64_IMM(BPF_OR, R1, AGAIN), \
	PUT(R0, struct start, sectors, R1), \
	LABEL(".given_back")

/*
 * The key's request has ended: BEGAN and TO_COME = take its time and sectors. If there are several
 * requests with the key, goto OVERLAP, with start[key] at r0. If there is none, goto UNKNOWN.
 */
#define TAKE_REQUEST(OVERLAP, UNKNOWN) \
	SLOT(".start"), \
	BPF_MOV64_REG(R3, R0), \
	LOAD(BEGAN, R3, struct slot, time), \
	LOAD(TO_COME, R3, struct slot, sectors), \
	GIVE_BACK(R3, ".start"), \
	JUMP(".alone"), \
	LABEL(".start"), \
	LOOKUP_OR("start", key, UNKNOWN), \
	LOAD(BEGAN, R0, struct start, time), \
	LOAD(TO_COME, R0, struct start, sectors), \
	JSLT(BEGAN, 0, OVERLAP), \
	LEAVE, \
	LABEL(".alone")

/*
 * If all of TO_COME is done, goto WHOLE. Otherwise the rest waits at the sector behind N_SECTORS.
 */
#define REST_WAITS(WHOLE) \
	BPF_MOV64_REG(R1, TO_COME), \
	BPF_ALU64_IMM(BPF_AND, R1, LEFT), \
	JGE_REG(N_SECTORS, R1, WHOLE), \
	BPF_ALU64_REG(BPF_SUB, TO_COME, N_SECTORS), \
	BPF_ALU64_REG(BPF_ADD, SECTOR, N_SECTORS), \
	SET(key.sector, SECTOR), \
	SET(start.time, BEGAN), \
	SET(start.sectors, TO_COME), \
	ALONE(start), \
	REPLACE

/* One of several requests with this key, at r0, is done: one less is under way there. */
#define ONE_LESS_UNDER_WAY \
	BPF_MOV64_IMM(R1, -1), \
	XADD(R0, struct start, under_way, R1), \
	LOAD(R1, R0, struct start, under_way), \
	BPF_ALU64_IMM(BPF_SUB, R1, 1),			/* 0 has become the largest number */ \
	JSGE(R1, 0, ".others"), \
	LEAVE, \
	LABEL(".others")

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
