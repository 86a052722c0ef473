/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BASHREADLINE_H
#define SONDE_BASHREADLINE_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

struct bashreadline_record {
	u64 time;
	u64 pid_tgid;
	u64 library;	/* 0: the shell's own function, 1: a library's */
	char comm[16];
	struct path_name line;
};

RECORD_LAYOUT(bashreadline_record,
	FIELD_OF(bashreadline_record, time, TIME),
	FIELD_AS(bashreadline_record, pid_tgid, "pid", TGID),
	FIELD_AS(bashreadline_record, pid_tgid, "tid", TID),
	FIELD_OF(bashreadline_record, library, NUMBER),
	FIELD_OF(bashreadline_record, comm, COMM),
	FIELD_OF(bashreadline_record, line, PATH));

extern const struct program_set bashreadline_programs;

#endif
