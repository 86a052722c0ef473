/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BITESIZE_H
#define SONDE_BITESIZE_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "sizes": one histogram for each name. */
struct bitesize_key {
	uint32_t epoch;
	uint32_t slot;
	char name[16];
};

RECORD_LAYOUT(bitesize_key,
	FIELD_OF(bitesize_key, slot, NUMBER),
	FIELD_OF(bitesize_key, name, COMM));

extern const struct program_set bitesize_programs, bitesize_made_programs;

#endif
