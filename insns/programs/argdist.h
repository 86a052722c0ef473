/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_ARGDIST_H
#define SONDE_ARGDIST_H

#include <stdint.h>

#include "insns/program.h"

/* A key of what is counted begins so; the values that were asked for are behind it. */
struct argdist_key {
	uint32_t epoch;
	uint32_t unknown;		/* bits: values that could not be read */
};

RECORD_LAYOUT(argdist_key,
	FIELD_OF(argdist_key, unknown, NUMBER));

/* Of a histogram's array: behind the slots are the numbers below 0. */
#define ARGDIST_NEGATIVE LOG2_SLOTS

/*
 * For specs with $latency or $entry: the program on the function's beginning, in two parts, between
 * which it puts what is asked of the arguments into the struct argdist_start at ARGDIST_START of
 * the stack; and what its return does before all else, in two parts, between which r0 is that
 * struct in the map. They leave the time that the call took in the struct's `time`, or go to "out".
 * They have the highest ARGDIST_CALL bytes of the stack, r6 is the task's pid_tgid, and the map is
 * called "start".
 */
#define ARGDIST_ENTRIES 6
struct argdist_start {
	u64 time, pid_tgid;
	uint32_t unknown, none;		/* bits: of the values that could not be read */
	u64 values[ARGDIST_ENTRIES];
};

#define ARGDIST_CALL 88
#define ARGDIST_START (-72)
extern const struct insn argdist_enter[], argdist_again[], argdist_keep[], argdist_return[],
	argdist_forget[];
extern const unsigned int argdist_enter_n, argdist_again_n, argdist_keep_n, argdist_return_n,
	argdist_forget_n;
extern const struct map argdist_start;

extern const struct program_set argdist_programs;

#endif
