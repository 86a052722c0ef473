/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_WHOSE_H
#define SONDE_WHOSE_H

#include "insns/program.h"
#include "insns/u64.h"

/*
 * Whose is a record? An output beside those of the tool, in plans that ask for container names:
 * just before each record of the tool comes one of these, with the same time, and the control group
 * of the task that was current when the record was written. It may be another task than the one
 * that the tool's record tells of: then it says nothing. Engines that are not told groups write
 * none.
 */
#define MAP_WHOSE ".whose"

struct whose_record {
	u64 time;			/* of the record that follows */
	u64 pid_tgid;			/* the current task; all ones: unknown */
	u64 cgroup;			/* the id of its control group, of version 2 */
};

RECORD_LAYOUT(whose_record,
	FIELD_OF(whose_record, time, TIME),
	FIELD_AS(whose_record, pid_tgid, "pid", TGID),
	FIELD_AS(whose_record, pid_tgid, "tid", TID),
	FIELD_OF(whose_record, cgroup, NUMBER));

/* The number of MAP_WHOSE among the maps of a plan; -1: it is not there. */
int whose_map(const struct map *maps, unsigned int n);

#endif
