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
 * For specs with $latency: the program on the function's beginning, and what its return does before
 * all else: it leaves the time that the call took at ARGDIST_LATENCY of the stack, or goes to
 * "out". They have the highest ARGDIST_CALL bytes of the stack, r6 is the task's pid_tgid, and the
 * map is called "start".
 */
#define ARGDIST_CALL 32
#define ARGDIST_LATENCY (-16)
extern const struct insn argdist_enter[], argdist_return[];
extern const unsigned int argdist_enter_n, argdist_return_n;
extern const struct map argdist_start;

extern const struct program_set argdist_programs;

#endif
