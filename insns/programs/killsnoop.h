/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_KILLSNOOP_H
#define SONDE_KILLSNOOP_H

#include <stdint.h>

#include "insns/program.h"

/* By their numbers in the hook table. */
enum kill_call { CALL_KILL, CALL_TKILL, CALL_TGKILL };
static const char *const kill_calls[] = {
	[CALL_KILL] = "kill", [CALL_TKILL] = "tkill", [CALL_TGKILL] = "tgkill"
};

struct killsnoop_record {
	u64 time;
	u64 pid_tgid;
	int32_t tpid;
	int32_t sig;
	uint32_t call;
	int32_t ret;
	char comm[16];
};

RECORD_LAYOUT(killsnoop_record,
	FIELD_OF(killsnoop_record, time, TIME),
	FIELD_AS(killsnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(killsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(killsnoop_record, tpid, NUMBER),
	FIELD_AS(killsnoop_record, sig, "signal", NUMBER),
	FIELD_OF(killsnoop_record, call, NUMBER, FIELD_NAMES(kill_calls)),
	FIELD_AS(killsnoop_record, ret, "result", NUMBER),
	FIELD_OF(killsnoop_record, comm, COMM));

extern const struct program_set killsnoop_programs;

#endif
