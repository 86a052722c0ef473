/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_LLCSTAT_H
#define SONDE_LLCSTAT_H

#include <stdint.h>

#include "insns/program.h"

enum { LLC_REFERENCE, LLC_MISS };

/* Key of "counts"; the value is the number of samples. */
struct llcstat_key {
	uint32_t epoch;
	uint32_t what;			/* LLC_REFERENCE, LLC_MISS */
	uint32_t tgid, tid;		/* tid: 0 unless threads are told apart */
	uint32_t cpu;
	char comm[16];
};

RECORD_LAYOUT(llcstat_key,
	FIELD_OF(llcstat_key, what, NUMBER),
	FIELD_OF(llcstat_key, tgid, NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(llcstat_key, tid, NUMBER),
	FIELD_OF(llcstat_key, cpu, NUMBER),
	FIELD_OF(llcstat_key, comm, COMM));

extern const struct program_set llcstat_programs;

#endif
