// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of programs, and what each generation of the verifier says of them. Map 0 is a hash of
 * 16-byte values by 8-byte keys, 1 an array of u64, 2 an output, 3 as 0.
 */
#include "insns/verifier/check.h"

#include <stdlib.h>
#include <string.h>

#include "insns/lower/helpers.h"
#include "tests/unit/helpers/plain.h"
#include "tests/unit/unit.h"

#define ROOM 32

struct row {
	const char *what;
	struct insn program[ROOM];
	const char *refused;	/* part of the message; NULL: accepted */
	const char *since;	/* refused before this kernel only */
};

#define ACCEPTED(WHAT, ...)		{ .what = (WHAT), .program = { __VA_ARGS__ } }
#define REFUSED(WHAT, WHY, ...) \
	{ \
		.what = (WHAT), .program = { __VA_ARGS__ }, .refused = (WHY) \
	}
#define SINCE(WHAT, KERNEL, WHY, ...) \
	{ \
		.what = (WHAT), .program = { __VA_ARGS__ }, .refused = (WHY), .since = (KERNEL) \
	}

/* Bytes of a context or record. */
#define KPROBE_SIZE	168
#define RECORD_SIZE	16
#define TYPED_SIZE	96

static const struct map maps[] = {
	{ "hash", MAP_HASH, ROLE_JOIN, 8, 16, 100 },
	{ "array", MAP_ARRAY, ROLE_RESULT, 4, 8, 100 },
	{ "out", MAP_OUTPUT, ROLE_RESULT, 0, 0, 0 },
	{ "other", MAP_HASH, ROLE_JOIN, 8, 16, 100 },
	{ "one", MAP_ARRAY, ROLE_TABLE, 4, 8, 1 },
};

#define IMM64(REG, VALUE) \
	RAW(BPF_LD | BPF_IMM | BPF_DW, REG, 0, 0, (int32_t)(VALUE)), \
		RAW(0, 0, 0, 0, (int32_t)((uint64_t)(VALUE) >> 32))
#define MAP_FD(REG, N) \
	RAW(BPF_LD | BPF_IMM | BPF_DW, REG, BPF_PSEUDO_MAP_FD, 0, N), RAW(0, 0, 0, 0, 0)
#define MAP_VALUE(REG, N) \
	RAW(BPF_LD | BPF_IMM | BPF_DW, REG, BPF_OF_MAP_VALUE, 0, N), RAW(0, 0, 0, 0, 0)
#define RECORD(REG, SIZE, OFF)	RAW(BPF_LD | BPF_ABS | (SIZE), REG, 0, 0, OFF)
#define GOTO(OFF)		RAW(BPF_JMP | BPF_JA, 0, 0, OFF, 0)
#define IF(OP, REG, IMM, OFF)	RAW(BPF_JMP | (OP) | BPF_K, REG, 0, OFF, IMM)
#define IF_REG(OP, REG, R, OFF)	RAW(BPF_JMP | (OP) | BPF_X, REG, R, OFF, 0)
#define ZERO(OFF)		BPF_ST_MEM(BPF_DW, R10, OFF, 0)
#define FIND ZERO(-8), MAP_FD(R1, 0), STACK_ADDRESS(R2, -8), CALL(map_lookup_elem)
#define OUT			BPF_EXIT_INSN()

