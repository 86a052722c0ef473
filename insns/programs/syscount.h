/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_SYSCOUNT_H
#define SONDE_SYSCOUNT_H

#include <stdint.h>

#include "insns/program.h"

/*
 * Calls are counted by slot: each number of each table of system calls has a slot. "calls" has two
 * elements for each slot: the number of calls, and with --latency their ns.
 */
#define CALLS 640			/* slots of a table; kernels have numbers up to 548 */
enum call_table { CALLS_NATIVE, CALLS_COMPAT, CALLS_X32, CALL_TABLES };
/* the slot of larger numbers, and of calls without a number */
#define CALL_UNKNOWN (CALL_TABLES * CALLS)
#define CALL_SLOTS (CALL_UNKNOWN + 1)

/* Bits of syscount_key.what. */
#define COUNTS_TIME 1			/* ns, not calls */
#define COUNTS_FIRST 2			/* of the process's first thread */

/* Key of "processes": the same by process and name. */
struct syscount_key {
	uint32_t epoch;
	uint32_t what;			/* COUNTS_* */
	u64 tgid;			/* UINT32_MAX: unknown; --by-cgroup: `whose` */
	char comm[16];
};

RECORD_LAYOUT(syscount_key,
	FIELD_OF(syscount_key, what, NUMBER),
	FIELD_AS(syscount_key, tgid, "pid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(syscount_key, comm, COMM));

extern const struct program_set syscount_programs;

#endif
