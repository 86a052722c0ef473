/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPSYNBL_H
#define SONDE_TCPSYNBL_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "hists": a histogram for each size that backlogs have. */
struct tcpsynbl_key {
	uint32_t epoch;
	uint32_t slot;
	uint64_t limit;
};

extern const struct program_set tcpsynbl_programs;

#endif