static const struct row kernel_rows[] = {
	ACCEPTED("the shortest program", EXIT),
	REFUSED("nothing returned", "r0, the program's result, is not set", OUT),
	REFUSED("an address returned", "is the frame pointer", BPF_MOV64_REG(R0, R10), OUT),
	REFUSED("no end", "does not end here", BPF_MOV64_IMM(R0, 0)),
	REFUSED("a jump as the end", "r1 is the context, not a number", IF(BPF_JEQ, R1, 0, 0), OUT),
	REFUSED("an instruction nothing leads to", "nothing leads to this", EXIT, EXIT),
	REFUSED("a skipped instruction", "nothing leads to this", BPF_MOV64_IMM(R0, 0), GOTO(1),
		BPF_MOV64_IMM(R0, 1), OUT),
	SINCE("a loop", "5.4", "jumps go forward only", BPF_MOV64_IMM(R0, 0),
	      IF(BPF_JEQ, R0, 0, -2), OUT),
	SINCE("turns that are functions", "6.1", "first instruction set", BPF_MOV64_IMM(R1, 9),
	      RAW(BPF_LD | BPF_IMM | BPF_DW, R2, BPF_OF_FUNCTION, 0, 7), RAW(0, 0, 0, 0, 0),
	      BPF_MOV64_REG(R3, R10), BPF_MOV64_IMM(R4, 0), ZERO(-8), BPF_EMIT_CALL(HELPER_LOOP),
	      BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT, BPF_MOV64_REG(R9, R2),
	      BPF_STX_MEM(BPF_DW, R9, R1, -8), BPF_MOV64_IMM(R0, 0), OUT),
	REFUSED("a jump beyond the end", "beyond the end", BPF_MOV64_IMM(R0, 0),
		IF(BPF_JEQ, R0, 0, 1), OUT),
	REFUSED("a jump into a wide instruction", "into the middle", BPF_MOV64_IMM(R0, 0),
		IF(BPF_JEQ, R0, 0, 1), IMM64(R1, 5), OUT),
	REFUSED("half a wide instruction", "second half",
		RAW(BPF_LD | BPF_IMM | BPF_DW, 1, 0, 0, 5)),
	REFUSED("a map that is not there", "no map of this number", MAP_FD(R1, 5), EXIT),

	REFUSED("a register nobody set", "r2 is not set", BPF_MOV64_REG(R0, R2), OUT),
	REFUSED("arithmetic on one nobody set", "r3 is not set", BPF_ALU64_IMM(BPF_ADD, R3, 1),
		EXIT),
	REFUSED("set on one path only", "r6 is not set, or not to the same kind of thing",
		CALL(ktime_get_ns), IF(BPF_JEQ, R0, 0, 1), BPF_MOV64_IMM(R6, 1),
		BPF_MOV64_REG(R0, R6), OUT),
	ACCEPTED("set on both paths", CALL(ktime_get_ns), BPF_MOV64_IMM(R6, 2),
		 IF(BPF_JEQ, R0, 0, 1), BPF_MOV64_IMM(R6, 1), BPF_MOV64_REG(R0, R6), OUT),
	REFUSED("a number here and an address there",
		"r6 is not set, or not to the same kind of thing", CALL(ktime_get_ns),
		BPF_MOV64_IMM(R6, 2), IF(BPF_JEQ, R0, 0, 1), BPF_MOV64_REG(R6, R10),
		BPF_MOV64_REG(R0, R6), OUT),
	REFUSED("the last argument after a call", "r5 is not set", BPF_MOV64_IMM(R5, 1),
		CALL(ktime_get_ns), BPF_MOV64_REG(R0, R5), OUT),
	REFUSED("an argument after a call", "r1 is not set", CALL(ktime_get_ns),
		BPF_MOV64_REG(R0, R1), OUT),
	ACCEPTED("a kept register after a call", BPF_MOV64_IMM(R9, 3), CALL(ktime_get_ns),
		 BPF_MOV64_REG(R0, R9), OUT),
	REFUSED("r10 written", "r10 can't be written", BPF_MOV64_IMM(R10, 0), EXIT),
	REFUSED("r11", "registers are r0 to r10", BPF_MOV64_IMM(11, 0), EXIT),

	REFUSED("division by 0", "division by 0", BPF_MOV64_IMM(R0, 1),
		BPF_ALU64_IMM(BPF_DIV, R0, 0), OUT),
	REFUSED("division by a register", "division by a register", BPF_MOV64_IMM(R0, 1),
		BPF_ALU64_REG(BPF_MOD, R0, R0), OUT),
	REFUSED("a shift by 64", "shift by 64", BPF_MOV64_IMM(R0, 1),
		BPF_ALU64_IMM(BPF_LSH, R0, 64), OUT),
	ACCEPTED("a shift by 63", BPF_MOV64_IMM(R0, 1), BPF_ALU64_IMM(BPF_LSH, R0, 63), OUT),
	REFUSED("a 32-bit shift by 32", "shift by 32", BPF_MOV64_IMM(R0, 1),
		BPF_ALU32_IMM(BPF_RSH, R0, 32), OUT),
	REFUSED("a shift by a register that is too large", "shift by 64", BPF_MOV64_IMM(R0, 1),
		BPF_MOV64_IMM(R1, 64), BPF_ALU64_REG(BPF_RSH, R0, R1), OUT),
	REFUSED("a shift by -1", "shift by -1", BPF_MOV64_IMM(R0, 1),
		BPF_ALU64_IMM(BPF_ARSH, R0, -1), OUT),
	REFUSED("a 32-bit arithmetic shift", "no 32-bit arithmetic", BPF_MOV64_IMM(R0, 1),
		BPF_ALU32_IMM(BPF_ARSH, R0, 1), OUT),
	REFUSED("a byte swap of 24 bits", "first instruction set", BPF_MOV64_IMM(R0, 1),
		BPF_ENDIAN(BPF_TO_BE, R0, 24), OUT),
	REFUSED("a 64-bit byte swap", "first instruction set", BPF_MOV64_IMM(R0, 1),
		RAW(BPF_ALU64 | BPF_END, 0, 0, 0, 64), OUT),
	REFUSED("a 32-bit jump", "first instruction set", BPF_MOV64_IMM(R0, 1),
		RAW(BPF_JMP32 | BPF_JEQ, 0, 0, 0, 0), OUT),
	REFUSED("an unused field", "must be 0", RAW(BPF_ALU64 | BPF_MOV | BPF_K, R0, R1, 0, 0),
		OUT),
	SINCE("a jump on less", "4.14", "no jump on less", BPF_MOV64_IMM(R0, 1),
	      IF(BPF_JLT, R0, 5, 0), OUT),
	REFUSED("an addition that returns the old value", "must be 0", ZERO(-8),
		BPF_MOV64_IMM(R0, 1), RAW(BPF_STX | BPF_XADD | BPF_DW, R10, R0, -8, BPF_FETCH),
		OUT),
	SINCE("an exchange", "5.15", "since 5.12", ZERO(-8), BPF_MOV64_IMM(R0, 0),
	      BPF_MOV64_IMM(R1, 1), BPF_STX_CMPXCHG(BPF_DW, R10, R1, -8), OUT),
	SINCE("the value of a map", "5.4", "since 5.2", MAP_VALUE(R1, 4),
	      BPF_LDX_MEM(BPF_DW, R0, R1, 0), OUT),
	REFUSED("the value of a map with many", "one entry", MAP_VALUE(R1, 1),
		BPF_LDX_MEM(BPF_DW, R0, R1, 0), OUT),
	REFUSED("an exchange of 4 bytes", "must be 0", ZERO(-8), BPF_MOV64_IMM(R0, 0),
		BPF_STX_CMPXCHG(BPF_W, R10, R0, -8), OUT),
	REFUSED("a load from a packet", "not for tracing",
		RAW(BPF_LD | BPF_ABS | BPF_W, 0, 0, 0, 8), OUT),

	ACCEPTED("the stack's ends", ZERO(-512), ZERO(-8), BPF_LDX_MEM(BPF_DW, R0, R10, -512), OUT),
	REFUSED("below the stack", "not to r10 -520", ZERO(-520), EXIT),
	REFUSED("above the stack", "not to r10 +0", BPF_ST_MEM(BPF_DW, R10, 0, 0), EXIT),
	REFUSED("an unaligned store to the stack", "must be aligned",
		BPF_ST_MEM(BPF_DW, R10, -12, 0), EXIT),
	REFUSED("stack nobody wrote", "nothing was stored there", BPF_LDX_MEM(BPF_DW, R0, R10, -8),
		OUT),
	REFUSED("stack half written", "nothing was stored", BPF_ST_MEM(BPF_W, R10, -8, 0),
		BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT),
	REFUSED("stack written on one path", "nothing was stored", CALL(ktime_get_ns),
		IF(BPF_JEQ, R0, 0, 1), ZERO(-8), BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT),
	ACCEPTED("stack written in two halves", BPF_ST_MEM(BPF_W, R10, -8, 0),
		 BPF_ST_MEM(BPF_W, R10, -4, 0), BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT),
	ACCEPTED("stack by a computed address", BPF_MOV64_IMM(R0, 1), STACK_ADDRESS(R2, -16),
		 BPF_STX_MEM(BPF_DW, R2, R0, 8), BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT),
	REFUSED("two additions to a stack address", "adding one constant", STACK_ADDRESS(R2, -16),
		BPF_ALU64_IMM(BPF_ADD, R2, 8), EXIT),
	REFUSED("a subtraction from r10", "adding one constant", BPF_MOV64_REG(R2, R10),
		BPF_ALU64_IMM(BPF_SUB, R2, 8), EXIT),
	ACCEPTED("a stored and loaded pointer", BPF_STX_MEM(BPF_DW, R10, R1, -8),
		 BPF_LDX_MEM(BPF_DW, R6, R10, -8), BPF_LDX_MEM(BPF_DW, R0, R6, 8), OUT),
	REFUSED("half a stored pointer", "is stored there, 8 bytes wide",
		BPF_STX_MEM(BPF_DW, R10, R1, -8), BPF_LDX_MEM(BPF_W, R0, R10, -8), OUT),
	REFUSED("a pointer stored in 4 bytes", "is 8 bytes wide", BPF_STX_MEM(BPF_W, R10, R1, -8),
		EXIT),
	REFUSED("a pointer partly overwritten", "nothing was stored",
		BPF_STX_MEM(BPF_DW, R10, R1, -8), BPF_ST_MEM(BPF_B, R10, -8, 0),
		BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT),
	REFUSED("a pointer on one path, data on the other", "nothing was stored",
		BPF_MOV64_REG(R6, R1), CALL(ktime_get_ns), ZERO(-8), IF(BPF_JEQ, R0, 0, 1),
		BPF_STX_MEM(BPF_DW, R10, R6, -8), BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT),
	ACCEPTED("an addition to the stack", ZERO(-8), BPF_MOV64_IMM(R0, 1),
		 BPF_STX_XADD(BPF_DW, R10, R0, -8), OUT),
	REFUSED("an addition to stack nobody wrote", "nothing was stored", BPF_MOV64_IMM(R0, 1),
		BPF_STX_XADD(BPF_DW, R10, R0, -8), OUT),
	REFUSED("an addition to a pointer", "not a number", BPF_STX_MEM(BPF_DW, R10, R1, -8),
		BPF_MOV64_IMM(R0, 1), BPF_STX_XADD(BPF_DW, R10, R0, -8), OUT),
	REFUSED("an addition to a byte", "first instruction set", ZERO(-8),
		BPF_STX_XADD(BPF_B, R10, R10, -8), EXIT),

	ACCEPTED("the context of a kprobe", BPF_LDX_MEM(BPF_DW, R0, R1, 160), OUT),
	REFUSED("beyond it", "the context has 168 bytes", BPF_LDX_MEM(BPF_DW, R0, R1, 168), OUT),
	REFUSED("before it", "the context has 168 bytes", BPF_LDX_MEM(BPF_DW, R0, R1, -8), OUT),
	REFUSED("an unaligned load from it", "must be aligned", BPF_LDX_MEM(BPF_W, R0, R1, 2), OUT),
	REFUSED("a store to it", "can't be written", BPF_ST_MEM(BPF_W, R1, 8, 0), EXIT),
	REFUSED("an addition to it", "can't be written", BPF_MOV64_IMM(R0, 1),
		BPF_STX_XADD(BPF_W, R1, R0, 8), OUT),
	REFUSED("a load from an address within it", "an address within the context",
		BPF_ALU64_IMM(BPF_ADD, R1, 8), BPF_LDX_MEM(BPF_W, R0, R1, 0), OUT),
	REFUSED("an unbounded number added to it", "below 2^29", BPF_LDX_MEM(BPF_DW, R2, R1, 8),
		BPF_ALU64_REG(BPF_ADD, R1, R2), EXIT),

	ACCEPTED("a value looked up", FIND, IF(BPF_JEQ, R0, 0, 1), BPF_LDX_MEM(BPF_DW, R0, R0, 8),
		 BPF_MOV64_IMM(R0, 1), OUT),
	ACCEPTED("the test turned round", FIND, IF(BPF_JNE, R0, 0, 2), EXIT,
		 BPF_LDX_MEM(BPF_DW, R0, R0, 8), OUT),
	REFUSED("a value that may be 0", "compare it with 0 first", FIND,
		BPF_LDX_MEM(BPF_DW, R0, R0, 0), OUT),
	REFUSED("a value on the wrong side of the test", "r0 is a number", FIND,
		IF(BPF_JNE, R0, 0, 1), BPF_LDX_MEM(BPF_DW, R0, R0, 0), BPF_MOV64_IMM(R0, 1), OUT),
	REFUSED("a copy of a value that was tested", "compare it with 0 first", FIND,
		BPF_MOV64_REG(R6, R0), IF(BPF_JEQ, R0, 0, 1), BPF_LDX_MEM(BPF_DW, R0, R6, 0), EXIT),
	REFUSED("beyond a value", "values of map hash have 16 bytes", FIND, IF(BPF_JEQ, R0, 0, 1),
		BPF_LDX_MEM(BPF_DW, R0, R0, 16), EXIT),
	REFUSED("before a value", "values of map hash have 16 bytes", FIND, IF(BPF_JEQ, R0, 0, 1),
		BPF_LDX_MEM(BPF_DW, R0, R0, -8), EXIT),
	REFUSED("an unaligned load from a value", "must be aligned", FIND, IF(BPF_JEQ, R0, 0, 1),
		BPF_LDX_MEM(BPF_DW, R0, R0, 4), EXIT),
	REFUSED("an address stored in a value", "maps keep data", FIND, IF(BPF_JEQ, R0, 0, 1),
		BPF_STX_MEM(BPF_DW, R0, R10, 0), EXIT),
	ACCEPTED("an addition to a value", FIND, IF(BPF_JEQ, R0, 0, 2), BPF_MOV64_IMM(R1, 1),
		 BPF_STX_XADD(BPF_W, R0, R1, 12), EXIT),
	SINCE("arithmetic on a value's address", "4.9",
	      "no arithmetic on the address of a map value", FIND, IF(BPF_JEQ, R0, 0, 2),
	      BPF_ALU64_IMM(BPF_ADD, R0, 8), BPF_LDX_MEM(BPF_DW, R0, R0, 0), EXIT),
	REFUSED("arithmetic that leaves the value", "value", FIND, IF(BPF_JEQ, R0, 0, 2),
		BPF_ALU64_IMM(BPF_ADD, R0, 24), BPF_LDX_MEM(BPF_DW, R0, R0, 0), EXIT),
	REFUSED("a load beyond what was added", "value", FIND, IF(BPF_JEQ, R0, 0, 2),
		BPF_ALU64_IMM(BPF_ADD, R0, 8), BPF_LDX_MEM(BPF_DW, R0, R0, 8), EXIT),
	ACCEPTED("a value of one of two maps", FIND, IF(BPF_JNE, R0, 0, 5), MAP_FD(R1, 3),
		 STACK_ADDRESS(R2, -8), CALL(map_lookup_elem), IF(BPF_JEQ, R0, 0, 1),
		 BPF_LDX_MEM(BPF_DW, R0, R0, 8), EXIT),
	REFUSED("a value of one of two maps that may be 0", "compare it with 0 first", FIND,
		IF(BPF_JNE, R0, 0, 5), MAP_FD(R1, 3), STACK_ADDRESS(R2, -8),
		CALL(map_lookup_elem), BPF_LDX_MEM(BPF_DW, R0, R0, 8), EXIT),
	REFUSED("values of two maps that differ in size", "not to the same kind of thing", FIND,
		IF(BPF_JNE, R0, 0, 5), MAP_FD(R1, 1), STACK_ADDRESS(R2, -8),
		CALL(map_lookup_elem), IF(BPF_JEQ, R0, 0, 1), BPF_LDX_MEM(BPF_DW, R0, R0, 0),
		EXIT),
	REFUSED("a value compared with a number", "not a number", FIND, IF(BPF_JGT, R0, 0, 0),
		EXIT),
	REFUSED("a load from a map", "r1 is a map", MAP_FD(R1, 0), BPF_LDX_MEM(BPF_DW, R0, R1, 0),
		OUT),
	REFUSED("a load by a number", "r1 is a number", BPF_MOV64_IMM(R1, 0),
		BPF_LDX_MEM(BPF_DW, R0, R1, 0), OUT),

	REFUSED("a helper that is not there", "no such helper",
		RAW(BPF_JMP | BPF_CALL, 0, 0, 0, 9999), EXIT),
	REFUSED("a helper of sonde's machine", "no such helper",
		RAW(BPF_JMP | BPF_CALL, 0, 0, 0, RING_COUNT_FULL), EXIT),
	REFUSED("a key nobody wrote", "not all of the 8 bytes", MAP_FD(R1, 0),
		STACK_ADDRESS(R2, -8), CALL(map_lookup_elem), EXIT),
	REFUSED("a key half written", "not all of the 8 bytes", BPF_ST_MEM(BPF_W, R10, -8, 0),
		MAP_FD(R1, 0), STACK_ADDRESS(R2, -8), CALL(map_lookup_elem), EXIT),
	REFUSED("a pointer as a key", "not all of the 8 bytes", BPF_STX_MEM(BPF_DW, R10, R1, -8),
		MAP_FD(R1, 0), STACK_ADDRESS(R2, -8), CALL(map_lookup_elem), EXIT),
	REFUSED("a key beyond the stack", "not within the stack", ZERO(-8), MAP_FD(R1, 0),
		STACK_ADDRESS(R2, -4), CALL(map_lookup_elem), EXIT),
	REFUSED("a key below the stack", "the stack reaches from", ZERO(-8), MAP_FD(R1, 0),
		STACK_ADDRESS(R2, -516), CALL(map_lookup_elem), EXIT),
	REFUSED("a number as a key", "must be a stack address", MAP_FD(R1, 0), BPF_MOV64_IMM(R2, 0),
		CALL(map_lookup_elem), EXIT),
	REFUSED("a number as a map", "r1 must be a map", ZERO(-8), BPF_MOV64_IMM(R1, 0),
		STACK_ADDRESS(R2, -8), CALL(map_lookup_elem), EXIT),
	SINCE("a key in a map value", "4.19", "r2 is a map value", FIND, IF(BPF_JEQ, R0, 0, 4),
	      BPF_MOV64_REG(R2, R0), MAP_FD(R1, 0), CALL(map_lookup_elem), EXIT),
	REFUSED("a lookup in an output", "does not work on a map", ZERO(-8), MAP_FD(R1, 2),
		STACK_ADDRESS(R2, -8), CALL(map_lookup_elem), EXIT),
	REFUSED("an element of an array deleted", "does not work on a map", ZERO(-8), MAP_FD(R1, 1),
		STACK_ADDRESS(R2, -8), CALL(map_delete_elem), EXIT),
	ACCEPTED("a map updated", ZERO(-8), ZERO(-16), MAP_FD(R1, 0), STACK_ADDRESS(R2, -8),
		 STACK_ADDRESS(R3, -16), BPF_MOV64_IMM(R4, 0), CALL(map_update_elem), EXIT),
	REFUSED("a map updated from half a value", "16 bytes at r10 -8 are not within the stack",
		ZERO(-8), MAP_FD(R1, 0), STACK_ADDRESS(R2, -8), STACK_ADDRESS(R3, -8),
		BPF_MOV64_IMM(R4, 0), CALL(map_update_elem), EXIT),
	ACCEPTED("memory read to written stack", ZERO(-8), STACK_ADDRESS(R1, -8),
		 BPF_MOV64_IMM(R2, 8), BPF_MOV64_IMM(R3, 0), CALL(probe_read),
		 BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT),
	SINCE("memory read to stack nobody wrote", "4.9", "store 0 there first",
	      STACK_ADDRESS(R1, -8), BPF_MOV64_IMM(R2, 8), BPF_MOV64_IMM(R3, 0), CALL(probe_read),
	      BPF_LDX_MEM(BPF_DW, R0, R10, -8), OUT),
	SINCE("memory read to a map value", "4.12", "r1 is a map value", FIND,
	      IF(BPF_JEQ, R0, 0, 4), BPF_MOV64_REG(R1, R0), BPF_MOV64_IMM(R2, 16),
	      BPF_MOV64_IMM(R3, 0), CALL(probe_read), EXIT),
	REFUSED("memory read beyond a map value", "value", FIND, IF(BPF_JEQ, R0, 0, 4),
		BPF_MOV64_REG(R1, R0), BPF_MOV64_IMM(R2, 17), BPF_MOV64_IMM(R3, 0),
		CALL(probe_read), EXIT),
	REFUSED("a size of 0", "between 1 and", ZERO(-8), STACK_ADDRESS(R1, -8),
		BPF_MOV64_IMM(R2, 0), BPF_MOV64_IMM(R3, 0), CALL(probe_read), EXIT),
	SINCE("a size that varies within bounds", "4.12", "must be a known constant", ZERO(-8),
	      BPF_LDX_MEM(BPF_DW, R2, R1, 8), STACK_ADDRESS(R1, -8), BPF_ALU64_IMM(BPF_AND, R2, 7),
	      BPF_ALU64_IMM(BPF_ADD, R2, 1), BPF_MOV64_IMM(R3, 0), CALL(probe_read), EXIT),
	REFUSED("a size that varies beyond them", "r", ZERO(-8), BPF_LDX_MEM(BPF_DW, R2, R1, 8),
		STACK_ADDRESS(R1, -8), BPF_ALU64_IMM(BPF_AND, R2, 15),
		BPF_ALU64_IMM(BPF_ADD, R2, 1), BPF_MOV64_IMM(R3, 0), CALL(probe_read), EXIT),
	REFUSED("a size that varies over a stored pointer", "r",
		BPF_STX_MEM(BPF_DW, R10, R1, -8), ZERO(-16), BPF_LDX_MEM(BPF_DW, R2, R1, 8),
		BPF_ALU64_IMM(BPF_AND, R2, 7), BPF_ALU64_IMM(BPF_ADD, R2, 9),
		STACK_ADDRESS(R1, -16), BPF_MOV64_IMM(R3, 0), CALL(probe_read),
		BPF_LDX_MEM(BPF_DW, R1, R10, -8), BPF_LDX_MEM(BPF_DW, R0, R1, 8), OUT),
	REFUSED("a size that is larger on one path", "r", ZERO(-8), CALL(ktime_get_ns),
		BPF_MOV64_IMM(R2, 64), IF(BPF_JEQ, R0, 0, 1), BPF_MOV64_IMM(R2, 8),
		STACK_ADDRESS(R1, -8), BPF_MOV64_IMM(R3, 0), CALL(probe_read), EXIT),
	SINCE("text read", "4.12", "no such helper", ZERO(-8), STACK_ADDRESS(R1, -8),
	      BPF_MOV64_IMM(R2, 8), BPF_MOV64_IMM(R3, 0), CALL(probe_read_str), EXIT),
	SINCE("text of user space read", "5.8", "no such helper", ZERO(-8), STACK_ADDRESS(R1, -8),
	      BPF_MOV64_IMM(R2, 8), BPF_MOV64_IMM(R3, 0), CALL(probe_read_user_str), EXIT),
	SINCE("who is current", "4.4", "no such helper", CALL(get_current_pid_tgid), OUT),
	SINCE("which CPU", "4.4", "no such helper", CALL(get_smp_processor_id), OUT),
	SINCE("registers of user space", "5.15", "no such helper", CALL(get_current_task_btf),
	      BPF_MOV64_REG(R1, R0), CALL(task_pt_regs), BPF_LDX_MEM(BPF_DW, R0, R0, 152), OUT),
	SINCE("a member of the current task", "5.15", "no such helper", CALL(get_current_task_btf),
	      BPF_LDX_MEM(BPF_W, R0, R0, 16), OUT),
	REFUSED("the current task written", "", CALL(get_current_task_btf),
		BPF_ST_MEM(BPF_W, R0, 16, 0), EXIT),
	REFUSED("those of a task that is a number", "call task_pt_regs", BPF_MOV64_IMM(R1, 0),
		CALL(task_pt_regs), OUT),
	SINCE("records to perf", "4.4", "no such helper", ZERO(-8), BPF_MOV64_REG(R6, R1),
	      CALL(get_smp_processor_id), BPF_MOV64_REG(R3, R0), BPF_MOV64_REG(R1, R6),
	      MAP_FD(R2, 2), STACK_ADDRESS(R4, -8), BPF_MOV64_IMM(R5, 8), CALL(perf_event_output),
	      EXIT),
	SINCE("records to perf of the current CPU", "4.7", "", ZERO(-8),
	      IMM64(R3, BPF_F_CURRENT_CPU), MAP_FD(R2, 2), STACK_ADDRESS(R4, -8),
	      BPF_MOV64_IMM(R5, 8), CALL(perf_event_output), EXIT),
	REFUSED("records to perf without the context", "", ZERO(-8), BPF_MOV64_IMM(R1, 0),
		BPF_MOV64_IMM(R3, 0), MAP_FD(R2, 2), STACK_ADDRESS(R4, -8), BPF_MOV64_IMM(R5, 8),
		CALL(perf_event_output), EXIT),
	SINCE("records to a ring buffer", "5.8", "no such helper", ZERO(-8), MAP_FD(R1, 2),
	      STACK_ADDRESS(R2, -8), BPF_MOV64_IMM(R3, 8), BPF_MOV64_IMM(R4, 0),
	      CALL(ringbuf_output), EXIT),
};

