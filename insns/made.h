/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MADE_H
#define SONDE_MADE_H

#include <sys/stat.h>

#include "insns/common.h"

/*
 * Tests whether an event of made.file is about a new file. Since 4.19 an open that made its file
 * sets a flag in struct file. Older kernels need two events: made.may tells the name for which a
 * task may make a file (an open calls it before it looks whether the file exists), and made.file
 * tells that a name got an inode of any kind. A file was made if both have one name and one task.
 * If made.may is missing, the inode itself must tell: a regular file that has no other name, and is
 * in a folder.
 *
 * made.may:	made[tid] = dentry
 * made.file:	if (f_mode has no FMODE_CREATED, or take made[tid] != dentry) goto OUT
 *		if (mode is no file's, or links != 1, or parent == dentry) goto OUT
 */
#define FMODE_CREATED (1 << 20)		/* 4.19 */

/* An entry without a made file stays until the task calls made.may again, or it is evicted. */
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

/* To be listed behind the program on made.file: that hook's families decide the choice. */
#define MADE_PROGRAM PROGRAM("made.may", on_made_may, .spare = true)

/* Registers. */
enum { MAY_BE_MADE = R6, FOLDER = R6, MADE = R7, MADE_MODE = R7, MADE_LINKS = R7 };

#define JUMP_UNLESS_MADE(OUT) \
	JUMP_UNLESS("hook:made.may", ".flag"), \
	SET_FIELD(made.tid, "tid"), \
	TAKE(MAY_BE_MADE, "made", made.tid), \
	FIELD(MADE, "dentry"), \
	JNE_REG(MAY_BE_MADE, MADE, OUT), \
	JUMP(".made"), \
	LABEL(".flag"), \
	FIELD(MADE_MODE, "f_mode"), \
	BPF_ALU64_IMM(BPF_AND, MADE_MODE, FMODE_CREATED), \
	JEQ(MADE_MODE, 0, OUT), \
	FIELD(MADE_MODE, "mode"), \
	BPF_ALU64_IMM(BPF_AND, MADE_MODE, S_IFMT), \
	JNE(MADE_MODE, S_IFREG, OUT), \
	FIELD(MADE_LINKS, "links"), \
	JNE(MADE_LINKS, 1, OUT), \
	FIELD(FOLDER, "parent"), \
	FIELD(MADE, "dentry"), \
	JEQ_REG(FOLDER, MADE, OUT), \
	LABEL(".made")

#endif
