/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FS_COMMON_H
#define SONDE_FS_COMMON_H

#include <fcntl.h>
#include <sys/stat.h>

#include "insns/programs/fs.h"

/* What programs on operations of files share, however they learn which file it is. */

struct key {
	uint32_t tid;
	uint32_t operation;
};

/* The programs: `on_enter` and `on_exit` of each file system. OPTIONAL: some kernels lack those. */
#define BOTH(HOOK, ...) \
	PROGRAM(HOOK "enter", on_enter, __VA_ARGS__), PROGRAM(HOOK "exit", on_exit, __VA_ARGS__)
#define FS_PROGRAMS(OPTIONAL) \
	BOTH("btrfs.", .option = "btrfs"), \
	BOTH("btrfs.read_", .option = "btrfs", .optional = OPTIONAL), \
	BOTH("btrfs.open_", .option = "btrfs", .optional = OPTIONAL), \
	BOTH("ext4.", .option = "ext4"), \
	BOTH("ext4.read_", .option = "ext4", .optional = OPTIONAL), \
	BOTH("ext4.getattr_", .option = "ext4_getattr"), \
	BOTH("f2fs.", .option = "f2fs"), \
	BOTH("f2fs.read_", .option = "f2fs", .optional = OPTIONAL), \
	BOTH("f2fs.open_", .option = "f2fs", .optional = OPTIONAL), \
	BOTH("f2fs.getattr_", .option = "f2fs_getattr", .optional = OPTIONAL), \
	BOTH("nfs.", .option = "nfs"), \
	BOTH("nfs.getattr_", .option = "nfs_getattr"), \
	BOTH("xfs.", .option = "xfs"), \
	BOTH("zfs.", .option = "zfs"), \
	BOTH("vfs.", .option = "vfs"), \
	BOTH("vfs.vector_", .option = "vfs", .optional = OPTIONAL)

enum { MAGIC = R6, OPENED = R6, MODE = R6, NAME = R6, ABOVE = R8 };

/* if (the file is on another file system, a directory, or none that was asked for) goto OUT */
#define ASKED_FOR(OUT) \
	FIELD(MAGIC, "magic"), \
	JEQ(MAGIC, 0, ".ours"), \
	CONST(R1, "magic"), \
	JNE_REG(MAGIC, R1, OUT),		/* on another file system */ \
	LABEL(".ours"), \
	FIELD(OPENED, "as?"), \
	JSET(OPENED, O_DIRECTORY, OUT),		/* a directory is opened */ \
	JUMP_UNLESS("regular", ".any"), \
	FIELD(MODE, "mode"), \
	BPF_ALU64_IMM(BPF_AND, MODE, S_IFMT), \
	JNE(MODE, S_IFREG, OUT),		/* a pipe, a terminal, a socket */ \
	LABEL(".any")

/* frame.M = the file's name */
#define SET_NAME(M) \
	JUMP_UNLESS("input:name", ".no_name"), \
	STRING(NAME, "name?"), \
	SET_KERNEL_PATH(M, NAME), \
	JUMP(".named"), \
	LABEL(".no_name"), \
	NO_PATH(M), \
	LABEL(".named")

/*
 * ABOVE, a dentry, becomes its parent directory, which is output. A root, or a dentry in no
 * directory, is its own parent: goto TOP.
 */
#define CLIMB(N, TOP) \
	PEEK(R1, ABOVE, "dentry.d_parent"), \
	JEQ_REG(R1, ABOVE, TOP), \
	BPF_MOV64_REG(ABOVE, R1), \
	PEEK(R4, ABOVE, "dentry.d_name.name"), \
	SET_KERNEL_PATH(record.name, R4), \
	SET_IMM(record.directories, N), \
	OUTPUT("events", record)
#define CLIMB_ALL(TOP) \
	CLIMB(1, TOP), CLIMB(2, TOP), CLIMB(3, TOP), CLIMB(4, TOP), \
	CLIMB(5, TOP), CLIMB(6, TOP), CLIMB(7, TOP), CLIMB(8, TOP)
_Static_assert(FS_DIRECTORIES == 8, "CLIMB() is there so often");

#endif
