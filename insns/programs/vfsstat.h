/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_VFSSTAT_H
#define SONDE_VFSSTAT_H

#include "insns/program.h"

enum { VFS_READ, VFS_WRITE, VFS_FSYNC, VFS_OPEN, VFS_CREATE, VFS_UNLINK, VFS_MKDIR, VFS_RMDIR, VFS_COUNTS };

extern const struct program_set vfsstat_programs;

#endif
