/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_CPUUNCLAIMED_H
#define SONDE_CPUUNCLAIMED_H

#include <stdint.h>

#include "insns/program.h"

/* A sample of a CPU. */
struct unclaimed_record {
	u64 time;
	uint32_t cpu;
	uint32_t tasks;			/* that run or wait there; 0: it is idle */
};

RECORD_LAYOUT(unclaimed_record,
	FIELD_OF(unclaimed_record, time, TIME),
	FIELD_OF(unclaimed_record, cpu, NUMBER),
	FIELD_OF(unclaimed_record, tasks, NUMBER));

extern const struct program_set cpuunclaimed_programs;

#endif
