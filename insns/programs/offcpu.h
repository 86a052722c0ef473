/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OFFCPU_H
#define SONDE_OFFCPU_H

#include "insns/program.h"

/* A sleeping thread, or the thread that wakes it, with its stacks. */
struct offcpu_task {
	uint32_t tgid;			/* UINT32_MAX: unknown */
	int32_t kernel_stack;		/* may be an enum stack_lack */
	int32_t user_stack;
	uint32_t zero;
	u64 caller;		/* return address of the newest user function; 0: unknown */
	char comm[16];
};

/* Value of `left`, by thread. */
struct offcpu_left {
	u64 time;			/* when it left its CPU; 0: it runs */
	u64 kept;			/* ns of the sleeper that are not yet in `times` */
	struct offcpu_task sleeper;
	struct offcpu_task waker;	/* only for tools with the constant "waker" */
};

/* Keys of `times`, with the waker or without; values are ns. */
struct offcpu_key {
	uint32_t epoch;
	uint32_t tid;
	struct offcpu_task sleeper;
};

struct offwake_key {
	struct offcpu_key key;
	struct offcpu_task waker;
};

#define KTHREADD 2			/* the parent of all kernel threads */

RECORD_LAYOUT(offcpu_left,
	FIELD_AS(offcpu_left, sleeper.kernel_stack, "kernel_stack", STACK),
	FIELD_AS(offcpu_left, sleeper.user_stack, "user_stack", STACK),
	FIELD_AS(offcpu_left, waker.kernel_stack, "waker_kernel_stack", STACK),
	FIELD_AS(offcpu_left, waker.user_stack, "waker_user_stack", STACK));

/* struct offcpu_left for tools without the waker. */
struct offcpu_alone {
	u64 time;
	u64 kept;
	struct offcpu_task sleeper;
};

_Static_assert(sizeof(struct offcpu_alone) == offsetof(struct offcpu_left, waker), "it begins so");

RECORD_LAYOUT(offcpu_alone,
	FIELD_AS(offcpu_alone, sleeper.kernel_stack, "kernel_stack", STACK),
	FIELD_AS(offcpu_alone, sleeper.user_stack, "user_stack", STACK));

RECORD_LAYOUT(offcpu_key,
	FIELD_OF(offcpu_key, tid, NUMBER),
	FIELD_AS(offcpu_key, sleeper.tgid, "tgid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_AS(offcpu_key, sleeper.kernel_stack, "kernel_stack", STACK),
	FIELD_AS(offcpu_key, sleeper.user_stack, "user_stack", STACK),
	FIELD_AS(offcpu_key, sleeper.caller, "caller", NUMBER),
	FIELD_AS(offcpu_key, sleeper.comm, "comm", COMM));

/* struct offwake_key for tools that show only the waker's stacks. */
struct wake_key {
	struct offwake_key of;
};

RECORD_LAYOUT(wake_key,
	FIELD_AS(wake_key, of.key.tid, "tid", NUMBER),
	FIELD_AS(wake_key, of.key.sleeper.tgid, "tgid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_AS(wake_key, of.key.sleeper.comm, "comm", COMM),
	FIELD_AS(wake_key, of.waker.tgid, "waker_tgid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_AS(wake_key, of.waker.kernel_stack, "waker_kernel_stack", STACK),
	FIELD_AS(wake_key, of.waker.user_stack, "waker_user_stack", STACK),
	FIELD_AS(wake_key, of.waker.caller, "waker_caller", NUMBER),
	FIELD_AS(wake_key, of.waker.comm, "waker_comm", COMM));

RECORD_LAYOUT(offwake_key,
	FIELD_AS(offwake_key, key.tid, "tid", NUMBER),
	FIELD_AS(offwake_key, key.sleeper.tgid, "tgid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_AS(offwake_key, key.sleeper.kernel_stack, "kernel_stack", STACK),
	FIELD_AS(offwake_key, key.sleeper.user_stack, "user_stack", STACK),
	FIELD_AS(offwake_key, key.sleeper.caller, "caller", NUMBER),
	FIELD_AS(offwake_key, key.sleeper.comm, "comm", COMM),
	FIELD_AS(offwake_key, waker.tgid, "waker_tgid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_AS(offwake_key, waker.kernel_stack, "waker_kernel_stack", STACK),
	FIELD_AS(offwake_key, waker.user_stack, "waker_user_stack", STACK),
	FIELD_AS(offwake_key, waker.caller, "waker_caller", NUMBER),
	FIELD_AS(offwake_key, waker.comm, "waker_comm", COMM));

/*
 * All sets have the same programs. With the constant "sleeper" they record the stack of the thread
 * that leaves a CPU, with "waker" the stack of the thread that wakes it. With "until_woken" the
 * measured time ends at the wakeup, otherwise when the thread runs again.
 */
extern const struct program_set offcputime_programs, wakeuptime_programs, offwaketime_programs;

#endif
