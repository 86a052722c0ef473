/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_NAMES_H
#define SONDE_STAT_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The kernel's own events by name: of the hardware, of software, and of caches. */
struct stat_name {
	const char *name, *alias;	/* alias NULL: none */
	uint32_t type;			/* as in struct perf_event_attr */
	uint64_t config;
	bool clock;			/* counts are ns */
	bool kernel_only;		/* it happens only in the kernel */
};

/*
 * Finds a name of n bytes; names of cache events are composed. Returns false if there is no such
 * event.
 */
bool stat_name_find(const char *name, size_t n, struct stat_name *to);
/* The name most like a misspelled one. Returns NULL if no name is similar. */
const char *stat_name_nearest(const char *name, size_t n);
/* Prints the names for --help. */
void stat_names_print(FILE *file);

/* The config of a cache event: cache, operation, result (access or miss). */
#define STAT_CACHE(CACHE, OP, RESULT) \
	(PERF_COUNT_HW_CACHE_##CACHE | PERF_COUNT_HW_CACHE_OP_##OP << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##RESULT << 16)

/* The events without -e, ends with NULL; the events that each -d adds. */
extern const char *const stat_defaults[];
#define STAT_DETAILS 3
extern const char *const stat_details[STAT_DETAILS];

#endif
