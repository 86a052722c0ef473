/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CACHESTAT_H
#define SONDE_CACHESTAT_H

#include <stdint.h>

#include "insns/program.h"

enum { CACHE_ACCESS, CACHE_ADD, CACHE_DIRTY, CACHE_BUFFER, CACHE_COUNTS };

/* Key of "counts". */
struct cachestat_key {
	uint32_t counter;
};

static const char *const cachestat_counters[] = {
	[CACHE_ACCESS] = "access",
	[CACHE_ADD] = "add",
	[CACHE_DIRTY] = "dirty",
	[CACHE_BUFFER] = "buffer",
};

RECORD_LAYOUT(cachestat_key,
	FIELD_OF(cachestat_key, counter, NUMBER, FIELD_NAMES(cachestat_counters)));

/* Key of "processes": the same by task. */
struct cachestat_process {
	uint32_t epoch;
	uint32_t counter;
	uint32_t tgid;			/* UINT32_MAX: unknown */
	uint32_t uid;
	char comm[16];
};

RECORD_LAYOUT(cachestat_process,
	FIELD_OF(cachestat_process, counter, NUMBER, FIELD_NAMES(cachestat_counters)),
	FIELD_AS(cachestat_process, tgid, "pid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(cachestat_process, uid, NUMBER),
	FIELD_OF(cachestat_process, comm, COMM));

extern const struct program_set cachestat_programs;

#endif
