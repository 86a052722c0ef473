/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SWAPIN_H
#define SONDE_SWAPIN_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "reads": a process and a name of its threads. */
struct swapin_key {
	uint32_t epoch;
	uint32_t tgid;			/* UINT32_MAX: unknown */
	char comm[16];
};

RECORD_LAYOUT(swapin_key,
	FIELD_AS(swapin_key, tgid, "pid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(swapin_key, comm, COMM));

extern const struct program_set swapin_programs;

#endif
