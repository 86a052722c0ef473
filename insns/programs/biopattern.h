/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOPATTERN_H
#define SONDE_BIOPATTERN_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "patterns": a disk, and the first letter of its requests' operation; its value. */
struct biopattern_key {
	uint32_t epoch;
	uint32_t dev;
	uint32_t operation;
};

RECORD_LAYOUT(biopattern_key,
	FIELD_OF(biopattern_key, dev, NUMBER),
	FIELD_OF(biopattern_key, operation, NUMBER));

/* Requests; those that begin where the one before ended, and those that do not. */
struct biopattern_counts {
	u64 requests;
	u64 sequential, random;
	u64 sectors;		/* of all requests, of 512 bytes */
};

RECORD_LAYOUT(biopattern_counts,
	FIELD_OF(biopattern_counts, requests, NUMBER),
	FIELD_OF(biopattern_counts, sequential, NUMBER),
	FIELD_OF(biopattern_counts, random, NUMBER),
	FIELD_OF(biopattern_counts, sectors, NUMBER));

extern const struct program_set biopattern_programs;

#endif
