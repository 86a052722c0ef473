/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKSNOOP_H
#define SONDE_STACKSNOOP_H

#include <stdint.h>

#include "insns/program.h"

struct stacksnoop_record {
	u64 time;
	u64 pid_tgid;
	u64 function;		/* number of the function or tracepoint that was hit */
	uint32_t cpu;
	int32_t kernel_stack, user_stack;
	uint32_t none;
	u64 caller;		/* return address of a user function; 0: unknown */
	char comm[16];
};

RECORD_LAYOUT(stacksnoop_record,
	FIELD_OF(stacksnoop_record, time, TIME),
	FIELD_AS(stacksnoop_record, pid_tgid, "tgid", TGID),
	FIELD_AS(stacksnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(stacksnoop_record, function, NUMBER),
	FIELD_OF(stacksnoop_record, cpu, NUMBER),
	FIELD_OF(stacksnoop_record, kernel_stack, STACK),
	FIELD_OF(stacksnoop_record, user_stack, STACK),
	FIELD_OF(stacksnoop_record, caller, NUMBER),
	FIELD_OF(stacksnoop_record, comm, COMM));

extern const struct program_set stacksnoop_programs;

#endif
