/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_EXITSNOOP_H
#define SONDE_EXITSNOOP_H

#include <stdint.h>

#include "insns/program.h"

/* A task, by its id. Times are those of records; 0: unknown. */
struct exitsnoop_task {
	u64 start;
	u64 parent_start;		/* identifies the parent: its id may be reused */
	uint32_t ppid;
	uint32_t pad;
};

/* A process that has had several threads, by its id. */
struct exitsnoop_process {
	u64 threads;			/* that have not ended */
	uint32_t code;			/* the process's, or its first thread's */
	uint32_t known;
	uint32_t last;			/* the code of the last to end by itself */
	uint32_t pad;
	char comm[16];			/* of its first thread, once that has ended */
};

/* Bits of exitsnoop_record.known. */
enum {
	CODE_KNOWN = 1,
	CODE_NO_CORE = 2,		/* but not whether there is a core dump */
	CODE_ALONE = 4,			/* it is of a thread that ended by itself */
	CODE_OF_ALL = 8,		/* it is the process's */
};

struct exitsnoop_record {
	u64 time;
	u64 start;			/* 0: unknown */
	u64 pid_tgid;
	uint32_t ppid;			/* 0: unknown */
	uint32_t pad;
	uint32_t code;			/* the exit status, as of wait(2) */
	uint32_t known;
	char comm[16];
};

RECORD_LAYOUT(exitsnoop_record,
	FIELD_OF(exitsnoop_record, time, TIME),
	FIELD_OF(exitsnoop_record, start, TIME),
	FIELD_AS(exitsnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(exitsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(exitsnoop_record, ppid, NUMBER, FIELD_UNKNOWN(0)),
	FIELD_OF(exitsnoop_record, code, NUMBER),
	FIELD_OF(exitsnoop_record, known, NUMBER),
	FIELD_OF(exitsnoop_record, comm, COMM));

extern const struct program_set exitsnoop_programs;

#endif
