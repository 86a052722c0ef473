/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STACKCOUNT_H
#define SONDE_STACKCOUNT_H

#include "insns/program.h"

/* A key of `counts`: by way of which callers what was named was hit; its value is how often. */
struct stackcount_key {
	uint32_t epoch;
	uint32_t tgid;			/* UINT32_MAX: processes are not told apart */
	int32_t kernel_stack, user_stack;
	u64 caller;		/* of a function of user space that was called; 0: not told */
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