static const struct row tracepoint_rows[] = {
	SINCE("an input", "4.7", "came with 4.7", BPF_LDX_MEM(BPF_DW, R0, R1, 8), OUT),
	REFUSED("the common fields", "", BPF_LDX_MEM(BPF_W, R0, R1, 4), OUT),
	REFUSED("beyond the record", "", BPF_LDX_MEM(BPF_W, R0, R1, 16), OUT),
	SINCE("text behind the record", "4.7", "",
		ZERO(-8), BPF_LDX_MEM(BPF_W, R3, R1, 8), BPF_ALU64_IMM(BPF_AND, R3, 0xffff),
		BPF_ALU64_REG(BPF_ADD, R1, R3), BPF_MOV64_REG(R3, R1), STACK_ADDRESS(R1, -8),
		BPF_MOV64_IMM(R2, 8), CALL(probe_read), EXIT),
};

#define CALL_RING(HELPER) RAW(BPF_JMP | BPF_CALL, 0, 0, 0, RING_##HELPER)

static const struct row ring_rows[] = {
	ACCEPTED("a loop", BPF_MOV64_IMM(R6, 0), BPF_ALU64_IMM(BPF_ADD, R6, 1),
		 RAW(RING_AGAIN, 0, 0, -2, 0), EXIT),
	REFUSED("what the first turn knows alone", "r7 is not set, or not to the same kind",
		BPF_MOV64_IMM(R7, 1), BPF_MOV64_REG(R0, R7), BPF_MOV64_REG(R7, R10),
		RAW(RING_AGAIN, 0, 0, -3, 0), EXIT),
	REFUSED("a turn that goes on", "it goes back", RAW(RING_AGAIN, 0, 0, 0, 0), EXIT),
	ACCEPTED("a number of the record", RECORD(R0, BPF_DW, 8), OUT),
	REFUSED("one beyond it", "the record has 16 bytes", RECORD(R0, BPF_DW, 9), OUT),
	REFUSED("one before it", "not that long", RECORD(R0, BPF_DW, -1), OUT),
	ACCEPTED("one sign-extended", RAW(BPF_LD | BPF_ABS | BPF_B, R0, 1, 0, 15), OUT),
	REFUSED("one extended otherwise", "0 or 1", RAW(BPF_LD | BPF_ABS | BPF_B, R0, 2, 0, 15),
		OUT),
	REFUSED("one loaded to r10", "r10 can't be written", RECORD(R10, BPF_B, 0), EXIT),
	REFUSED("the context", "there is no context", BPF_LDX_MEM(BPF_W, R0, R1, 8), OUT),
	REFUSED("an address within the context", "the context", BPF_ALU64_IMM(BPF_ADD, R1, 8),
		EXIT),
	ACCEPTED("division by a register", BPF_MOV64_IMM(R0, 1), BPF_ALU64_REG(BPF_DIV, R0, R0),
		 OUT),
	REFUSED("memory read", "it has no such helper", ZERO(-8), STACK_ADDRESS(R1, -8),
		BPF_MOV64_IMM(R2, 8), BPF_MOV64_IMM(R3, 0), CALL(probe_read), EXIT),
	REFUSED("who the user is", "it has no such helper", CALL(get_current_uid_gid), OUT),
	ACCEPTED("a data_loc", BPF_MOV64_IMM(R1, 12), BPF_MOV64_IMM(R2, 1),
		 CALL_RING(STRING_LOC), OUT),
	REFUSED("one beyond the record", "the record has", BPF_MOV64_IMM(R1, 13),
		BPF_MOV64_IMM(R2, 0),
		CALL_RING(STRING_LOC), OUT),
	REFUSED("one nobody knows where", "must be a known constant", RECORD(R1, BPF_W, 8),
		CALL_RING(STRING_LOC), OUT),
	ACCEPTED("text in the record", BPF_MOV64_IMM(R1, 8), BPF_MOV64_IMM(R2, 8),
		 CALL_RING(STRING_ARRAY), OUT),
	REFUSED("text beyond it", "the record has", BPF_MOV64_IMM(R1, 8), BPF_MOV64_IMM(R2, 9),
		CALL_RING(STRING_ARRAY), OUT),
	ACCEPTED("text read to stack nobody wrote", STACK_ADDRESS(R1, -8), BPF_MOV64_IMM(R2, 8),
		 BPF_MOV64_IMM(R3, 0), CALL_RING(READ_STRING), BPF_LDX_MEM(BPF_DW, R0, R10, -8),
		 OUT),
	ACCEPTED("a record handed over", ZERO(-8), MAP_FD(R1, 2), STACK_ADDRESS(R2, -8),
		 BPF_MOV64_IMM(R3, 8), CALL_RING(OUTPUT), OUT),
	REFUSED("a record handed over to a hash", "does not work on", ZERO(-8), MAP_FD(R1, 0),
		STACK_ADDRESS(R2, -8), BPF_MOV64_IMM(R3, 8), CALL_RING(OUTPUT), OUT),
	REFUSED("a map as a number", "r1 must be a number", MAP_FD(R1, 0), CALL_RING(STRING_PART),
		OUT),
	REFUSED("arithmetic on a value's address", "no arithmetic on the address", FIND,
		IF(BPF_JEQ, R0, 0, 1), BPF_ALU64_IMM(BPF_ADD, R0, 8), EXIT),
	REFUSED("two addresses compared", "not a number", BPF_MOV64_REG(R2, R10),
		IF_REG(BPF_JEQ, R2, R10, 0), EXIT),
};

