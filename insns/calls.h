/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_CALLS_H
#define SONDE_INSNS_CALLS_H

#include "insns/common.h"

/*
 * Calls of functions, from their beginning to their return. A call is identified by its place on
 * the stack: the stack pointer at its beginning equals the stack pointer at its end, without the
 * address that a return pops. Two calls that have not returned never have the same place, however
 * they are nested. If a return is missed, its entry stays, and no other return takes it; the next
 * call at that place overwrites it. Functions have numbers in the key, because a function that ends
 * by a jump into another shares its place.
 *
 * In the kernel all stacks have different addresses; in user space, the stacks of one process. The
 * calling thread is compared too, because a thread may end within a call.
 *
 * The hooks have the inputs `sp`, `function` (its number) and, at returns, `popped`. M is a member
 * of the frame. All macros clobber r0 to r5.
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

/* REG (r6 to r9) = the stack pointer at the beginning of the call that ends. */
#define CALL_BEGAN_AT(REG) \
	FIELD(REG, "sp"), \
	FIELD(R0, "popped"), \
	BPF_ALU64_REG(BPF_SUB, REG, R0)

/* frame.M = the call that ends; clobbers REG (r6 to r9). */
#define CALL_ENDS(M, PID_TGID, REG) \
	CALL_BEGAN_AT(REG), \
	CALL_AT(M, PID_TGID, REG)

/* frame.M = the call that began at the stack pointer SP. */
#define CALL_AT(M, PID_TGID, SP) \
	SET(M.sp, SP), \
	CALL_OF(M, PID_TGID)

/*
 * Before MAP[frame.M] = a call that begins, of the task in PID_TGID: if the map has an entry of the
 * same task there (a TYPE with a member pid_tgid), that call has ended and its return was missed:
 * it is counted. Functions of user space are not counted, because a thread may jump out of them.
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
