// SPDX-License-Identifier: GPL-2.0
/*
 * vfs.read:	counts[VFS_READ]++
 * ...		the same for other calls
 * vfs.vector_enter:	counts[op ? VFS_WRITE : VFS_READ]++, of readv(2) and its family
 * vfs.unlink:	if (not a directory) counts[VFS_UNLINK]++
 * vfs.rmdir:	if (a directory) counts[VFS_RMDIR]++
 * made.file:	if (the file was made for this) counts[VFS_CREATE]++
 */
#include "insns/programs/vfsstat.h"

#include "insns/hist.h"
#include "insns/made.h"

#define REMOVES_DIRECTORY 0x200		/* AT_REMOVEDIR */

static const struct map maps[] = {
	{ "counts", MAP_PERCPU_ARRAY, ROLE_RESULT, 4, 8, VFS_COUNTS,
	  .key = &vfsstat_key_layout },
	MADE_MAP,
	{ }
};

struct frame {
	uint32_t index;
	struct made made;
};

/* Registers. */
enum { TASK = R6, FLAGS = R6, OP = R6 };

#define COUNTER(N) \
	FIELD(TASK, "pid_tgid"), \
	FILTER(TASK), \
	COUNT_INDEX("counts", index, N), \
	EXIT

static const struct insn on_read[] = { COUNTER(VFS_READ) };
static const struct insn on_write[] = { COUNTER(VFS_WRITE) };

static const struct insn on_vector[] = {
	FIELD(OP, "op"),
	JNE(OP, 0, "write"),
	COUNTER(VFS_READ),
LABEL("write"),
	COUNTER(VFS_WRITE),
};

static const struct insn on_fsync[] = { COUNTER(VFS_FSYNC) };
static const struct insn on_open[] = { COUNTER(VFS_OPEN) };
static const struct insn on_mkdir[] = { COUNTER(VFS_MKDIR) };

/* One system call removes both. */
static const struct insn on_unlink[] = {
	FIELD(FLAGS, "flags"),
	JSET(FLAGS, REMOVES_DIRECTORY, "out"),
	COUNTER(VFS_UNLINK),
LABEL("out"),
	EXIT,
};

static const struct insn on_rmdir[] = {
	FIELD(FLAGS, "flags"),
	JSET(FLAGS, REMOVES_DIRECTORY, "directory"),
	JUMP("out"),
LABEL("directory"),
	COUNTER(VFS_RMDIR),
LABEL("out"),
	EXIT,
};

static const struct insn on_made_may[] = { MADE_MAY };

static const struct insn on_made[] = {
	FIELD(TASK, "pid_tgid"),
	FILTER(TASK),
	JUMP_UNLESS_MADE("out"),
	COUNT_INDEX("counts", index, VFS_CREATE),
LABEL("out"),
	EXIT,
};

static const struct program programs[] = {
	PROGRAM("vfs.read", on_read),
	PROGRAM("vfs.write", on_write),
	PROGRAM("vfs.vector_enter", on_vector, .optional = true),
	PROGRAM("vfs.fsync", on_fsync, .optional = true),
	PROGRAM("vfs.open", on_open, .optional = true),
	PROGRAM("made.file", on_made, .optional = true),
	MADE_PROGRAM,
	PROGRAM("vfs.unlink", on_unlink, .optional = true),
	PROGRAM("vfs.mkdir", on_mkdir, .optional = true),
	PROGRAM("vfs.rmdir", on_rmdir, .optional = true),
	{ }
};

const struct program_set vfsstat_programs = { programs, maps };
