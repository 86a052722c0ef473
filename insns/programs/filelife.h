/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FILELIFE_H
#define SONDE_FILELIFE_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

struct filelife_record {
	u64 time;
	u64 age;		/* ns */
	u64 pid_tgid;
	char comm[16];
	struct path_name name;
};

RECORD_LAYOUT(filelife_record,
	FIELD_OF(filelife_record, time, TIME),
	FIELD_OF(filelife_record, age, NUMBER, .unit = "ns"),
	FIELD_AS(filelife_record, pid_tgid, "pid", TGID),
	FIELD_AS(filelife_record, pid_tgid, "tid", TID),
	FIELD_OF(filelife_record, comm, COMM),
	FIELD_AS(filelife_record, name, "file", PATH));

extern const struct program_set filelife_programs;

#endif
