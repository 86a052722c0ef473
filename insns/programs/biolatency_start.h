/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOLATENCY_START_H
#define SONDE_BIOLATENCY_START_H

#include "insns/common.h"
#include "insns/disk_maps.h"

/*
 * start[request], for biolatency. A hash takes a lock to add a request, and another one to delete
 * it. So if the kernel can compare and exchange (5.12), a request goes into the array `slots`, if
 * its slot is free: one instruction takes the slot, and a store gives it back. Other requests are
 * in the hash `start`. Nobody but a request's own events changes what is kept of it, and they come
 * one after the other.
 *
 * The frame has `request`, `start` and `slot`.
 */
struct start {
	u64 time;
	u64 waits;		/* WITH_DEVICE, WAITS or GIVEN_BACK */
};

/* start.waits: the device has it; it waits in a queue since that time; once more. */
#define WITH_DEVICE 0
#define WAITS 1
#define GIVEN_BACK 2

struct slot {
	u64 request;		/* 0: the slot is free */
	struct start start;
};
#define REQUEST_ALIGNED 6	/* bits: requests begin where a line of the cache does */

#define START_MAPS \
	{ "start", MAP_HASH, ROLE_JOIN, 8, sizeof(struct start), DISK_REQUESTS }, \
	{ "slots", MAP_ARRAY, ROLE_TABLE, 4, sizeof(struct slot), 1 << SLOT_BITS }

/* Registers. */
enum { REQUEST = R6, STATE = R7, NOW = R8, BEGAN = R8 };

/* REQUEST = frame.request = the request of the event. */
#define THIS_REQUEST \
	FIELD(REQUEST, "request"), \
	SET(request, REQUEST)

/*
 * r0 = the address of the slot of REQUEST, which another request may have. If there are no slots,
 * goto NONE.
 */
#define SLOT(NONE) \
	JUMP_UNLESS("cmpxchg", NONE), \
	BPF_MOV64_REG(R2, REQUEST), \
	BPF_ALU64_IMM(BPF_RSH, R2, REQUEST_ALIGNED), \
	SLOT_OF_R2(NONE)

/* The same if REQUEST has the slot. Otherwise goto NONE. */
#define OWN_SLOT(NONE) \
	SLOT(NONE), \
	LOAD(R1, R0, struct slot, request), \
	JNE_REG(R1, REQUEST, NONE)

/* STATE = start[request].waits. If there is none, goto NONE. */
#define STATE_OF(STATE, NONE) \
	OWN_SLOT(".hash"), \
	LOAD(STATE, R0, struct slot, start.waits), \
	JUMP(".state"), \
	LABEL(".hash"), \
	LOOKUP_OR("start", request, NONE), \
	LOAD(STATE, R0, struct start, waits), \
	LABEL(".state")

/* start[request].waits = N, if there is one. */
#define BECOMES(N) \
	OWN_SLOT(".hash"), \
	PUT_IMM(R0, struct slot, start.waits, N), \
	JUMP(".changed"), \
	LABEL(".hash"), \
	LOOKUP_OR("start", request, ".changed"), \
	PUT_IMM(R0, struct start, waits, N), \
	LABEL(".changed")

/* start[request] = { TIME, N }; if there is no room, that is counted. */
#define BEGIN(TIME, N) \
	SLOT(".hash"), \
	BPF_MOV64_REG(R3, R0), \
	BPF_MOV64_IMM(R0, 0), \
	CMPXCHG(R3, struct slot, request, REQUEST), \
	JEQ(R0, 0, ".mine"), \
	JNE_REG(R0, REQUEST, ".hash"), \
	LABEL(".mine"), \
	PUT(R3, struct slot, start.time, TIME), \
	PUT_IMM(R3, struct slot, start.waits, N), \
	JUMP(".begun"), \
	LABEL(".hash"), \
	SET(start.time, TIME), \
	SET_IMM(start.waits, N), \
	STORE("start", request, start), \
	LABEL(".begun")

/*
 * TIME = take start[request].time. If there is none, goto NONE. The slot is free when its time has
 * been read: the 0 that is stored is computed from the time, so that no CPU stores it before.
 */
#define TAKE_START(TIME, NONE) \
	OWN_SLOT(".hash"), \
	LOAD(TIME, R0, struct slot, start.time), \
	BPF_MOV64_REG(R1, TIME), \
	BPF_ALU64_IMM(BPF_AND, R1, 0), \
	PUT(R0, struct slot, request, R1), \
	JUMP(".taken"), \
	LABEL(".hash"), \
	LOOKUP_OR("start", request, NONE), \
	LOAD(TIME, R0, struct start, time), \
	DELETE("start", request), \
	LABEL(".taken")

#endif
