/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_RUNQLAT_H
#define SONDE_RUNQLAT_H

#include <stdint.h>

#include "insns/program.h"

/* Key of "hists": one histogram for each process or thread. */
struct runqlat_key {
	uint32_t epoch;
	uint32_t slot;
	u64 id;
};

RECORD_LAYOUT(runqlat_key,
	FIELD_OF(runqlat_key, slot, NUMBER),
	FIELD_OF(runqlat_key, id, NUMBER));

/* A wait for runqslower; the names are those of sched_switch. */
struct runqslower_record {
	u64 time;
	u64 usecs;
	uint32_t tid, prev_tid;
	char comm[16], prev_comm[16];
};

RECORD_LAYOUT(runqslower_record,
	FIELD_OF(runqslower_record, time, TIME),
	FIELD_AS(runqslower_record, usecs, "latency", NUMBER, .unit = "us"),
	FIELD_OF(runqslower_record, tid, NUMBER),
	FIELD_OF(runqslower_record, prev_tid, NUMBER),
	FIELD_OF(runqslower_record, comm, COMM),
	FIELD_OF(runqslower_record, prev_comm, COMM));

/*
 * Both sets have the same programs: with the constant "histogram" they count waits, with "slower"
 * they output records.
 */
extern const struct program_set runqlat_programs, runqslower_programs;

#endif
