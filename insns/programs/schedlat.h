/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SCHEDLAT_H
#define SONDE_SCHEDLAT_H

#include <stdint.h>

#include "insns/program.h"

#define SCHED_CPUS 8192			/* the most that a kernel is built for */
/* The value of an unknown time. */
#define SCHED_UNKNOWN UINT64_MAX

/* Key of "times"; its value. All of it is told when the task leaves its CPU. */
struct schedlat_key {
	uint32_t epoch;
	uint32_t tid;
	u64 pid_tgid;
	u64 owner;		/* --by-cgroup: its control group; otherwise 0 */
	char comm[16];
};

/* How the longest delay and its end are one number: the delay in us above, the end below. */
#define LONGEST_DELAY_SHIFT 32
#define LONGEST_END_SHIFT 20		/* the end in units of 2^20 ns, its lowest 32 bits */

struct schedlat_times {
	u64 run;		/* ns on a CPU */
	u64 voluntary;		/* switches: the task went to sleep, or ended */
	u64 involuntary;	/* switches: the task could have run on */
	u64 moves;		/* times that it came to another CPU than before */
	u64 delays;		/* waits for a CPU */
	u64 delay;		/* ns, sum of these */
	u64 longest;		/* the longest of these, with its end */
};

RECORD_LAYOUT(schedlat_key,
	FIELD_OF(schedlat_key, tid, NUMBER),
	FIELD_AS(schedlat_key, pid_tgid, "pid", TGID),
	FIELD_OF(schedlat_key, comm, COMM));
RECORD_LAYOUT(schedlat_times,
	FIELD_OF(schedlat_times, run, NUMBER, .unit = "ns"),
	FIELD_OF(schedlat_times, voluntary, NUMBER),
	FIELD_OF(schedlat_times, involuntary, NUMBER),
	FIELD_OF(schedlat_times, moves, NUMBER),
	FIELD_OF(schedlat_times, delays, NUMBER),
	FIELD_OF(schedlat_times, delay, NUMBER, .unit = "ns"),
	FIELD_OF(schedlat_times, longest, NUMBER));

/* Value of "cpus": the task that a CPU runs. */
struct schedlat_cpu {
	u64 since;
	u64 tid;		/* 0: the CPU is idle */
	char comm[16];
};

/* --timehist: a stay on a CPU that has ended. */
struct schedlat_record {
	u64 time;
	u64 pid_tgid;
	u64 off;		/* ns off the CPUs before it */
	u64 delay;		/* ns of these in which the task waited for a CPU */
	u64 run;		/* ns on the CPU */
	uint32_t cpu;
	uint32_t unused;
	char comm[16];
};

RECORD_LAYOUT(schedlat_record,
	FIELD_OF(schedlat_record, time, TIME),
	FIELD_AS(schedlat_record, pid_tgid, "pid", TGID),
	FIELD_AS(schedlat_record, pid_tgid, "tid", TID),
	FIELD_OF(schedlat_record, off, NUMBER, .unit = "ns", FIELD_UNKNOWN(SCHED_UNKNOWN)),
	FIELD_OF(schedlat_record, delay, NUMBER, .unit = "ns", FIELD_UNKNOWN(SCHED_UNKNOWN)),
	FIELD_OF(schedlat_record, run, NUMBER, .unit = "ns", FIELD_UNKNOWN(SCHED_UNKNOWN)),
	FIELD_OF(schedlat_record, cpu, NUMBER),
	FIELD_OF(schedlat_record, comm, COMM));

extern const struct program_set schedlat_programs;

#endif
