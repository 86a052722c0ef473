/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FRAME_H
#define SONDE_FRAME_H

#include <stddef.h>

#include "insns/insn.h"

/*
 * A program's stack is one struct frame, which each program file defines: keys, values, and the
 * record that the program outputs. Its end is at r10. M below is a member of it, or a member of a
 * member (record.comm). Memory that a helper reads must have been written before.
 */
#define FRAME_SIZE	((int)((sizeof(struct frame) + 7) & ~7UL))
#define FRAME(M)		((int)offsetof(struct frame, M) - FRAME_SIZE + \
			 REQUIRE(FRAME_SIZE <= -STACK_BOTTOM, "the frame is too large"))
#define SIZE_OF(TYPE, M) sizeof(((TYPE *)0)->M)

/* The width of a load or store of a number. */
#define WIDTH_OF(TYPE, M) \
	((SIZE_OF(TYPE, M) == 1 ? BPF_B : SIZE_OF(TYPE, M) == 2 ? BPF_H : \
	  SIZE_OF(TYPE, M) == 4 ? BPF_W : BPF_DW) + \
	 REQUIRE(SIZE_OF(TYPE, M) <= 8 && !(SIZE_OF(TYPE, M) & (SIZE_OF(TYPE, M) - 1)), \
		 "not a number"))

/* The offset of the number M in TYPE. */
#define PLACE_OF(TYPE, M) \
	((int)offsetof(TYPE, M) + \
	 REQUIRE(offsetof(TYPE, M) % SIZE_OF(TYPE, M) == 0, "not aligned: is it a u64?"))
#define NUMBER_AT(M)		(PLACE_OF(struct frame, M) - FRAME_SIZE + \
				 REQUIRE(FRAME_SIZE <= -STACK_BOTTOM, "the frame is too large"))

/* The kernel's instruction CODE, on memory that --dump shows with the name NAME. */
#define ACCESS(NAME, CODE, WIDTH, DST, SRC, OFF, IMM) \
	SYMBOLIC_CODE(PLAIN, NAME, (CODE) | BPF_SIZE(WIDTH), DST, SRC, OFF, IMM)

/* frame.M = a register; frame.M = a number; a register = frame.M */
#define SET(M, REG) \
	ACCESS(#M, BPF_STX | BPF_MEM, WIDTH_OF(struct frame, M), R10, REG, NUMBER_AT(M), 0)
#define SET_IMM(M, N) \
	ACCESS(#M, BPF_ST | BPF_MEM, WIDTH_OF(struct frame, M), R10, 0, NUMBER_AT(M), N)
#define GET(REG, M) \
	ACCESS(#M, BPF_LDX | BPF_MEM, WIDTH_OF(struct frame, M), REG, R10, NUMBER_AT(M), 0)

/* The same for the value of a map: a TYPE at the address in BASE. */
#define PUT(BASE, TYPE, M, REG) \
	ACCESS(#M, BPF_STX | BPF_MEM, WIDTH_OF(TYPE, M), BASE, REG, PLACE_OF(TYPE, M), 0)
#define PUT_IMM(BASE, TYPE, M, N) \
	ACCESS(#M, BPF_ST | BPF_MEM, WIDTH_OF(TYPE, M), BASE, 0, PLACE_OF(TYPE, M), N)
#define LOAD(REG, BASE, TYPE, M) \
	ACCESS(#M, BPF_LDX | BPF_MEM, WIDTH_OF(TYPE, M), REG, BASE, PLACE_OF(TYPE, M), 0)
#define XADD(BASE, TYPE, M, REG) \
	ACCESS(#M, BPF_STX | BPF_XADD, WIDTH_OF(TYPE, M), BASE, REG, PLACE_OF(TYPE, M), 0)
/*
 * Atomically: if value.M is r0, value.M = REG; r0 = the old value.M. Only behind
 * JUMP_UNLESS("cmpxchg").
 */
#define CMPXCHG(BASE, TYPE, M, REG) \
	ACCESS(#M, BPF_STX | BPF_XADD, WIDTH_OF(TYPE, M), BASE, REG, PLACE_OF(TYPE, M), \
	       BPF_OF_CMPXCHG)

/* frame.M = an input of the event: a number, bytes, a text. Clobber r0 to r5. */
#define SET_FIELD(M, NAME)	FIELD(BPF_REG_0, NAME), SET(M, BPF_REG_0)
#define SET_BYTES(M, NAME)	BYTES_AT(FRAME(M), NAME, SIZE_OF(struct frame, M))
#define SET_BYTES_N(M, NAME, N)	BYTES_AT(FRAME(M), NAME, N)	/* only the first N of its bytes */
#define SET_USER_STRING(M, REG)	READ_USER_STRING_AT(FRAME(M), SIZE_OF(struct frame, M), REG)
#define SET_KERNEL_STRING(M, REG) READ_KERNEL_STRING_AT(FRAME(M), SIZE_OF(struct frame, M), REG)

/* frame.M = 0; frame.TO = frame.FROM; frame.TO = value.M; value.M = frame.FROM. Of any size. */
#define ZERO(M)			ZERO_AT(#M, FRAME(M), SIZE_OF(struct frame, M))
#define COPY(TO, FROM) \
	COPY_AT(#TO " = " #FROM, R10, FRAME(TO), R10, FRAME(FROM), \
		SAME_SIZE(TO, struct frame, FROM))
#define COPY_FROM(TO, BASE, TYPE, M) \
	COPY_AT(#TO, R10, FRAME(TO), BASE, offsetof(TYPE, M), SAME_SIZE(TO, TYPE, M))
#define COPY_TO(BASE, TYPE, M, FROM) \
	COPY_AT(#M " = " #FROM, BASE, offsetof(TYPE, M), R10, FRAME(FROM), \
		SAME_SIZE(FROM, TYPE, M))
#define COPY_ALL(TO, BASE)	COPY_AT(#TO, R10, FRAME(TO), BASE, 0, SIZE_OF(struct frame, TO))
#define SAME_SIZE(MINE, TYPE, M) \
	(SIZE_OF(TYPE, M) + \
	 REQUIRE(SIZE_OF(TYPE, M) == SIZE_OF(struct frame, MINE), "they differ in size"))

/*
 * register (r6 to r9) = the number of a stack. Programs that walk stacks by themselves use the
 * stack below the frame.
 */
#define STACK_FRAME_MOST	208
#define STACK(REG, NAME) \
	SYMBOLIC(SYM_STACK, NAME, REG, 0, 0, \
		 REQUIRE(FRAME_SIZE <= STACK_FRAME_MOST, "the frame leaves no room to walk"))

/* The stacks of a record: those that the options of that name ask for, else -EFAULT. */
#define ASKED_STACKS(KERNEL, USER) \
	BPF_MOV64_IMM(KERNEL, -EFAULT), \
	BPF_MOV64_IMM(USER, -EFAULT), \
	JUMP_UNLESS("kernel-stacks", ".user"), \
	STACK(KERNEL, "kernel_stack"), \
LABEL(".user"), \
	JUMP_UNLESS("user-stacks", ".asked"), \
	STACK(USER, "user_stack"), \
LABEL(".asked")

#define OUTPUT(NAME, M)		OUTPUT_AT(NAME, FRAME(M), SIZE_OF(struct frame, M))

#endif
