/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMON_H
#define SONDE_COMMON_H

#include "insns/frame.h"
#include "insns/program.h"

/* Maps and values, for every tool. KEY and VALUE are members of the frame. All clobber r0 to r5. */

/* r0 = address of map[key], or 0. */
#define LOOKUP(NAME, KEY)	LOOKUP_AT(NAME, FRAME(KEY))
/* The same; if r0 is 0, goto NONE. */
#define LOOKUP_OR(NAME, KEY, NONE) \
	LOOKUP(NAME, KEY), \
	JEQ(R0, 0, NONE)

/* r0 = 0, or -errno. */
#define DELETE(NAME, KEY)	DELETE_AT(NAME, FRAME(KEY))
#define UPDATE(NAME, KEY, VALUE) UPDATE_AT(NAME, FRAME(KEY), FRAME(VALUE), BPF_ANY)
#define STORE_NEW(NAME, KEY, VALUE) UPDATE_AT(NAME, FRAME(KEY), FRAME(VALUE), BPF_NOEXIST)

/* map[key] = value; if the map is full, that is counted. */
#define STORE(NAME, KEY, VALUE) \
	UPDATE(NAME, KEY, VALUE), \
	JEQ(R0, 0, ".stored"), \
	COUNT_FULL, \
	LABEL(".stored")

/*
 * The same for a call, if the key is its thread and such calls are never nested: if the map has an
 * entry of the thread, the return of an earlier call was missed, and is counted. Kernels can track
 * few calls of a function at one time (10, or two for each CPU, unless more are asked for, since
 * 4.12), and do not count missed returns before 6.2.
 */
#define STORE_CALL(NAME, KEY, VALUE) \
	CALL_UNRETURNED(NAME, KEY, 0), \
	STORE(NAME, KEY, VALUE)

/* The same for calls that may be nested: the inner call replaces the entry. */
#define STORE_INNER_CALL(NAME, KEY, VALUE) \
	CALL_UNRETURNED(NAME, KEY, 1), \
	STORE(NAME, KEY, VALUE)

#define CALL_UNRETURNED(NAME, KEY, MAY_GO_ON) \
	JUMP_UNLESS("returns:untold", ".told"), \
	LOOKUP_OR(NAME, KEY, ".told"), \
	COUNT_UNRETURNED(MAY_GO_ON), \
	LABEL(".told")

/* reg (r6 to r9) = the u64 map[key], and the entry is deleted; reg = 0 if there is none. */
#define TAKE(REG, NAME, KEY) \
	BPF_MOV64_IMM(REG, 0), \
	LOOKUP_OR(NAME, KEY, ".taken"), \
	BPF_LDX_MEM(BPF_DW, REG, R0, 0), \
	DELETE(NAME, KEY), \
	LABEL(".taken")

/* map[key] += reg (r6 to r9); map[key]++. A hash gets a missing key; a full map is counted. */
#define ADD(NAME, KEY, REG)	ADD_AT(NAME, FRAME(KEY), REG)
#define COUNT(NAME, KEY)	ADD_AT(NAME, FRAME(KEY), R0)

/* The value at r0: its M += the frame's FROM.M; its M = the frame's, if that is more. */
#define ADD_MEMBER(TYPE, FROM, M) \
	GET(R1, FROM.M), \
	XADD(R0, TYPE, M, R1)
#define RAISE_MEMBER(TYPE, FROM, M) \
	GET(R1, FROM.M), \
	LOAD(R2, R0, TYPE, M), \
	JGE_REG(R2, R1, ".as_much"), \
	PUT(R0, TYPE, M, R1), \
	LABEL(".as_much")

/* map[0] += N, a number; r0 = its address. The jump to OUT is for the verifier: never taken. */
#define ADD_NUMBER(NAME, INDEX, N, OUT) \
	SET_IMM(INDEX, 0), \
	LOOKUP_OR(NAME, INDEX, OUT), \
	BPF_MOV64_IMM(R1, N), \
	BPF_STX_XADD(BPF_DW, R0, R1, 0)

#endif
