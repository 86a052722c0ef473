/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_DBSLOWER_H
#define SONDE_DBSLOWER_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

static const char *const dbslower_kinds[] = { "query", "execute", "prepare", "fetch", NULL };
enum dbslower_kind { DB_QUERY, DB_EXECUTE, DB_PREPARE, DB_FETCH };

/* A query. While it goes on, it is in a map, and `time` is its beginning. */
struct dbslower_record {
	u64 time;		/* of the end */
	u64 pid_tgid;
	u64 ns;
	uint32_t kind;		/* enum dbslower_kind */
	/* PostgreSQL: executions within each other that go on; 0: none yet, or none any more */
	uint32_t depth;
	uint32_t failed;	/* PostgreSQL: 1: it ended by an error */
	/* MySQL, MariaDB: of a prepared statement, in little-endian order if `packet` is 1 */
	uint32_t number, packet;
	char comm[16];
	uint32_t unused;
	struct path_name query;
};

RECORD_LAYOUT(dbslower_record,
	FIELD_OF(dbslower_record, time, TIME),
	FIELD_AS(dbslower_record, pid_tgid, "pid", TGID),
	FIELD_AS(dbslower_record, pid_tgid, "tid", TID),
	FIELD_AS(dbslower_record, ns, "latency", NUMBER, .unit = "ns"),
	FIELD_OF(dbslower_record, kind, NUMBER, FIELD_NAMES(dbslower_kinds)),
	FIELD_OF(dbslower_record, failed, NUMBER),
	FIELD_OF(dbslower_record, number, NUMBER),
	FIELD_OF(dbslower_record, packet, NUMBER),
	FIELD_OF(dbslower_record, comm, COMM),
	FIELD_OF(dbslower_record, query, PATH));

extern const struct program_set dbslower_programs, dbstat_programs;

#endif
