/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OOMKILL_H
#define SONDE_OOMKILL_H

#include <stdint.h>

#include "insns/program.h"

#define OOM_UNKNOWN UINT64_MAX		/* the value of an unknown number of pages */

struct oomkill_record {
	u64 time;
	u64 pid_tgid;		/* the task that asked for memory */
	u64 pages;			/* OOM_UNKNOWN: unknown */
	uint32_t victim;
	uint32_t pad;
	char comm[16];
	char name[16];			/* the victim's; empty: unknown on this kernel */
};

RECORD_LAYOUT(oomkill_record,
	FIELD_OF(oomkill_record, time, TIME),
	FIELD_AS(oomkill_record, pid_tgid, "pid", TGID),
	FIELD_AS(oomkill_record, pid_tgid, "tid", TID),
	FIELD_OF(oomkill_record, pages, NUMBER, .unit = "pages", FIELD_UNKNOWN(OOM_UNKNOWN)),
	FIELD_OF(oomkill_record, victim, NUMBER),
	FIELD_OF(oomkill_record, comm, COMM),
	FIELD_AS(oomkill_record, name, "victim_comm", COMM));

extern const struct program_set oomkill_programs;

#endif
