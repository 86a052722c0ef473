/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYNCSNOOP_H
#define SONDE_SYNCSNOOP_H

#include <stdint.h>

#include "insns/program.h"

/* By their numbers in the hook table. */
enum sync_call { CALL_SYNC, CALL_SYNCFS, CALL_FSYNC, CALL_FDATASYNC, CALL_MSYNC };
static const char *const sync_calls[] = {
	[CALL_SYNC] = "sync()", [CALL_SYNCFS] = "syncfs()", [CALL_FSYNC] = "fsync()",
	[CALL_FDATASYNC] = "fdatasync()", [CALL_MSYNC] = "msync()",
};

struct syncsnoop_record {
	u64 time;		/* beginning of the call */
	u64 call;
	u64 pid_tgid;
	char comm[16];
};

RECORD_LAYOUT(syncsnoop_record,
	FIELD_OF(syncsnoop_record, time, NUMBER, .unit = "ns"),
	FIELD_OF(syncsnoop_record, call, NUMBER, FIELD_NAMES(sync_calls)),
	FIELD_AS(syncsnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(syncsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(syncsnoop_record, comm, COMM));

extern const struct program_set syncsnoop_programs;

#endif
