/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FS_H
#define SONDE_FS_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

/* By their numbers in the hooks (compat/hooks/hooks_fs.c). */
enum fs_operation { FS_READ, FS_WRITE, FS_OPEN, FS_FSYNC, FS_GETATTR, FS_OPERATIONS };
static const char *const fs_operation_letters[] = {
	[FS_READ] = "R", [FS_WRITE] = "W", [FS_OPEN] = "O", [FS_FSYNC] = "S", [FS_GETATTR] = "G"
};

/*
 * With "full-path" the operation's record follows a record for each directory, the nearest first.
 */
#define FS_DIRECTORY FS_OPERATIONS
#define FS_DIRECTORIES 8

/* Key of "hists": one histogram for each operation. */
struct fs_key {
	uint32_t epoch;
	uint32_t slot;
	u64 operation;
};

RECORD_LAYOUT(fs_key,
	FIELD_OF(fs_key, slot, NUMBER),
	FIELD_OF(fs_key, operation, NUMBER));

/* An operation of the slower tools. */
struct fs_record {
	u64 time;
	u64 pid_tgid;
	u64 nsecs;
	s64 pos;			/* offset in the file; -1: unknown */
	int32_t ret;
	uint32_t operation;		/* or FS_DIRECTORY */
	char comm[16];
	u64 directories;		/* number of directory records, with this one */
	struct path_name name;		/* of the file, or of the directory */
};

RECORD_LAYOUT(fs_record,
	FIELD_OF(fs_record, time, TIME),
	FIELD_AS(fs_record, pid_tgid, "pid", TGID),
	FIELD_AS(fs_record, pid_tgid, "tid", TID),
	FIELD_OF(fs_record, nsecs, NUMBER, .unit = "ns"),
	FIELD_OF(fs_record, pos, NUMBER, .unit = "bytes", FIELD_UNKNOWN(UINT64_MAX)),
	FIELD_OF(fs_record, ret, NUMBER),
	FIELD_OF(fs_record, operation, NUMBER, FIELD_NAMES(fs_operation_letters)),
	FIELD_OF(fs_record, comm, COMM),
	FIELD_OF(fs_record, directories, NUMBER),
	FIELD_OF(fs_record, name, PATH));

/*
 * Both sets have the same programs: with the constant "histogram" they count operations, with
 * "slower" they output records. The file system is the one whose name is set as a constant.
 */
extern const struct program_set fsdist_programs, fsslower_programs;
/* The same as fsslower_programs, where only calls tell their arguments. */
extern const struct program_set fsslower_by_calls;

#endif
