/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_CALLS_H
#define SONDE_INSNS_CALLS_H

#include "insns/common.h"

/*
 * Calls of functions, from their beginning to their return. A call is known by its place on the
 * stack: the stack pointer is the same when it begins and, but for the address that a return takes
 * off, when it ends; and no two calls that go on have it in common, however they are nested. So a
 * return that was missed leaves an entry behind that no other call takes for its own: the next one
 * at that place writes over it. Functions have numbers, because one that ends by a jump into
 * another shares its place.
 *
 * In the kernel all stacks are at places of their own; in user space those of one process. Who
 * called is compared, because a thread may end within a call.
 *
 * The hooks tell `sp`, `popped` at returns, and `function`, its number. M is a member
 * of the frame. All clobber r0 to r5.
 */
struct call_key {
	u64 sp;
	uint32_t tgid;			/* 0 in the kernel */
	uint32_t function;
};

/* frame.M = the call that begins, of the task in PID_TGID, which is not clobbered. */
#define CALL_BEGINS(M, PID_TGID) \
	SET_FIELD(M.sp, "sp"), \
	CALL_OF(M, PID_TGID)

/* frame.M = the call that ends; clobbers REG (r6 to r9). */
#define CALL_ENDS(M, PID_TGID, REG) \
	FIELD(REG, "sp"), \
	FIELD(R0, "popped"), \
	BPF_ALU64_REG(BPF_SUB, REG, R0), \
	SET(M.sp, REG), \
	CALL_OF(M, PID_TGID)

/*
 * MAP[frame.M] is about to be the call that begins, of the task in PID_TGID. Is one of the same
 * task there, of a TYPE with pid_tgid? That has ended, and its return was missed. Functions of user
 * space are not counted: a thread may jump out of those.
 */
#define CALL_AGAIN(MAP, M, TYPE, PID_TGID) \
	JUMP_UNLESS("returns:untold", ".told"), \
	LOOKUP_OR(MAP, M, ".told"), \
	LOAD(R1, R0, TYPE, pid_tgid), \
	JNE_REG(R1, PID_TGID, ".told"), \
	COUNT_UNRETURNED(0), \
	LABEL(".told")

#define CALL_OF(M, PID_TGID) \
	BPF_MOV64_IMM(R1, 0), \
	JUMP_UNLESS("user_space", ".everywhere"), \
	BPF_MOV64_REG(R1, PID_TGID), \
	BPF_ALU64_IMM(BPF_RSH, R1, 32), \
	LABEL(".everywhere"), \
	SET(M.tgid, R1), \
	SET_FIELD(M.function, "function")

#endif
