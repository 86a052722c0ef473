/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPUDIST_H
#define SONDE_CPUDIST_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "hists": one histogram for each process or thread. */
struct cpudist_key {
	uint32_t epoch;
	uint32_t slot;
	u64 id;
};

RECORD_LAYOUT(cpudist_key,
	FIELD_OF(cpudist_key, slot, NUMBER),
	FIELD_OF(cpudist_key, id, NUMBER));

/* The process of a thread whose process is unknown. */
#define CPUDIST_UNKNOWN 0xffffffffU

extern const struct program_set cpudist_programs;

#endif
