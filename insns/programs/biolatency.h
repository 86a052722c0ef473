/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOLATENCY_H
#define SONDE_BIOLATENCY_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "hists": one histogram for each group (a device, or the letters of rwbs). */
struct hist_key {
	uint32_t epoch;
	uint32_t slot;
	u64 group;
};

RECORD_LAYOUT(hist_key,
	FIELD_OF(hist_key, slot, NUMBER),
	FIELD_OF(hist_key, group, NUMBER));

/* By the request itself, or otherwise by made keys. */
extern const struct program_set biolatency_programs, biolatency_made_programs;

#endif