/* Argument 1 is a struct, 0 a number. */
#define STRUCT(REG)	BPF_LDX_MEM(BPF_DW, REG, R1, 8)
#define NUMBER(REG)	BPF_ALU64_IMM(BPF_NEG, REG, 0), BPF_ALU64_IMM(BPF_NEG, REG, 0)
#define SINCE_TYPED(WHAT, ...)	SINCE(WHAT, "5.8", "came with 5.5", __VA_ARGS__)

static const struct row typed_rows[] = {
	SINCE_TYPED("an argument that is a number", BPF_LDX_MEM(BPF_DW, R0, R1, 0),
		    BPF_ALU64_IMM(BPF_LSH, R0, 32), OUT),
	SINCE_TYPED("a member", STRUCT(R3), BPF_LDX_MEM(BPF_W, R0, R3, 1264), OUT),
	SINCE_TYPED("a member of a struct that a member points to", STRUCT(R3),
		    BPF_LDX_MEM(BPF_DW, R2, R3, 8), IF(BPF_JEQ, R2, 0, 1),
		    BPF_LDX_MEM(BPF_W, R2, R2, 4), EXIT),
	SINCE_TYPED("a member of a struct that was kept on the stack", STRUCT(R3),
		    BPF_STX_MEM(BPF_DW, R10, R3, -8), BPF_LDX_MEM(BPF_DW, R2, R10, -8),
		    BPF_LDX_MEM(BPF_W, R0, R2, 1264), OUT),
	SINCE_TYPED("a member behind a constant", STRUCT(R3), BPF_ALU64_IMM(BPF_ADD, R3, 1260),
		    BPF_LDX_MEM(BPF_W, R0, R3, 4), OUT),
	SINCE_TYPED("the address of a struct as a number", STRUCT(R3), NUMBER(R3),
		    BPF_ALU64_IMM(BPF_RSH, R3, 3), BPF_MOV64_REG(R0, R3), OUT),
	SINCE_TYPED("the context's address as a number", BPF_MOV64_REG(R3, R1), NUMBER(R3),
		    BPF_STX_MEM(BPF_DW, R10, R3, -8), BPF_LDX_MEM(BPF_W, R0, R10, -8), OUT),
	SINCE_TYPED("a helper that reads a struct", STRUCT(R3), ZERO(-8),
		    BPF_ALU64_IMM(BPF_ADD, R3, 8), STACK_ADDRESS(R1, -8), BPF_MOV64_IMM(R2, 8),
		    CALL(probe_read), EXIT),
};

