/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_UGC_H
#define SONDE_UGC_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

/* By their numbers in compat/hooks/hooks_runtimes.c. */
static const char *const ugc_whats[] = {
	"python", "ruby mark", "ruby sweep", "java", "java pool", NULL
};
enum ugc_what { UGC_PYTHON, UGC_RUBY_MARK, UGC_RUBY_SWEEP, UGC_JAVA, UGC_POOL };

struct ugc_record {
	u64 time;		/* of the end */
	u64 pid_tgid;
	u64 ns;
	/* Python: the generation; Java: 1: a full one; a pool: bytes in use */
	int64_t before;
	int64_t after;		/* Python: objects that were collected; a pool: bytes in use */
	int64_t most;		/* a pool: bytes committed */
	u64 what;
	u64 cpu;
	char comm[16];
	struct path_name pool;
};

RECORD_LAYOUT(ugc_record,
	FIELD_OF(ugc_record, time, TIME),
	FIELD_AS(ugc_record, pid_tgid, "pid", TGID),
	FIELD_AS(ugc_record, pid_tgid, "tid", TID),
	FIELD_AS(ugc_record, ns, "latency", NUMBER, .unit = "ns"),
	FIELD_OF(ugc_record, before, NUMBER),
	FIELD_OF(ugc_record, after, NUMBER),
	FIELD_OF(ugc_record, most, NUMBER, .unit = "bytes"),
	FIELD_OF(ugc_record, what, NUMBER, FIELD_NAMES(ugc_whats)),
	FIELD_OF(ugc_record, cpu, NUMBER),
	FIELD_OF(ugc_record, comm, COMM),
	FIELD_OF(ugc_record, pool, PATH));

/* Key of "hists": a histogram for each runtime and part of it. */
struct ugc_slot {
	uint32_t epoch;
	uint32_t slot;
	u64 what;
};

RECORD_LAYOUT(ugc_slot,
	FIELD_OF(ugc_slot, slot, NUMBER),
	FIELD_OF(ugc_slot, what, NUMBER));

extern const struct program_set ugc_programs, javagc_programs;

#endif
