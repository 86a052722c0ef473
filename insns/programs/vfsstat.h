/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VFSSTAT_H
#define SONDE_VFSSTAT_H

#include <stdint.h>

#include "insns/program.h"

enum {
	VFS_READ, VFS_WRITE, VFS_FSYNC, VFS_OPEN, VFS_CREATE, VFS_UNLINK, VFS_MKDIR, VFS_RMDIR,
	VFS_COUNTS
};

/* Key of "counts". */
struct vfsstat_key {
	uint32_t counter;
};

static const char *const vfsstat_counters[] = {
	[VFS_READ] = "read",
	[VFS_WRITE] = "write",
	[VFS_FSYNC] = "fsync",
	[VFS_OPEN] = "open",
	[VFS_CREATE] = "create",
	[VFS_UNLINK] = "unlink",
	[VFS_MKDIR] = "mkdir",
	[VFS_RMDIR] = "rmdir",
};

RECORD_LAYOUT(vfsstat_key,
	FIELD_OF(vfsstat_key, counter, NUMBER, FIELD_NAMES(vfsstat_counters)));

extern const struct program_set vfsstat_programs;

#endif