/* What no kernel takes; those before 5.5 take no such program. */
static const struct row typed_refused[] = {
	REFUSED("half an argument", "8 bytes", BPF_LDX_MEM(BPF_W, R0, R1, 0), OUT),
	REFUSED("more arguments than there are", "the context has", BPF_LDX_MEM(BPF_DW, R0, R1, 96),
		OUT),
	REFUSED("a struct written", "can't be written", STRUCT(R3), BPF_ST_MEM(BPF_W, R3, 8, 0),
		EXIT),
	REFUSED("a struct added to", "can't be written", STRUCT(R3), BPF_MOV64_IMM(R0, 1),
		BPF_STX_XADD(BPF_DW, R3, R0, 8), EXIT),
	REFUSED("arithmetic with a struct", "only constants", STRUCT(R3),
		BPF_ALU64_IMM(BPF_LSH, R3, 32), EXIT),
	REFUSED("a number that varies added", "only constants", BPF_LDX_MEM(BPF_DW, R2, R1, 0),
		STRUCT(R3), BPF_ALU64_REG(BPF_ADD, R3, R2), EXIT),
	REFUSED("a byte before the struct", "no byte -4", STRUCT(R3),
		BPF_LDX_MEM(BPF_W, R0, R3, -4), OUT),
	REFUSED("a member that is not aligned", "aligned", STRUCT(R3),
		BPF_LDX_MEM(BPF_DW, R0, R3, 12), OUT),
	REFUSED("a struct of a struct", "compare it with 0 first", STRUCT(R3),
		BPF_LDX_MEM(BPF_DW, R2, R3, 8), BPF_LDX_MEM(BPF_W, R0, R2, 0), OUT),
	REFUSED("a struct of a struct, where it is NULL", "r2 is a number", STRUCT(R3),
		BPF_LDX_MEM(BPF_DW, R2, R3, 8), IF(BPF_JNE, R2, 0, 1),
		BPF_LDX_MEM(BPF_W, R2, R2, 0), EXIT),
	REFUSED("a part of an address", "r2 is a number", STRUCT(R3),
		BPF_LDX_MEM(BPF_W, R2, R3, 8), IF(BPF_JEQ, R2, 0, 1),
		BPF_LDX_MEM(BPF_W, R2, R2, 0), EXIT),
	REFUSED("a number added to a struct of a struct", "r2 is a number", STRUCT(R3),
		BPF_LDX_MEM(BPF_DW, R2, R3, 8), IF(BPF_JEQ, R2, 0, 2),
		BPF_ALU64_IMM(BPF_ADD, R2, 8), BPF_LDX_MEM(BPF_W, R2, R2, 0), EXIT),
	REFUSED("a struct of a struct written", "can't be written", STRUCT(R3),
		BPF_LDX_MEM(BPF_DW, R2, R3, 8), IF(BPF_JEQ, R2, 0, 1),
		BPF_ST_MEM(BPF_W, R2, 0, 0), EXIT),
	REFUSED("a struct in a map", "maps keep data", STRUCT(R6), FIND, IF(BPF_JEQ, R0, 0, 1),
		BPF_STX_MEM(BPF_DW, R0, R6, 0), EXIT),
	REFUSED("a struct compared", "not a number", STRUCT(R3), IF(BPF_JEQ, R3, 0, 0), EXIT),
	REFUSED("a struct returned", "the program's result", STRUCT(R0), OUT),
};

