/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DRSNOOP_H
#define SONDE_DRSNOOP_H

#include <stdint.h>

#include "insns/program.h"

struct drsnoop_record {
	u64 time;
	u64 latency;	/* ns */
	u64 pid_tgid;
	u64 pages;
	u64 uid;
	char comm[16];
};

RECORD_LAYOUT(drsnoop_record,
	FIELD_OF(drsnoop_record, time, TIME),
	FIELD_OF(drsnoop_record, latency, NUMBER, .unit = "ns"),
	FIELD_AS(drsnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(drsnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(drsnoop_record, pages, NUMBER, .unit = "pages"),
	FIELD_OF(drsnoop_record, uid, NUMBER, .input = "reclaim.end:uid"),
	FIELD_OF(drsnoop_record, comm, COMM));

extern const struct program_set drsnoop_programs;

#endif
