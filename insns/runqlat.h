/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUNQLAT_H
#define SONDE_RUNQLAT_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "hists": one histogram for each process or thread. */
struct runqlat_key {
	uint32_t epoch;
	uint32_t slot;
	uint64_t id;
};

extern const struct program_set runqlat_programs;

#endif