static unsigned int plain(const struct row *row, struct bpf_insn *insns)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < ROOM; i++) {
		insns[i] = row->program[i].bpf;
		if (row->program[i].line)
			n = i + 1;
	}
	return n;
}

static void check_row(const struct row *row, const struct generation *g, enum program_type type,
		      bool accepted)
{
	struct check c = { g, type, maps, sizeof(maps) / sizeof(maps[0]),
			   type == TYPE_KPROBE ? KPROBE_SIZE :
			   type == TYPE_TYPED ? TYPED_SIZE : RECORD_SIZE, .structs = 1 << 1 };
	struct bpf_insn insns[ROOM];
	unsigned int n = plain(row, insns);
	struct error err = { "" };
	int result = check(insns, n, &c, &err);

	if (accepted)
		ck_assert_msg(!result, "%s, %s: refused: %s", row->what, g->name, err.text);
	else
		ck_assert_msg(result == -1 && strstr(err.text, row->refused),
			      "%s, %s: not refused for \"%s\", but: %d %s", row->what, g->name,
			      row->refused, result, err.text);
}

static void check_rows(const struct row *rows, unsigned int n, enum program_type type)
{
	for (unsigned int i = 0; i < n; i++) {
		bool accepted = !rows[i].refused;

		for (const struct generation *g = generations; g->name; g++) {
			if (rows[i].since && !strcmp(rows[i].since, g->name))
				accepted = true;
			check_row(&rows[i], g, type, accepted);
		}
	}
}

