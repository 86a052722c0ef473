/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOLATENCY_KEYS_H
#define SONDE_BIOLATENCY_KEYS_H

#include <errno.h>

#include "insns/disk.h"

/*
 * What biolatency needs because a request's key is made of what its events show: two requests that
 * are under way at the same time may have one key, and a key changes when the front of a request
 * does. A program whose key is the request itself needs nothing of this file.
 *
 * Requests with one key can't be told apart. They are counted without a time, as is a request whose
 * time in the queue is in doubt.
 *
 * Most requests are alone. A hash takes one lock to let each of them in, and another one to let it
 * out. So where the kernel can compare and exchange (5.12), a request goes into `slots`, an array,
 * while `start` is empty and the request's slot is free: one instruction takes the slot, and one
 * gives it back. The second request with a key moves the first one to `start`, which does the rest.
 * `started` counts the entries of `start`.
 *
 * The frame has `key`, `waiting`, `start`, `older`, `who`, `index` and `slot`.
 */

/* A request in `start`. */
struct start {
	u64 time;		/* with OVERLAP_BIT: there were several, whose times are unknown */
	uint32_t sectors;	/* still to come, and the flags below */
	uint32_t under_way;	/* how many requests */
};

#define OVERLAP_BIT 63	/* so the time is a negative number */

/* Flags of start.sectors. */
#define AGAIN 0x20000000	/* the request was given back, and will be issued again */
#define UNTIMED 0x10000000	/* its time in the queue is in doubt */
#define LEFT (UNTIMED - 1)	/* the sectors that are still to come */

/* Requests with one key in `queue`. */
struct waiting {
	u64 time;
	u64 waiting;		/* how many; with DOUBT: there were more than one */
};

/* A request in `slots`. */
struct slot {
	u64 who;		/* its key, in one number; 0: the slot is free */
	u64 time;
	u64 sectors;
};
#define SLOT_BITS 10

/* How many bits of that number the sector, the operation (a letter) and the device have. */
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
	{ "started", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 },		/* how many are in `start` */ \
	{ "overlaps", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 }		/* not 0: there were some */

/* Registers beside those of disk.h. */
enum {
	SLOT_AT = R6,			/* the address of a struct slot */
	NOW = R8, AGE = R8, BEGAN = R8,	/* times, ns */
	TO_COME = R9,			/* a request's sectors, and its flags */
};

/* frame.START is one request, which has its time and sectors. */
#define ALONE(START) SET_IMM(START.under_way, 1)

/* started += N */
#define COUNT_STARTED(N) ADD_NUMBER("started", index, N, ".uncounted"), LABEL(".uncounted")

/* start[key] = frame.START, if there is none; else, and where there is no room, r0 is not 0. */
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

/* start[key] = frame.start, whatever was there; a full map is counted. */
#define REPLACE \
	LEAVE, \
	ENTER(start), \
	JEQ(R0, 0, ".replaced"), \
	JEQ(R0, -EEXIST, ".replaced"), \
	COUNT_FULL, \
	LABEL(".replaced")

/*
 * Behind REQUEST_KEY: frame.who = the key in one number, r0 = address of its slot. Goes to OUT
 * where there are no slots, and if the number has no room for the key. The slot is that of the
 * sector's page and the device, multiplied by a number whose bits are mixed.
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
	BPF_ALU64_IMM(BPF_MUL, R2, 0x61c88647), \
	BPF_ALU64_IMM(BPF_LSH, R2, 32), \
	BPF_ALU64_IMM(BPF_RSH, R2, 64 - SLOT_BITS), \
	SET(slot, R2), \
	LOOKUP_OR("slots", slot, OUT)

/* Gives the slot at BASE back; goes to OUT if frame.who does not have it, or not any more. */
#define GIVE_BACK(BASE, OUT) \
	GET(R0, who), \
	BPF_MOV64_REG(R2, R0), \
	BPF_MOV64_IMM(R1, 0), \
	CMPXCHG(BASE, struct slot, who, R1), \
	JNE_REG(R0, R2, OUT)

/*
 * frame.waiting is a request that has come into the queue at NOW: queue[key] = frame.waiting. If
 * another request with its key waits there, both are in doubt; an entry that is older than any
 * request in a queue gives way.
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
 * BEGAN = take queue[key].time. Where the user did not ask for the time in the queue, and where no
 * request waits there, BEGAN stays. In doubt, too: then N_SECTORS gets the flag UNTIMED.
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
 * The request takes its slot, if that is free: goto OUT. A request with the same key that has the
 * slot moves to `start`: goto ENTER_IT, as in all other cases.
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
	PUT(SLOT_AT, struct slot, time, BEGAN),		/* only who has it does, or ends it */ \
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
	ENTER(older),					/* so that its end finds it anywhere */ \
	JNE(R0, 0, ENTER_IT), \
	GIVE_BACK(SLOT_AT, ".ended"), \
	JUMP(ENTER_IT), \
	LABEL(".ended"),				/* just now */ \
	LEAVE

/*
 * start[key] = { BEGAN, N_SECTORS }. If a request is there already, it was given back and is issued
 * again now, or is another one with this key: then the times of both are unknown.
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
 * Another request with this key is under way at r0, a struct start, whose time r1 is: from now on
 * the times of both are unknown. If its end was never told, or it has ended meanwhile, goto
 * REPLACE_IT.
 */
#define OVERLAP_AT_R0(REPLACE_IT) \
	BPF_MOV64_IMM(R2, 1), \
	BPF_ALU64_IMM(BPF_LSH, R2, OVERLAP_BIT), \
	BPF_ALU64_REG(BPF_OR, R1, R2), \
	BPF_ALU64_REG(BPF_OR, BEGAN, R2), \
	BPF_ALU64_REG(BPF_SUB, BEGAN, R1), \
	BPF_ALU64_IMM(BPF_RSH, AGE, DEVICE_SHIFT), \
	JNE(AGE, 0, REPLACE_IT),			/* its end was never told */ \
	PUT(R0, struct start, time, R1),		/* they overlap */ \
	BPF_MOV64_IMM(R1, 1), \
	XADD(R0, struct start, under_way, R1),		/* one more is under way there */ \
	LOOKUP_OR("start", key, REPLACE_IT),		/* the other one has ended meanwhile */ \
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
	JSLT(R1, 0, ".given_back"),			/* it will count twice there */ \
	LOAD(R1, R0, struct start, sectors), \
	BPF_ALU64_IMM(BPF_OR, R1, AGAIN), \
	PUT(R0, struct start, sectors, R1), \
	LABEL(".given_back")

/*
 * The key's request has ended: BEGAN and TO_COME = take its time and sectors. If there are several
 * with the key, goto OVERLAP, with start[key] at r0; if none is known, goto UNKNOWN.
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

/* If all of TO_COME are done, goto WHOLE. Else the rest waits at the sector behind N_SECTORS. */
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
 * No request with this key is known: it began before sonde did, goto OUT. Where requests overlap,
 * two CPUs may race for the last one's entry: such a request goes on, as one without a time.
 */
#define UNKNOWN_UNLESS_OVERLAPS(OUT) \
	SET_IMM(index, 0), \
	LOOKUP_OR("overlaps", index, OUT), \
	BPF_LDX_MEM(BPF_DW, R1, R0, 0), \
	JEQ(R1, 0, OUT)

#endif
