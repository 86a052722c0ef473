/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OFFCPU_H
#define SONDE_OFFCPU_H

#include "insns/program.h"

/* A thread that is off its CPU, or one that wakes another: who it is, and what it executes. */
struct offcpu_task {
	uint32_t tgid;			/* UINT32_MAX: not known */
	int32_t kernel_stack;		/* may be an enum stack_lack */
	int32_t user_stack;
	uint32_t zero;
	u64 caller;		/* of the newest function of user space; 0: not told */
	char comm[16];
};

/* A value of `left`, by thread: since when it is off its CPU; 0: it is on one. */
struct offcpu_left {
	u64 time;
	u64 kept;			/* ns of the sleeper that are not in `times` yet */
	struct offcpu_task sleeper;
	struct offcpu_task waker;	/* only of the tools that ask for it */
};

/* Keys of `times`, whose values are ns; those of the second kind say who woke the sleeper, too. */
struct offcpu_key {
	uint32_t epoch;
	uint32_t tid;
	struct offcpu_task sleeper;
};

struct offwake_key {
	struct offcpu_key key;
	struct offcpu_task waker;
};

#define KTHREADD 2			/* the parent of all of the kernel's threads */

RECORD_LAYOUT(offcpu_left,
	FIELD_AS(offcpu_left, sleeper.kernel_stack, "kernel_stack", STACK),
	FIELD_AS(offcpu_left, sleeper.user_stack, "user_stack", STACK),
	FIELD_AS(offcpu_left, waker.kernel_stack, "waker_kernel_stack", STACK),
	FIELD_AS(offcpu_left, waker.user_stack, "waker_user_stack", STACK));

/* The same of a tool that does not ask who woke whom. */
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

/* The same of a tool that looks at the waker's stacks alone. */
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
 * One array of programs. With the constant "sleeper" they look at the stack of who leaves a CPU,
 * with "waker" at that of who wakes it, and with "until_woken" what is measured ends there, and not
 * when it runs again.
 */
extern const struct program_set offcputime_programs, wakeuptime_programs, offwaketime_programs;

#endif
