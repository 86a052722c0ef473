/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_STAT_NAMES_H
#define SONDE_STAT_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The kernel's own events by name: of the hardware, of software, and of caches. */
struct stat_name {
	const char *name, *alias;	/* alias NULL: there is none */
	uint32_t type;
	uint64_t config;
	bool clock;
	bool kernel_only;
};

/* One of these n bytes; false: there is none. Names of caches' events are put together here. */
bool stat_name_find(const char *name, size_t n, struct stat_name *to);
/* The nearest name, for one that is wrong; NULL: there is none. */
const char *stat_name_nearest(const char *name, size_t n);
/* For --help. */
void stat_names_print(FILE *file);

/* The config of a cache's event: its operation, and whether it is a miss. */
#define STAT_CACHE(CACHE, OP, RESULT) \
	(PERF_COUNT_HW_CACHE_##CACHE | PERF_COUNT_HW_CACHE_OP_##OP << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##RESULT << 16)

/* What is counted where nobody says, ends with NULL; and what each -d adds. */
extern const char *const stat_defaults[];
#define STAT_DETAILS 3
extern const char *const stat_details[STAT_DETAILS];

#endif
