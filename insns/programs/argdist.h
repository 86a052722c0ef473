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

/* Of a histogram's array: behind the slots are the numbers below 0. */
#define ARGDIST_NEGATIVE LOG2_SLOTS

extern const struct program_set argdist_programs;

#endif
