/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CALL_SLOT_H
#define SONDE_CALL_SLOT_H

#include "insns/common.h"
#include "insns/programs/syscount.h"

/* Bit of the numbers of x32's table. */
#define X32_BIT 0x40000000

/*
 * NUMBER = the slot of the current system call (syscount.h), of the inputs `id` and `compat`. All
 * are registers from r6 to r9; TABLE is clobbered, and COMPAT, which may be TABLE.
 */
#define CALL_SLOT(NUMBER, TABLE, COMPAT) \
	FIELD(NUMBER, "id"), \
	JSGE(NUMBER, 0, ".told"), \
	JUMP(".unknown"), \
	LABEL(".told"), \
	FIELD(COMPAT, "compat"), \
	JEQ(COMPAT, 0, ".native"), \
	BPF_MOV64_IMM(TABLE, CALLS_COMPAT * CALLS), \
	JUMP(".table"), \
	LABEL(".native"), \
	BPF_MOV64_IMM(TABLE, CALLS_NATIVE * CALLS), \
	JSET(NUMBER, X32_BIT, ".x32"), \
	JUMP(".table"), \
	LABEL(".x32"), \
	BPF_ALU64_IMM(BPF_SUB, NUMBER, X32_BIT), \
	BPF_MOV64_IMM(TABLE, CALLS_X32 * CALLS), \
	LABEL(".table"), \
	JGT(NUMBER, CALLS - 1, ".unknown"), \
	BPF_ALU64_REG(BPF_ADD, NUMBER, TABLE), \
	JUMP(".slot"), \
	LABEL(".unknown"), \
	BPF_MOV64_IMM(NUMBER, CALL_UNKNOWN), \
	LABEL(".slot")

#endif
