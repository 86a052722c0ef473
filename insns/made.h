/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MADE_H
#define SONDE_MADE_H

#include <sys/stat.h>

#include "insns/common.h"

/*
 * Is the event made.file that of a new file? An open that made its file says so with a flag of the
 * struct file. Without the flag there are two steps: made.may tells for which name a file may be
 * made (an open asks before it has looked whether there is one), and made.file tells that a name
 * got an inode, of any kind. A file was made if both are of one name and one task. Where nobody
 * asks, the inode itself tells: a file, and not one that has a name already or is in no folder.
 *
 * made.may:	made[tid] = dentry
 * made.file:	if (f_mode has no FMODE_CREATED, or take made[tid] != dentry) goto OUT
 *		if (mode is no file's, or links != 1, or parent == dentry) goto OUT
 */
#define FMODE_CREATED (1 << 20)		/* 4.19 */

/* An entry whose file was not made stays until the same task asks again, or it gives way. */
#define MADE_MAP { "made", MAP_HASH, ROLE_HINT, 4, 8, 10240, .detail = true }

/* A member `made` of the frame. */
struct made {
	uint32_t tid;
	u64 dentry;
};

#define MADE_MAY \
	SET_FIELD(made.tid, "tid"), \
	SET_FIELD(made.dentry, "dentry"), \
	STORE("made", made.tid, made.dentry),		/* made[tid] = dentry */ \
	EXIT

/* Behind the program on made.file: the order of that hook's families is the order of choice. */
#define MADE_PROGRAM PROGRAM("made.may", on_made_may, .spare = true)

/* Clobbers r6 and r7. */
#define JUMP_UNLESS_MADE(OUT) \
	JUMP_UNLESS("hook:made.may", ".flag"), \
	SET_FIELD(made.tid, "tid"), \
	TAKE(R6, "made", made.tid), \
	FIELD(R7, "dentry"), \
	JNE_REG(R6, R7, OUT), \
	JUMP(".made"), \
	LABEL(".flag"), \
	FIELD(R7, "f_mode"), \
	BPF_ALU64_IMM(BPF_AND, R7, FMODE_CREATED), \
	JEQ(R7, 0, OUT), \
	FIELD(R7, "mode"), \
	BPF_ALU64_IMM(BPF_AND, R7, S_IFMT), \
	JNE(R7, S_IFREG, OUT), \
	FIELD(R7, "links"), \
	JNE(R7, 1, OUT), \
	FIELD(R6, "parent"), \
	FIELD(R7, "dentry"), \
	JEQ_REG(R6, R7, OUT), \
	LABEL(".made")

#endif
