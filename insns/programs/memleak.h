/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_MEMLEAK_H
#define SONDE_MEMLEAK_H

#include "insns/program.h"

/* The kind of an address in the kernel. In user space it is always MEMLEAK_OBJECTS. */
enum memleak_space { MEMLEAK_OBJECTS, MEMLEAK_PAGES, MEMLEAK_PER_CPU };

/* Key of `allocs`. */
struct memleak_key {
	u64 address;
	uint32_t tgid;			/* 0: the kernel's */
	uint32_t space;
};

/* Value of `allocs`: allocated memory. */
struct memleak_held {
	u64 time, size;
	int32_t kernel_stack, user_stack;
	char comm[16];
};

RECORD_LAYOUT(memleak_held,
	FIELD_OF(memleak_held, time, TIME),
	FIELD_OF(memleak_held, size, NUMBER, .unit = "bytes"),
	FIELD_OF(memleak_held, kernel_stack, STACK),
	FIELD_OF(memleak_held, user_stack, STACK),
	FIELD_OF(memleak_held, comm, COMM));

/*
 * Records of calls that change mappings: a call may unmap a part of a mapping, so the tool needs
 * all calls to know what is left. Also of exec, which ends all mappings, and with -t of
 * allocations.
 */
enum memleak_kind { MEMLEAK_ALLOC, MEMLEAK_FREE, MEMLEAK_MMAP, MEMLEAK_MUNMAP, MEMLEAK_MREMAP,
		    MEMLEAK_EXEC };

struct memleak_record {
	u64 time;
	u64 pid_tgid;
	u64 begin;			/* when the call began */
	u64 address, size;
	u64 length;		/* mremap: the new length */
	u64 result;		/* the return value */
	uint32_t kind;
	uint32_t flags;			/* of mremap */
	uint32_t space;
	int32_t user_stack;
	char comm[16];
};

static const char *const memleak_kinds[] = {
	"alloc", "free", "mmap", "munmap", "mremap", "exec",
};

RECORD_LAYOUT(memleak_record,
	FIELD_OF(memleak_record, time, TIME),
	FIELD_AS(memleak_record, pid_tgid, "pid", TGID),
	FIELD_OF(memleak_record, address, NUMBER),
	FIELD_OF(memleak_record, size, NUMBER),
	FIELD_AS(memleak_record, kind, "event", NUMBER, FIELD_NAMES(memleak_kinds)),
	FIELD_OF(memleak_record, comm, COMM));

/* Sums of held memory for each stack: totals, not what an interval added. */
struct memleak_stack {
	u64 time;			/* of one allocation: the program is the same for all */
	uint32_t tgid;			/* UINT32_MAX: the kernel's */
	int32_t kernel_stack, user_stack;
	char comm[16];
};

struct memleak_sum {
	u64 bytes, allocations;
};

RECORD_LAYOUT(memleak_stack,
	FIELD_OF(memleak_stack, time, TIME),
	FIELD_OF(memleak_stack, tgid, NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(memleak_stack, kernel_stack, STACK),
	FIELD_OF(memleak_stack, user_stack, STACK),
	FIELD_OF(memleak_stack, comm, COMM));
RECORD_LAYOUT(memleak_sum,
	FIELD_OF(memleak_sum, bytes, NUMBER),
	FIELD_OF(memleak_sum, allocations, NUMBER));

/* For processes, and for the kernel. */
extern const struct program_set memleak_user_programs, memleak_programs;

#endif
