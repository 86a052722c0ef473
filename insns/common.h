/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMMON_H
#define SONDE_COMMON_H

#include "insns/program.h"

/*
 * Sequences every tool needs, built from the same instructions. KEY and VALUE are stack offsets. All clobber r0 to r5.
 */
#define R0 BPF_REG_0
#define R1 BPF_REG_1
#define R2 BPF_REG_2
#define R3 BPF_REG_3
#define R4 BPF_REG_4
#define R5 BPF_REG_5
#define R6 BPF_REG_6
#define R7 BPF_REG_7
#define R8 BPF_REG_8
#define R9 BPF_REG_9
#define R10 BPF_REG_10

#define CALL(FUNC)		BPF_EMIT_CALL(BPF_FUNC_##FUNC)
#define STACK_ADDRESS(REG, OFF)	BPF_MOV64_REG(REG, R10), BPF_ALU64_IMM(BPF_ADD, REG, OFF)

/* r0 = address of map[key], or 0. */
#define LOOKUP(NAME, KEY) \
	MAP(R1, NAME), \
	STACK_ADDRESS(R2, KEY), \
	CALL(map_lookup_elem)

#define DELETE(NAME, KEY) \
	MAP(R1, NAME), \
	STACK_ADDRESS(R2, KEY), \
	CALL(map_delete_elem)

/* map[key] = value; a full map is counted. */
#define STORE(NAME, KEY, VALUE) \
	MAP(R1, NAME), \
	STACK_ADDRESS(R2, KEY), \
	STACK_ADDRESS(R3, VALUE), \
	BPF_MOV64_IMM(R4, BPF_ANY), \
	CALL(map_update_elem), \
	JUMP_IF(BPF_JEQ, R0, 0, ".stored"), \
	COUNT_FULL, \
	LABEL(".stored")

/* reg (r6 to r9) = the u64 map[key], which goes; 0 if there was none. */
#define TAKE(REG, NAME, KEY) \
	BPF_MOV64_IMM(REG, 0), \
	LOOKUP(NAME, KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, ".taken"), \
	BPF_LDX_MEM(BPF_DW, REG, R0, 0), \
	DELETE(NAME, KEY), \
	LABEL(".taken")

/* map[key] += reg (r6 to r9) for an array, where every key exists. */
#define ADD(NAME, KEY, REG) \
	LOOKUP(NAME, KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, ".added"), \
	BPF_STX_XADD(BPF_DW, R0, REG, 0), \
	LABEL(".added")

/* map[key]++ for an array. */
#define COUNT(NAME, KEY) \
	LOOKUP(NAME, KEY), \
	JUMP_IF(BPF_JEQ, R0, 0, ".counted"), \
	BPF_MOV64_IMM(R1, 1), \
	BPF_STX_XADD(BPF_DW, R0, R1, 0), \
	LABEL(".counted")

/*
 * map[key]++ for a hash, whose keys come into being here; ONE is 8 bytes of stack to use. Two CPUs may both find no
 * entry: the second then fails to make it, and finds the first one's.
 */
#define COUNT_KEY(NAME, KEY, ONE) \
	LOOKUP(NAME, KEY), \
	JUMP_IF(BPF_JNE, R0, 0, ".found"), \
	BPF_ST_MEM(BPF_DW, R10, ONE, 1), \
	MAP(R1, NAME), \
	STACK_ADDRESS(R2, KEY), \
	STACK_ADDRESS(R3, ONE), \
	BPF_MOV64_IMM(R4, BPF_NOEXIST), \
	CALL(map_update_elem), \
	JUMP_IF(BPF_JEQ, R0, 0, ".counted"), \
	LOOKUP(NAME, KEY), \
	JUMP_IF(BPF_JNE, R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(".counted"), \
	LABEL(".found"), \
	BPF_MOV64_IMM(R1, 1), \
	BPF_STX_XADD(BPF_DW, R0, R1, 0), \
	LABEL(".counted")

/* map[key] += reg (r6 to r9), the same for a hash. */
#define ADD_KEY(NAME, KEY, REG, SUM) \
	LOOKUP(NAME, KEY), \
	JUMP_IF(BPF_JNE, R0, 0, ".found"), \
	BPF_STX_MEM(BPF_DW, R10, REG, SUM), \
	MAP(R1, NAME), \
	STACK_ADDRESS(R2, KEY), \
	STACK_ADDRESS(R3, SUM), \
	BPF_MOV64_IMM(R4, BPF_NOEXIST), \
	CALL(map_update_elem), \
	JUMP_IF(BPF_JEQ, R0, 0, ".added"), \
	LOOKUP(NAME, KEY), \
	JUMP_IF(BPF_JNE, R0, 0, ".found"), \
	COUNT_FULL, \
	JUMP(".added"), \
	LABEL(".found"), \
	BPF_STX_XADD(BPF_DW, R0, REG, 0), \
	LABEL(".added")

/* if (r1 >= 8 << K) { r1 >>= K; slot += 8 * K } */
#define LOG2_STEP(SLOT, K) \
	BPF_MOV64_IMM(R3, (8 << (K)) - 1), \
	JUMP_IF_REG(BPF_JGE, R3, R1, ".step"), \
	BPF_ALU64_IMM(BPF_RSH, R1, K), \
	BPF_ALU64_IMM(BPF_ADD, SLOT, 8 * (K)), \
	LABEL(".step")

/*
 * slot = the histogram slot of value: with s = max(0, floor(log2(value)) - 3), slot = 8 * s + (value >> s): every power of
 * two from 8 on is cut into 8 (src/output/hist.c is the other side). SLOT is one of r4 to r9; value is kept.
 */
#define LOG2_SLOT(SLOT, VALUE) \
	BPF_MOV64_REG(R1, VALUE), \
	BPF_MOV64_IMM(SLOT, 0), \
	BPF_MOV64_REG(R3, R1), \
	BPF_ALU64_IMM(BPF_RSH, R3, 35), \
	JUMP_IF(BPF_JEQ, R3, 0, ".step"), \
	BPF_ALU64_IMM(BPF_RSH, R1, 32), \
	BPF_ALU64_IMM(BPF_ADD, SLOT, 8 * 32), \
	LABEL(".step"), \
	LOG2_STEP(SLOT, 16), \
	LOG2_STEP(SLOT, 8), \
	LOG2_STEP(SLOT, 4), \
	LOG2_STEP(SLOT, 2), \
	LOG2_STEP(SLOT, 1), \
	BPF_ALU64_REG(BPF_ADD, SLOT, R1)

#endif
