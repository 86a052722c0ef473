/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FLIGHT_NAMES_H
#define SONDE_FLIGHT_NAMES_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "compat/base/error.h"

/*
 * The names of all tasks, as they were at some time, and the records of their changes since. So
 * names of the last seconds are right, however old the records are that gave them. Memory has a
 * limit: as many tasks as there are, and NAMES_LOG_MOST bytes of records.
 */
struct flight_names;

#define NAMES_LOG_MOST (16U << 20)

/* n: CPUs; of_time: bytes from the time of a record to its end. Returns NULL without memory. */
struct flight_names *flight_names_new(unsigned int n, size_t of_time);
/* Accepts NULL. */
void flight_names_free(struct flight_names *names);

/* Takes the names of now from /proc, when changes have their records. Returns -1 and sets err. */
int flight_names_scan(struct flight_names *names, struct error *err);
/* Takes a record of the n-th CPU; a CPU's records come in their order. */
void flight_names_take(struct flight_names *names, unsigned int n,
		       const struct perf_event_header *record);
/*
 * Changes before this time need no record any more. Returns -1 and sets err if names had to be read
 * from /proc again, because records of changes were lost, and could not.
 */
int flight_names_pass(struct flight_names *names, uint64_t before, struct error *err);
/* Names and lives of tasks are known from this time on; before, some are wrong or missing. */
uint64_t flight_names_since(const struct flight_names *names);

/* A task at the time before the records. */
struct flight_task {
	uint32_t tgid;
	char comm[16];
};
/* The next task, from *at = 0 on; NULL: the end. */
const struct flight_task *flight_names_next(const struct flight_names *names, uint32_t *at,
					    uint32_t *tid);
/* The records of the n-th CPU, one after the other. */
const uint8_t *flight_names_log(const struct flight_names *names, unsigned int n, size_t *size);

#endif
