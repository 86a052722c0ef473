/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FUTEXCTN_H
#define SONDE_FUTEXCTN_H

#include "insns/program.h"

/* What a futex(2) call does (linux/futex.h), without its flags. */
#define FUTEX_OF_CALL	127
#define FUTEX_WAITS	0
#define FUTEX_LOCKS_PI	6
#define FUTEX_WAITS_BITSET	9
#define FUTEX_WAITS_REQUEUE_PI	11
#define FUTEX_LOCKS_PI2	13
/* The part of a word that may be the owner's thread id; the rest are flags. */
#define FUTEX_TID	0x3fffffff

/* Value of "start", by thread: a wait that goes on. */
struct futexctn_wait {
	u64 time;
	u64 address;
	u64 caller;
	int32_t user_stack;
	uint32_t owner;		/* what may be the thread that has the lock; 0: unknown */
	uint32_t pi;		/* 1: a lock of the kernel's, which knows its owner */
	uint32_t unused;
};

RECORD_LAYOUT(futexctn_wait,
	FIELD_OF(futexctn_wait, time, TIME),
	FIELD_OF(futexctn_wait, address, NUMBER),
	FIELD_OF(futexctn_wait, caller, NUMBER),
	FIELD_OF(futexctn_wait, user_stack, STACK),
	FIELD_OF(futexctn_wait, owner, NUMBER),
	FIELD_OF(futexctn_wait, pi, NUMBER));

/* Key of "sums": what is not shown is 0. A CPU adds to its own entries: so each has one writer. */
struct futexctn_key {
	uint32_t epoch;
	uint32_t cpu;
	uint32_t tgid;
	uint32_t tid;
	u64 address;
	u64 caller;
	int32_t user_stack;
	uint32_t owner;
	uint32_t pi;
	uint32_t unused;
	char comm[16];
};

struct futexctn_sums {
	u64 waits;		/* until woken */
	u64 total;		/* ns, of these */
	u64 max;
	u64 timeouts;
};

RECORD_LAYOUT(futexctn_key,
	FIELD_OF(futexctn_key, cpu, NUMBER),
	FIELD_OF(futexctn_key, tgid, NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(futexctn_key, tid, NUMBER),
	FIELD_OF(futexctn_key, address, NUMBER),
	FIELD_OF(futexctn_key, caller, NUMBER),
	FIELD_OF(futexctn_key, user_stack, STACK),
	FIELD_OF(futexctn_key, owner, NUMBER),
	FIELD_OF(futexctn_key, pi, NUMBER),
	FIELD_OF(futexctn_key, comm, COMM));
RECORD_LAYOUT(futexctn_sums,
	FIELD_OF(futexctn_sums, waits, NUMBER),
	FIELD_OF(futexctn_sums, total, NUMBER, .unit = "ns"),
	FIELD_OF(futexctn_sums, max, NUMBER, .unit = "ns"),
	FIELD_OF(futexctn_sums, timeouts, NUMBER));

/* Key of "hists": a histogram for each process. */
struct futexctn_slot {
	uint32_t epoch;
	uint32_t slot;
	u64 tgid;
};

RECORD_LAYOUT(futexctn_slot,
	FIELD_OF(futexctn_slot, slot, NUMBER),
	FIELD_OF(futexctn_slot, tgid, NUMBER));

extern const struct program_set futexctn_programs;

#endif
