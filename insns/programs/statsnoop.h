/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STATSNOOP_H
#define SONDE_STATSNOOP_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

struct statsnoop_record {
	u64 time;
	u64 pid_tgid;
	int32_t ret;
	uint32_t pad;
	char comm[16];
	struct path_name name;
};

RECORD_LAYOUT(statsnoop_record,
	FIELD_OF(statsnoop_record, time, TIME),
	FIELD_AS(statsnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(statsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(statsnoop_record, ret, NUMBER),
	FIELD_OF(statsnoop_record, comm, COMM),
	FIELD_AS(statsnoop_record, name, "path", PATH));

extern const struct program_set statsnoop_programs;

#endif