#define ROWS(rows) (rows), sizeof(rows) / sizeof((rows)[0])

START_TEST(test_kernels)
{
	check_rows(ROWS(kernel_rows), TYPE_KPROBE);
}
END_TEST

START_TEST(test_tracepoints)
{
	check_rows(ROWS(tracepoint_rows), TYPE_TRACEPOINT);
}
END_TEST

START_TEST(test_typed)
{
	check_rows(ROWS(typed_rows), TYPE_TYPED);
	for (unsigned int i = 0; i < sizeof(typed_refused) / sizeof(typed_refused[0]); i++)
		for (const struct generation *g = generation_by_name("5.8"); g->name; g++)
			check_row(&typed_refused[i], g, TYPE_TYPED, false);
}
END_TEST

START_TEST(test_ring)
{
	for (unsigned int i = 0; i < sizeof(ring_rows) / sizeof(ring_rows[0]); i++)
		check_row(&ring_rows[i], &generation_ring, TYPE_TRACEPOINT, !ring_rows[i].refused);
}
END_TEST

/* What is written in a message: who refuses, which instruction, which rule. */
START_TEST(test_message)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 0, .src_reg = 1, .off = 4 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	struct check c = { .generation = generation_by_name("4.9"), .type = TYPE_TRACEPOINT };
	struct error err;

	ck_assert_int_eq(check(insns, 2, &c, &err), -1);
	ck_assert_str_eq(err.text, "kernel 4.9 would refuse instruction 0, r0 = *(u32 *)(r1 +4): "
			 "bytes 0 to 7 of a tracepoint's context are the kernel's own");
	c.generation = &generation_ring;
	ck_assert_int_eq(check(insns, 2, &c, &err), -1);
	ck_assert_str_eq(err.text, "sonde's machine refuses instruction 0, r0 = *(u32 *)(r1 +4): "
			 "there is no context here: the record is loaded by BPF_LD | BPF_ABS");
}
END_TEST

