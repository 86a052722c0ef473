/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TASK_SLOTS_H
#define SONDE_TASK_SLOTS_H

#include "insns/common.h"

/*
 * NAME[pid], a hash of tasks whose entries stay until their tasks die. The kernel takes 140
 * instructions to find an entry of a hash, and 10 to find one of an array. So if the kernel can
 * compare and exchange (5.12), a task's entry is in the array `slots`, if no other task was there
 * first: one instruction takes the slot, and another one gives it back when the task dies. Other
 * tasks are in the hash. Nobody but a task's own events changes its entry, and they come one after
 * the other.
 *
 * TYPE is the struct of a value in both maps; its u64 `owner` is the task that has the slot. It is
 * the last member, and 0 in the hash. The frame has `pid` and `slot`, which are u32.
 */
#define TASK_SLOTS	16384		/* a power of two */
#define TASK_MAPS(NAME, TYPE, ...) \
	{ NAME, MAP_HASH, ROLE_JOIN, 4, sizeof(TYPE), 65536, __VA_ARGS__ }, \
	{ "slots", MAP_ARRAY, ROLE_TABLE, 4, sizeof(TYPE), TASK_SLOTS }

/* r0 = the slot of frame.pid, which r2 is then; another task may have it. No slots: goto NONE. */
#define TASK_SLOT(NONE)		SLOT_AMONG(TASK_SLOTS, NONE)
#define SLOT_AMONG(N, NONE) \
	JUMP_UNLESS("cmpxchg", NONE), \
	GET(R1, pid), \
	BPF_ALU64_IMM(BPF_AND, R1, (N) - 1), \
	SET(slot, R1), \
	LOOKUP_OR("slots", slot, NONE), \
	GET(R2, pid)

/* r0 = the address of NAME[pid]; 0: there is none. */
#define LOOKUP_TASK(NAME, TYPE) \
	TASK_SLOT(".hash"), \
	LOAD(R1, R0, TYPE, owner), \
	JEQ_REG(R1, R2, ".looked_up"), \
	LABEL(".hash"), \
	LOOKUP(NAME, pid), \
	LABEL(".looked_up")

/* NAME[pid] = frame.VALUE, and there was none; if there is no room, that is counted. */
#define STORE_TASK(NAME, TYPE, VALUE) \
	TASK_SLOT(".hash"), \
	BPF_MOV64_REG(R3, R0), \
	BPF_MOV64_IMM(R0, 0), \
	CMPXCHG(R3, TYPE, owner, R2), \
	JNE(R0, 0, ".hash"), \
	COPY_TASK(R3, TYPE, VALUE), \
	JUMP(".stored"), \
	LABEL(".hash"), \
	SET_IMM(VALUE.owner, 0), \
	STORE(NAME, pid, VALUE), \
	LABEL(".stored")

/* The entry at BASE = frame.VALUE; its owner stays. */
#define COPY_TASK(BASE, TYPE, VALUE) \
	COPY_AT("entry = " #VALUE, BASE, 0, R10, FRAME(VALUE), offsetof(TYPE, owner))

/* NAME[pid] = frame.VALUE */
#define UPDATE_TASK(NAME, TYPE, VALUE) \
	LOOKUP_TASK(NAME, TYPE), \
	JNE(R0, 0, ".known"), \
	STORE_TASK(NAME, TYPE, VALUE), \
	JUMP(".updated"), \
	LABEL(".known"), \
	COPY_TASK(R0, TYPE, VALUE), \
	LABEL(".updated")

/* The task dies. It may have an entry of the hash, too, if its slot became free later. */
#define DELETE_TASK(NAME, TYPE) \
	TASK_SLOT(".hash"), \
	BPF_MOV64_REG(R3, R0), \
	BPF_MOV64_REG(R0, R2), \
	BPF_MOV64_IMM(R1, 0), \
	CMPXCHG(R3, TYPE, owner, R1),	/* after all that the task's events stored there */ \
	LABEL(".hash"), \
	DELETE(NAME, pid)

/*
 * Calls that are never nested: a slot of its own is taken when a call begins, and given back when
 * it returns. Calls that find another one there are in hashes, which the macros know nothing of.
 */
#define THREAD_SLOTS	1024		/* a power of two */
#define THREAD_SLOTS_MAP(TYPE) \
	{ "slots", MAP_ARRAY, ROLE_TABLE, 4, sizeof(TYPE), THREAD_SLOTS }

/* BASE (r6 to r9) = the slot, taken for frame.pid; if it can't be taken, goto HASH. */
#define TAKE_SLOT(BASE, TYPE, HASH) \
	SLOT_AMONG(THREAD_SLOTS, HASH), \
	BPF_MOV64_REG(BASE, R0), \
	BPF_MOV64_IMM(R0, 0), \
	CMPXCHG(BASE, TYPE, owner, R2), \
	JEQ(R0, 0, ".taken"), \
	JNE_REG(R0, R2, HASH), \
	JUMP_UNLESS("returns:untold", ".taken"), \
	COUNT_UNRETURNED(0),			/* as STORE_CALL */ \
	LABEL(".taken")

/* BASE = the slot that frame.pid has; if it has none, goto HASH. */
#define OWN_SLOT(BASE, TYPE, HASH) \
	SLOT_AMONG(THREAD_SLOTS, HASH), \
	LOAD(R1, R0, TYPE, owner), \
	JNE_REG(R1, R2, HASH), \
	BPF_MOV64_REG(BASE, R0)

/* The call returns: BASE is given back, after all that was loaded from it. */
#define GIVE_SLOT_BACK(BASE, TYPE) \
	GET(R0, pid), \
	BPF_MOV64_IMM(R1, 0), \
	CMPXCHG(BASE, TYPE, owner, R1)

#endif
