/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LOCKSTAT_H
#define SONDE_LOCKSTAT_H

#include "insns/program.h"

/* The kernel's flags of a wait (include/trace/events/lock.h); of a semaphore there are none. */
#define LOCK_SPIN	1
#define LOCK_READ	2
#define LOCK_WRITE	4
#define LOCK_RT		8
#define LOCK_PERCPU	16
#define LOCK_MUTEX	32
/* of none: a mutex that a task holds */
#define LOCK_HELD	(LOCK_MUTEX | LOCK_PERCPU)

/* Key of "waits": who waits where. */
struct lockstat_wait_key {
	u64 task;		/* pid_tgid; of an idle CPU its number plus 1 */
	/* the lock; 0: a task waits for one such lock at a time; 1: it is in a call for a mutex */
	u64 place;
};

/* Its value: a wait that goes on, or a mutex that is held. */
struct lockstat_wait {
	u64 time;
	u64 lock;
	uint32_t flags;
	int32_t kernel_stack;
};

RECORD_LAYOUT(lockstat_wait,
	FIELD_OF(lockstat_wait, time, TIME),
	FIELD_OF(lockstat_wait, lock, NUMBER),
	FIELD_OF(lockstat_wait, flags, NUMBER),
	FIELD_OF(lockstat_wait, kernel_stack, STACK));

/* Key of "sums": what is not shown is 0. A CPU adds to its own entries: so each has one writer. */
struct lockstat_key {
	uint32_t epoch;
	uint32_t cpu;
	u64 lock;
	u64 pid_tgid;
	uint32_t flags;
	int32_t kernel_stack;
	char comm[16];
};

struct lockstat_sums {
	u64 count;
	u64 total;		/* ns */
	u64 max;
};

RECORD_LAYOUT(lockstat_key,
	FIELD_OF(lockstat_key, cpu, NUMBER),
	FIELD_OF(lockstat_key, lock, NUMBER),
	FIELD_AS(lockstat_key, pid_tgid, "pid", TGID),
	FIELD_AS(lockstat_key, pid_tgid, "thread", TID),
	FIELD_OF(lockstat_key, flags, NUMBER),
	FIELD_OF(lockstat_key, kernel_stack, STACK),
	FIELD_OF(lockstat_key, comm, COMM));
RECORD_LAYOUT(lockstat_sums,
	FIELD_OF(lockstat_sums, count, NUMBER),
	FIELD_OF(lockstat_sums, total, NUMBER, .unit = "ns"),
	FIELD_OF(lockstat_sums, max, NUMBER, .unit = "ns"));

/* Key of "hists": a histogram for each type of lock. */
struct lockstat_slot {
	uint32_t epoch;
	uint32_t slot;
	u64 flags;
};

RECORD_LAYOUT(lockstat_slot,
	FIELD_OF(lockstat_slot, slot, NUMBER),
	FIELD_OF(lockstat_slot, flags, NUMBER));

extern const struct program_set lockstat_programs;

#endif