/* Where nobody says how long a record is, no program may read more than perf hands over. */
START_TEST(test_unknown_size)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 0, .src_reg = 1, .off = 2044 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	struct check c = { .generation = generation_by_name("6.1"), .type = TYPE_TRACEPOINT };

	ck_assert_int_eq(check(insns, 2, &c, NULL), 0);
	insns[0].off = 2048;
	ck_assert_int_eq(check(insns, 2, &c, NULL), -1);
}
END_TEST

START_TEST(test_record_bytes)
{
	static const struct row row = ACCEPTED("",
		RECORD(R6, BPF_W, 8), BPF_MOV64_IMM(R1, 30), BPF_MOV64_IMM(R2, 0),
		CALL_RING(STRING_LOC),
		BPF_MOV64_IMM(R1, 12), BPF_MOV64_IMM(R2, 16), CALL_RING(STRING_ARRAY), EXIT);
	struct check c = { .generation = &generation_ring };
	struct bpf_insn insns[ROOM];
	unsigned int n = plain(&row, insns);
	uint32_t bytes;

	ck_assert_int_eq(check_record(insns, n, &c, &bytes, NULL), 0);
	ck_assert_uint_eq(bytes, 34);
}
END_TEST

/*
 * r0 = now; then n times: if (r0 == i) REG = i, with REG never the same on two paths: each doubles
 * the paths.
 */
static unsigned int branchy(struct bpf_insn *insns, unsigned int n, bool alike)
{
	unsigned int at = 0;

	insns[at++] = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns };
	insns[at++] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 6 };
	for (unsigned int i = 0; i < n; i++) {
		insns[at++] = (struct bpf_insn){ .code = BPF_JMP | BPF_JSET | BPF_K,
						 .off = 1,
						 .imm = 1 << i };
		insns[at++] =
			(struct bpf_insn){ .code = BPF_ALU64 | (alike ? BPF_MOV : BPF_ADD) | BPF_K,
					   .dst_reg = 6,
					   .imm = alike ? 0 : 1 << i };
	}
	insns[at++] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	return at;
}

static int check_branchy(const char *generation, unsigned int n, bool alike, struct error *err)
{
	struct check c = { .generation = generation_by_name(generation) };
	struct bpf_insn insns[128];

	return check(insns, branchy(insns, n, alike), &c, err);
}

/* n doublings are about 3 * 2^n instructions. */
START_TEST(test_walked)
{
	struct error err;

	ck_assert_int_eq(check_branchy("4.1", 12, false, &err), 0);
	ck_assert_int_eq(check_branchy("4.1", 15, false, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "it looks at 32768 instructions at most"));
	ck_assert_int_eq(check_branchy("4.9", 14, false, &err), 0);
	ck_assert_int_eq(check_branchy("4.19", 17, false, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "it looks at 131072 instructions at most"));
	ck_assert_int_eq(check_branchy("5.4", 30, false, &err), 0);
	/* Where the paths agree when they meet, only one goes on. */
	ck_assert_int_eq(check_branchy("4.1", 30, true, &err), 0);
}
END_TEST

START_TEST(test_length)
{
	struct bpf_insn *insns = calloc(4097, sizeof(*insns));
	struct check c = { .generation = generation_by_name("4.19") };
	struct error err;

	for (unsigned int i = 0; i < 4096; i++)
		insns[i] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K };
	insns[4095].code = insns[4096].code = BPF_JMP | BPF_EXIT;
	ck_assert_int_eq(check(insns, 4096, &c, &err), 0);
	insns[4095].code = BPF_ALU64 | BPF_MOV | BPF_K;
	ck_assert_int_eq(check(insns, 4097, &c, &err), -1);
	ck_assert_str_eq(err.text, "the program has 4097 instructions: 4.19 takes 1 to 4096");
	c.generation = generation_by_name("5.4");
	ck_assert_int_eq(check(insns, 4097, &c, &err), 0);
	ck_assert_int_eq(check(insns, 0, &c, &err), -1);
	c.generation = &generation_ring;
	ck_assert_int_eq(check(insns, 4097, &c, &err), 0);
	free(insns);
}
END_TEST

START_TEST(test_names)
{
	ck_assert_str_eq(generations[0].name, "4.1");
	for (const struct generation *g = generations; g->name; g++)
		ck_assert_ptr_eq(generation_by_name(g->name), g);
	ck_assert_ptr_eq(generation_by_name("ring"), &generation_ring);
	ck_assert_ptr_null(generation_by_name("3.10"));
}
END_TEST

Suite *suite_check(void)
{
	const struct {
		const char *name;
		const TTest *test;
	} cases[] = {
		{ "kernels", test_kernels },
		{ "tracepoints", test_tracepoints },
		{ "typed tracepoints", test_typed },
		{ "ring", test_ring },
		{ "message", test_message },
		{ "unknown_size", test_unknown_size },
		{ "record_bytes", test_record_bytes },
		{ "walked", test_walked },
		{ "length", test_length },
		{ "names", test_names },
	};
	Suite *suite = suite_create("check");

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_add_test(tcase, cases[i].test);
		suite_add_tcase(suite, tcase);
	}
	return suite;
}
