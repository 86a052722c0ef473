/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILEGONE_H
#define SONDE_FILEGONE_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

/* By their numbers in the hook table. */
/* GONE_COPIED: of an event, with one of them: the paths are in the memory of the kernel. */
enum filegone_call { GONE_UNLINK, GONE_RMDIR, GONE_RENAME, GONE_CALLS, GONE_COPIED = 8 };

/* A path of a call that succeeded. A rename has two records: the old path, then the new one. */
struct filegone_record {
	u64 time;
	u64 pid_tgid;
	char comm[16];
	uint32_t call;
	uint32_t flags;
	uint32_t more;			/* 1: the next record has the new path */
	uint32_t pad;
	struct path_name path;
};

RECORD_LAYOUT(filegone_record,
	FIELD_OF(filegone_record, time, TIME),
	FIELD_AS(filegone_record, pid_tgid, "pid", TGID),
	FIELD_AS(filegone_record, pid_tgid, "tid", TID),
	FIELD_OF(filegone_record, comm, COMM),
	FIELD_OF(filegone_record, call, NUMBER),
	FIELD_OF(filegone_record, flags, NUMBER),
	FIELD_OF(filegone_record, more, NUMBER),
	FIELD_OF(filegone_record, path, PATH));

extern const struct program_set filegone_programs;

#endif
