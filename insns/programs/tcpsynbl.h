/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPSYNBL_H
#define SONDE_TCPSYNBL_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "hists": a histogram for each backlog limit. */
struct tcpsynbl_key {
	uint32_t epoch;
	uint32_t slot;
	u64 limit;
};

RECORD_LAYOUT(tcpsynbl_key,
	FIELD_OF(tcpsynbl_key, slot, NUMBER),
	FIELD_OF(tcpsynbl_key, limit, NUMBER));

extern const struct program_set tcpsynbl_programs;

#endif
