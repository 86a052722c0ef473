/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FUNCSLOWER_H
#define SONDE_FUNCSLOWER_H

#include <stdint.h>

#include "insns/program.h"

#define FUNC_ARGUMENTS 6

/* A slow call, with the stacks of its beginning. */
struct funcslower_record {
	u64 time;			/* of the return */
	u64 pid_tgid;
	u64 ns;
	u64 retval;
	u64 args[FUNC_ARGUMENTS];
	int32_t kernel_stack, user_stack;
	u64 caller;		/* return address of a user function; 0: unknown */
	u64 function;		/* its number */
	char comm[16];
};

RECORD_LAYOUT(funcslower_record,
	FIELD_OF(funcslower_record, time, TIME),
	FIELD_AS(funcslower_record, pid_tgid, "tgid", TGID),
	FIELD_AS(funcslower_record, pid_tgid, "tid", TID),
	FIELD_AS(funcslower_record, ns, "latency", NUMBER, .unit = "ns"),
	FIELD_OF(funcslower_record, retval, NUMBER),
	FIELD_OF(funcslower_record, kernel_stack, STACK),
	FIELD_OF(funcslower_record, user_stack, STACK),
	FIELD_OF(funcslower_record, caller, NUMBER),
	FIELD_OF(funcslower_record, function, NUMBER),
	FIELD_OF(funcslower_record, comm, COMM));

extern const struct program_set funcslower_programs;

#endif
