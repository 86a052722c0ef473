/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BPF_INSN_H
#define SONDE_BPF_INSN_H

#include <linux/bpf.h>

/*
 * The kernel's macros for BPF instructions, with its names and meaning (samples/bpf/bpf_insn.h): no
 * header of user space has them. A file that uses them defines how an instruction is written:
 * RAW(CODE, DST, SRC, OFF, IMM).
 */
#define BPF_ALU64_REG(OP, DST, SRC)	RAW(BPF_ALU64 | BPF_OP(OP) | BPF_X, DST, SRC, 0, 0)
#define BPF_ALU64_IMM(OP, DST, IMM)	RAW(BPF_ALU64 | BPF_OP(OP) | BPF_K, DST, 0, 0, IMM)
#define BPF_ALU32_REG(OP, DST, SRC)	RAW(BPF_ALU | BPF_OP(OP) | BPF_X, DST, SRC, 0, 0)
#define BPF_ALU32_IMM(OP, DST, IMM)	RAW(BPF_ALU | BPF_OP(OP) | BPF_K, DST, 0, 0, IMM)
#define BPF_MOV64_REG(DST, SRC)		RAW(BPF_ALU64 | BPF_MOV | BPF_X, DST, SRC, 0, 0)
#define BPF_MOV64_IMM(DST, IMM)		RAW(BPF_ALU64 | BPF_MOV | BPF_K, DST, 0, 0, IMM)
#define BPF_MOV32_REG(DST, SRC)		RAW(BPF_ALU | BPF_MOV | BPF_X, DST, SRC, 0, 0)
#define BPF_MOV32_IMM(DST, IMM)		RAW(BPF_ALU | BPF_MOV | BPF_K, DST, 0, 0, IMM)
#define BPF_ENDIAN(TYPE, DST, LEN)	RAW(BPF_ALU | BPF_END | BPF_SRC(TYPE), DST, 0, 0, LEN)
#define BPF_LDX_MEM(SIZE, DST, SRC, OFF) RAW(BPF_LDX | BPF_SIZE(SIZE) | BPF_MEM, DST, SRC, OFF, 0)
#define BPF_STX_MEM(SIZE, DST, SRC, OFF) RAW(BPF_STX | BPF_SIZE(SIZE) | BPF_MEM, DST, SRC, OFF, 0)
#define BPF_ST_MEM(SIZE, DST, OFF, IMM)	RAW(BPF_ST | BPF_SIZE(SIZE) | BPF_MEM, DST, 0, OFF, IMM)
#define BPF_STX_XADD(SIZE, DST, SRC, OFF) RAW(BPF_STX | BPF_SIZE(SIZE) | BPF_XADD, DST, SRC, OFF, 0)
/* Atomically: if *(DST + OFF) is r0, it becomes SRC; r0 = the old value (5.12). */
#define BPF_STX_CMPXCHG(SIZE, DST, SRC, OFF) \
	RAW(BPF_STX | BPF_SIZE(SIZE) | BPF_XADD, DST, SRC, OFF, BPF_OF_CMPXCHG)
#define BPF_OF_CMPXCHG			0xf1	/* BPF_CMPXCHG, which older headers lack */
#define BPF_IS_CMPXCHG(INSN) \
	(BPF_CLASS((INSN)->code) == BPF_STX && BPF_MODE((INSN)->code) == BPF_XADD && \
	 (INSN)->imm == BPF_OF_CMPXCHG)
/* src_reg of a 64-bit constant: it is the address of a map's only value (5.2). */
#define BPF_OF_MAP_VALUE		2	/* BPF_PSEUDO_MAP_VALUE, which older headers lack */
/* Of a 64-bit constant: imm is a map. */
#define BPF_HAS_MAP(INSN) \
	((INSN)->src_reg == BPF_PSEUDO_MAP_FD || (INSN)->src_reg == BPF_OF_MAP_VALUE)
/* src_reg of a 64-bit constant: it is a function of the program, imm + 1 instructions on (5.13). */
#define BPF_OF_FUNCTION			4	/* BPF_PSEUDO_FUNC, which older headers lack */
#define HELPER_LOOP			181	/* BPF_FUNC_loop, also: it calls such a function */
#define BPF_IS_FUNCTION(INSN) \
	((INSN)->code == (BPF_LD | BPF_IMM | BPF_DW) && (INSN)->src_reg == BPF_OF_FUNCTION)
#define BPF_EMIT_CALL(FUNC)		RAW(BPF_JMP | BPF_CALL, 0, 0, 0, FUNC)
#define BPF_EXIT_INSN()			RAW(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

#endif
