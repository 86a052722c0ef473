/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_COMPACTSNOOP_H
#define SONDE_COMPACTSNOOP_H

#include <stdint.h>

#include "insns/program.h"

#define COMPACT_UNKNOWN (-2)		/* of the zone: the kernel did not tell it */

/* The pages of a zone, when the task first looked; with --extended. */
struct compactsnoop_room {
	u64 marks[3];		/* MIN, LOW, HIGH */
	u64 boost;		/* is added to these */
	u64 free;
	int32_t index;		/* 1000 times how fragmented it is; COMPACT_NO_INDEX: unknown */
	uint32_t known;		/* 0: the task did not look */
};
#define COMPACT_NO_INDEX INT32_MIN

/* Value of "start", by thread: a compaction that goes on. */
struct compactsnoop_zone {
	u64 time;
	int32_t node, zone, order;
	uint32_t sync;
	struct compactsnoop_room room;
};

struct compactsnoop_record {
	u64 time;
	u64 latency;		/* ns */
	u64 pid_tgid;
	u64 caller;		/* always 0: no stack of user space */
	int32_t kernel_stack, user_stack;
	int32_t node, zone;	/* the zone's number in the node */
	int32_t order;		/* of the pages that are wanted; -1: as large as possible */
	uint32_t sync;
	uint32_t status;
	uint32_t unused;
	struct compactsnoop_room room;
	char comm[16];
};

RECORD_LAYOUT(compactsnoop_record,
	FIELD_OF(compactsnoop_record, time, TIME),
	FIELD_OF(compactsnoop_record, latency, NUMBER, .unit = "ns"),
	FIELD_AS(compactsnoop_record, pid_tgid, "tgid", TGID),
	FIELD_AS(compactsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(compactsnoop_record, caller, NUMBER),
	FIELD_OF(compactsnoop_record, kernel_stack, STACK),
	FIELD_OF(compactsnoop_record, user_stack, STACK),
	FIELD_OF(compactsnoop_record, node, NUMBER),
	FIELD_OF(compactsnoop_record, zone, NUMBER),
	FIELD_OF(compactsnoop_record, order, NUMBER),
	FIELD_OF(compactsnoop_record, sync, NUMBER),
	FIELD_OF(compactsnoop_record, status, NUMBER),
	FIELD_OF(compactsnoop_record, comm, COMM));

extern const struct program_set compactsnoop_programs;

#endif
