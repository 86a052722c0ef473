/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_REQUEST_H
#define SONDE_INSNS_REQUEST_H

#include "insns/common.h"
#include "insns/disk_maps.h"

/*
 * For programs that follow requests to disks by `request`, the address of the kernel's struct. A
 * request has it from the time it is made until it is done, however often it is issued, whatever is
 * put in front of it, and in how many parts it is done. The next request may have the same address:
 * an entry whose end was missed is overwritten then. Where events do not tell the request, programs
 * make a key (insns/disk.h).
 */

/* What `flags` has, the same on all kernels since 4.10: an operation, and bits. */
#define REQ_OP_MASK	0xff
#define REQ_OP_READ	0
#define REQ_OP_WRITE	1
#define REQ_OP_FLUSH	2
#define REQ_OP_DISCARD	3
#define REQ_OP_SECURE_ERASE 5
#define REQ_OP_WRITE_ZEROES 9
#define REQ_OP_LAST	31	/* behind it: commands that programs send to the device */
#define REQ_SYNC	(1 << 11)
#define REQ_META	(1 << 12)
#define REQ_FUA		(1 << 17)
#define REQ_PREFLUSH	(1 << 18)
#define REQ_RAHEAD	(1 << 19)
#define REQ_ATOMIC	(1 << 27)	/* 6.11, of writes; of others it is another flag */

/* Of the whole disk; a member `numbers` of the frame. */
struct disk_numbers {
	uint32_t major;
	uint32_t minor;
};

/* REG = dev; clobbers r0 to r5. */
#define REQUEST_DEV(REG) \
	SET_BYTES(numbers, "numbers"), \
	GET(REG, numbers.major), \
	BPF_ALU64_IMM(BPF_LSH, REG, 20), \
	GET(R1, numbers.minor), \
	BPF_ALU64_REG(BPF_OR, REG, R1)

/* If the user asked for another disk, goto OUT. Clobbers REG (r6 to r9). */
#define OF_THIS_DISK(REG, OUT) \
	JUMP_UNLESS("dev", ".any"), \
	REQUEST_DEV(REG), \
	CONST(R1, "dev"), \
	JNE_REG(REG, R1, OUT), \
	LABEL(".any")

/*
 * OPERATION = that of the request. If it is a command that a program sends to the device, or if the
 * user asked for another disk, goto OUT. Clobbers DEV.
 */
#define FOLLOWED_REQUEST(OPERATION, DEV, OUT) \
	FIELD(OPERATION, "flags"), \
	BPF_ALU64_IMM(BPF_AND, OPERATION, REQ_OP_MASK), \
	JGT(OPERATION, REQ_OP_LAST, OUT), \
	OF_THIS_DISK(DEV, OUT)

/*
 * BYTES = how many are done. If others are still to come, goto OUT. If there was nothing to be
 * done, goto NOTHING: who asked for a flush gets its own request done, without bytes; but the flush
 * that was made of it is a request. Clobbers r0 to r5.
 */
#define WHOLE_REQUEST_DONE(BYTES, NOTHING, OUT) \
	FIELD(BYTES, "bytes"), \
	FIELD(R1, "left"), \
	JLT_REG(BYTES, R1, OUT), \
	JNE(BYTES, 0, ".some"), \
	FIELD(R1, "flags"), \
	BPF_ALU64_IMM(BPF_AND, R1, REQ_OP_MASK), \
	JNE(R1, REQ_OP_FLUSH, NOTHING), \
	LABEL(".some")

/* OPERATION becomes its letter, as the kernel's records have it; N: any other. Clobbers r1. */
#define OPERATION_LETTER(OPERATION) \
	JEQ(OPERATION, REQ_OP_READ, ".read"), \
	JEQ(OPERATION, REQ_OP_WRITE, ".write"), \
	JEQ(OPERATION, REQ_OP_FLUSH, ".flush"), \
	JEQ(OPERATION, REQ_OP_DISCARD, ".discard"), \
	JEQ(OPERATION, REQ_OP_SECURE_ERASE, ".discard"), \
	JNE(OPERATION, REQ_OP_WRITE_ZEROES, ".other"), \
	CONST(R1, "zeroes_are_writes"), \
	JNE(R1, 0, ".write"), \
	LABEL(".other"), \
	BPF_MOV64_IMM(OPERATION, 'N'), \
	JUMP(".letter"), \
	LABEL(".read"), \
	BPF_MOV64_IMM(OPERATION, 'R'), \
	JUMP(".letter"), \
	LABEL(".write"), \
	BPF_MOV64_IMM(OPERATION, 'W'), \
	JUMP(".letter"), \
	LABEL(".flush"), \
	BPF_MOV64_IMM(OPERATION, 'F'), \
	JUMP(".letter"), \
	LABEL(".discard"), \
	BPF_MOV64_IMM(OPERATION, 'D'), \
	LABEL(".letter")

/* LETTERS = LETTER, and behind it what it was. */
#define ADD_LETTER(LETTERS, LETTER) \
	BPF_ALU64_IMM(BPF_LSH, LETTERS, 8), \
	BPF_ALU64_IMM(BPF_OR, LETTERS, LETTER)
/* The same if FLAGS has the bit. Clobbers r1. */
#define ADD_FLAG(LETTERS, FLAGS, BIT, LETTER) \
	BPF_MOV64_REG(R1, FLAGS), \
	BPF_ALU64_IMM(BPF_AND, R1, BIT), \
	JEQ(R1, 0, ".unset"), \
	ADD_LETTER(LETTERS, LETTER), \
	LABEL(".unset")

/*
 * LETTERS = 8 bytes as `rwbs` has them: what precedes the operation, its letter, and flags. LETTER
 * is the operation's letter, FLAGS the input. They are put together from the last to the first.
 * Clobbers r1, r2.
 */
#define REQUEST_LETTERS(LETTERS, LETTER, FLAGS) \
	BPF_MOV64_IMM(LETTERS, 0), \
	BPF_MOV64_REG(R2, FLAGS), \
	BPF_ALU64_IMM(BPF_AND, R2, REQ_OP_MASK), \
	JNE(R2, REQ_OP_WRITE, ".no_write"), \
	ADD_FLAG(LETTERS, FLAGS, REQ_ATOMIC, 'U'), \
	LABEL(".no_write"), \
	ADD_FLAG(LETTERS, FLAGS, REQ_META, 'M'), \
	ADD_FLAG(LETTERS, FLAGS, REQ_SYNC, 'S'), \
	ADD_FLAG(LETTERS, FLAGS, REQ_RAHEAD, 'A'), \
	ADD_FLAG(LETTERS, FLAGS, REQ_FUA, 'F'), \
	JNE(R2, REQ_OP_SECURE_ERASE, ".no_erase"), \
	ADD_LETTER(LETTERS, 'E'), \
	LABEL(".no_erase"), \
	JNE(R2, REQ_OP_WRITE_ZEROES, ".no_zeroes"), \
	JNE(LETTER, 'W', ".no_zeroes"), \
	ADD_LETTER(LETTERS, 'Z'), \
	LABEL(".no_zeroes"), \
	BPF_ALU64_IMM(BPF_LSH, LETTERS, 8), \
	BPF_ALU64_REG(BPF_OR, LETTERS, LETTER), \
	ADD_FLAG(LETTERS, FLAGS, REQ_PREFLUSH, 'F'), \
	BPF_ENDIAN(BPF_TO_LE, LETTERS, 64)

#endif
