/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MADE_H
#define SONDE_MADE_H

#include "insns/common.h"

/*
 * Whether the event made.file is that of a file that was made just now. An open that made its file says so with a flag
 * of the struct file. Where that can't be had, there are two steps: made.may tells for which name a file may be made (an
 * open asks before it has looked whether there is one), and made.file that a name got an inode, of whatever kind. A file
 * was made where both are of one name and one task.
 *
 * made.may:	made[tid] = dentry
 * made.file:	if (f_mode has no FMODE_CREATED, or take made[tid] != dentry) goto OUT
 */
#define FMODE_CREATED (1 << 20)		/* 4.19 */

/* What was asked for and not made stays, until the same task asks again or it gives way. */
#define MADE_MAP { "made", MAP_HASH, ROLE_HINT, 4, 8, 10240 }
#define MADE_KEY -8
#define MADE_DENTRY -16

static const struct insn made_may[] = {
	FIELD(R6, "tid"),
	BPF_STX_MEM(BPF_W, R10, R6, MADE_KEY),
	FIELD(R6, "dentry"),
	BPF_STX_MEM(BPF_DW, R10, R6, MADE_DENTRY),
	STORE("made", MADE_KEY, MADE_DENTRY),		/* made[tid] = dentry */
	EXIT,
};

/* Comes behind that of made.file, whose families' order is the order of choice. */
#define MADE_PROGRAM PROGRAM("made.may", made_may, .spare = true)

/* Clobbers r6, r7 and the stack from MADE_DENTRY up. */
#define UNLESS_MADE(OUT) \
	UNLESS("hook:made.may", ".flag"), \
	FIELD(R6, "tid"), \
	BPF_STX_MEM(BPF_W, R10, R6, MADE_KEY), \
	TAKE(R6, "made", MADE_KEY), \
	FIELD(R7, "dentry"), \
	JUMP_IF_REG(BPF_JNE, R6, R7, OUT), \
	JUMP(".made"), \
	LABEL(".flag"), \
	FIELD(R7, "f_mode"), \
	BPF_ALU64_IMM(BPF_AND, R7, FMODE_CREATED), \
	JUMP_IF(BPF_JEQ, R7, 0, OUT), \
	LABEL(".made")

#endif
