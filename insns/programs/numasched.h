/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_NUMASCHED_H
#define SONDE_NUMASCHED_H

#include <stdint.h>

#include "insns/program.h"

/* The most CPUs that a kernel is built for. Elements of "nodes" are 1 + the node; 0: unknown. */
#define NUMA_CPUS 8192

/* What NUMA balancing wanted; anything else is the scheduler, or who set the task's CPUs. */
enum numa_reason { NUMA_OTHER, NUMA_MOVE, NUMA_SWAP };
static const char *const numa_reasons[] = { "other", "move", "swap" };

struct numasched_record {
	u64 time;
	u64 pid_tgid;
	uint32_t source;		/* nodes */
	uint32_t target;
	uint32_t reason;
	char comm[16];
	uint32_t pad;
};

RECORD_LAYOUT(numasched_record,
	FIELD_OF(numasched_record, time, TIME),
	FIELD_AS(numasched_record, pid_tgid, "pid", TGID),
	FIELD_AS(numasched_record, pid_tgid, "tid", TID),
	FIELD_OF(numasched_record, source, NUMBER),
	FIELD_OF(numasched_record, target, NUMBER),
	FIELD_OF(numasched_record, reason, NUMBER, FIELD_NAMES(numa_reasons)),
	FIELD_OF(numasched_record, comm, COMM));

/* Elements of "counts". */
enum { NUMA_CALLS, NUMA_NS, NUMA_COUNTS };

extern const struct program_set numasched_programs, numamove_programs;

#endif
