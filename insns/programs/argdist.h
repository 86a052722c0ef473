/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARGDIST_H
#define SONDE_ARGDIST_H

#include <stdint.h>

#include "insns/program.h"

/* The beginning of a key of counts; the values follow it. */
struct argdist_key {
	uint32_t epoch;
	uint32_t unknown;		/* a bit for each unreadable value */
};

RECORD_LAYOUT(argdist_key,
	FIELD_OF(argdist_key, unknown, NUMBER));

/*
 * For sums the bits of `unknown` above ARGDIST_UNKNOWN are the owner: a CPU, or in user space,
 * where programs may be preempted, a thread. So two programs never change one value at the same
 * time.
 */
#define ARGDIST_UNKNOWN 0xff
#define ARGDIST_OWNER 8

/* The numbers of a value by a key: the sum is low + high * 2^32. */
struct argdist_sums {
	u64 count, low, high, min, max;
};

RECORD_LAYOUT(argdist_sums,
	FIELD_OF(argdist_sums, count, NUMBER),
	FIELD_OF(argdist_sums, low, NUMBER),
	FIELD_OF(argdist_sums, high, NUMBER),
	FIELD_OF(argdist_sums, min, NUMBER),
	FIELD_OF(argdist_sums, max, NUMBER));

/* Index in a histogram's array of the count of negative values, behind the slots. */
#define ARGDIST_NEGATIVE LOG2_SLOTS
/* Of `exact` (insns/hist.h): index of the sum of the others. */
#define ARGDIST_TOTAL (LOG2_SLOTS + 1)

/*
 * Sequences for specs with $latency or $entry. The program at a function's beginning is
 * argdist_enter, then instructions that write the $entry values to the struct argdist_start at
 * ARGDIST_START of the stack, then argdist_again and argdist_keep. The program at its return begins
 * with argdist_return, then instructions that read the call's struct at r0, a value of the map,
 * then argdist_forget. It leaves the call's duration in the `time` of the struct on the stack. A
 * call that is not wanted or not known goes to "out". All use the highest ARGDIST_CALL bytes of the
 * stack, r6 as the task's pid_tgid, and the map "start".
 */
#define ARGDIST_ENTRIES 6
struct argdist_start {
	u64 time, pid_tgid;
	uint32_t unknown, none;		/* a bit for each unreadable value; padding */
	u64 values[ARGDIST_ENTRIES];
};

#define ARGDIST_CALL 88
#define ARGDIST_START (-72)
extern const struct insn argdist_enter[], argdist_again[], argdist_keep[], argdist_return[],
	argdist_forget[];
extern const unsigned int argdist_enter_n, argdist_again_n, argdist_keep_n, argdist_return_n,
	argdist_forget_n;
extern const struct map argdist_start;

/* The maps of argdist_programs: one of these a spec. */
enum argdist_map { ARGDIST_COUNTS, ARGDIST_HIST, ARGDIST_SUMS, ARGDIST_KINDS };
extern const struct program_set argdist_programs;

#endif
