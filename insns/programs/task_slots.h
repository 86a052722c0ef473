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
#define TASK_SLOT(NONE) \
	JUMP_UNLESS("cmpxchg", NONE), \
	GET(R1, pid), \
	BPF_ALU64_IMM(BPF_AND, R1, TASK_SLOTS - 1), \
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

#endif
