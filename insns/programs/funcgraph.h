/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_FUNCGRAPH_H
#define SONDE_FUNCGRAPH_H

#include <stdint.h>

#include "insns/program.h"

enum { GRAPH_BEGINS, GRAPH_ENDS };

/* A call begins or ends. */
struct funcgraph_record {
	u64 time;
	u64 pid_tgid;
	u64 function;			/* its address */
	u64 ns;				/* GRAPH_ENDS: how long the call took */
	uint32_t cpu;
	uint16_t depth;			/* of the call; the kernel has at most 256 */
	uint8_t kind;			/* GRAPH_BEGINS, GRAPH_ENDS */
	uint8_t gap;			/* GRAPH_ENDS: records were lost since it began */
	char comm[16];
};

RECORD_LAYOUT(funcgraph_record,
	FIELD_OF(funcgraph_record, time, TIME),
	FIELD_AS(funcgraph_record, pid_tgid, "tgid", TGID),
	FIELD_AS(funcgraph_record, pid_tgid, "tid", TID),
	FIELD_OF(funcgraph_record, cpu, NUMBER),
	FIELD_OF(funcgraph_record, comm, COMM));

extern const struct program_set funcgraph_programs;

#endif
