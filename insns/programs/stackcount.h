/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKCOUNT_H
#define SONDE_STACKCOUNT_H

#include "insns/program.h"

/* Key of `counts`: the stacks of a hit. The value is the number of hits. */
struct stackcount_key {
	uint32_t epoch;
	uint32_t tgid;			/* UINT32_MAX: all processes are counted together */
	int32_t kernel_stack, user_stack;
	u64 caller;		/* return address of a user function; 0: unknown */
	char comm[16];
};

RECORD_LAYOUT(stackcount_key,
	FIELD_OF(stackcount_key, tgid, NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(stackcount_key, kernel_stack, STACK),
	FIELD_OF(stackcount_key, user_stack, STACK),
	FIELD_OF(stackcount_key, caller, NUMBER),
	FIELD_OF(stackcount_key, comm, COMM));

extern const struct program_set stackcount_programs;

#endif
