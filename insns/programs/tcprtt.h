/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPRTT_H
#define SONDE_TCPRTT_H

#include <stdint.h>

#include "insns/program.h"

/*
 * Key of "hists", and of "sums", where slot 0 is the sum and 1 the count. IPv4 addresses are
 * ::ffff:192.0.2.1.
 */
struct tcprtt_key {
	uint32_t epoch;
	uint32_t slot;
	uint8_t address[16];
};

RECORD_LAYOUT(tcprtt_key,
	FIELD_OF(tcprtt_key, slot, NUMBER),
	FIELD_OF(tcprtt_key, address, MAPPED));

extern const struct program_set tcprtt_programs;

#endif
