/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_THREADSNOOP_H
#define SONDE_THREADSNOOP_H

#include "insns/program.h"

struct threadsnoop_record {
	u64 time;
	u64 pid_tgid;
	u64 start;			/* the address of the new thread's function */
	int32_t user_stack;		/* of the thread that makes it */
	uint32_t none;
	char comm[16];
};

RECORD_LAYOUT(threadsnoop_record,
	FIELD_OF(threadsnoop_record, time, TIME),
	FIELD_AS(threadsnoop_record, pid_tgid, "tgid", TGID),
	FIELD_AS(threadsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(threadsnoop_record, start, NUMBER),
	FIELD_OF(threadsnoop_record, user_stack, STACK),
	FIELD_OF(threadsnoop_record, comm, COMM));

extern const struct program_set threadsnoop_programs;

#endif
