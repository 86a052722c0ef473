/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DCSTAT_H
#define SONDE_DCSTAT_H

#include <stdint.h>

#include "insns/program.h"

enum { NAMES_FAST, NAMES_SLOW, NAMES_MISSED, NAMES_COUNTS };

/* Key of "counts". */
struct dcstat_key {
	uint32_t counter;
};

static const char *const dcstat_counters[] = {
	[NAMES_FAST] = "found fast",
	[NAMES_SLOW] = "found with a lock",
	[NAMES_MISSED] = "missed",
};

RECORD_LAYOUT(dcstat_key,
	FIELD_OF(dcstat_key, counter, NUMBER, FIELD_NAMES(dcstat_counters)));

extern const struct program_set dcstat_programs;

#endif
