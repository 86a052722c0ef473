/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUNQLEN_H
#define SONDE_RUNQLEN_H

#include <stdint.h>

#include "insns/program.h"

/* Longer queues are counted as this length. */
#define RUNQLEN_MAX 495

/* Key of "hists": a histogram for each CPU, as hists_take() requires. */
struct runqlen_key {
	uint32_t epoch;
	uint32_t length;
	u64 cpu;
};

RECORD_LAYOUT(runqlen_key,
	FIELD_AS(runqlen_key, length, "slot", NUMBER),
	FIELD_OF(runqlen_key, cpu, NUMBER));

extern const struct program_set runqlen_programs;

#endif
