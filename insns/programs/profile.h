/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_PROFILE_H
#define SONDE_PROFILE_H

#include "insns/program.h"

/* Key of `counts`: a task and its stacks. The value is the number of samples. */
struct profile_key {
	uint32_t epoch;
	uint32_t tgid;
	int32_t kernel_stack, user_stack;
	u64 caller;		/* return address of the newest user function; 0: unknown */
	u64 owner;		/* --by-cgroup: the task's `whose`; otherwise 0 */
	char comm[16];
};

/* Key of `groups`. */
struct profile_group {
	uint32_t epoch;
	uint32_t unused;
	u64 owner;		/* a task's `whose` */
};

/* Key of `moments`: the time of samples. */
struct profile_moment {
	uint32_t epoch;
	uint32_t ms;			/* CLOCK_MONOTONIC; wraps around after 49 days */
};

RECORD_LAYOUT(profile_moment,
	FIELD_OF(profile_moment, ms, NUMBER, .unit = "ms"));

RECORD_LAYOUT(profile_key,
	FIELD_OF(profile_key, tgid, NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(profile_key, kernel_stack, STACK),
	FIELD_OF(profile_key, user_stack, STACK),
	FIELD_OF(profile_key, caller, NUMBER),
	FIELD_OF(profile_key, owner, NUMBER),
	FIELD_OF(profile_key, comm, COMM));

RECORD_LAYOUT(profile_group,
	FIELD_OF(profile_group, owner, NUMBER));

/* Stacks, and control groups without stacks. */
extern const struct program_set profile_programs, profile_group_programs;

#endif
