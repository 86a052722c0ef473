/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_BIOSNOOP_H
#define SONDE_BIOSNOOP_H

#include <stdint.h>

#include "insns/program.h"

/* The value of an unknown time, and of an unknown pid_tgid. */
#define BIO_UNKNOWN UINT64_MAX

struct biosnoop_record {
	u64 time;
	u64 pid_tgid;
	u64 sector;
	u64 bytes;
	u64 latency;	/* ns */
	u64 queued;	/* ns, before it was issued */
	char rwbs[8];		/* ends with a NUL; bytes behind it are undefined */
	char comm[16];
	uint32_t dev;
	uint32_t operation;	/* R, W, D, F: a letter of rwbs */
};

RECORD_LAYOUT(biosnoop_record,
	FIELD_OF(biosnoop_record, time, TIME),
	FIELD_AS(biosnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(biosnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(biosnoop_record, sector, NUMBER),
	FIELD_OF(biosnoop_record, bytes, NUMBER, .unit = "bytes"),
	FIELD_OF(biosnoop_record, latency, NUMBER, .unit = "ns", FIELD_UNKNOWN(BIO_UNKNOWN)),
	FIELD_OF(biosnoop_record, queued, NUMBER, .unit = "ns", FIELD_UNKNOWN(BIO_UNKNOWN)),
	FIELD_AS(biosnoop_record, rwbs, "flags", CHARS),
	FIELD_OF(biosnoop_record, comm, COMM),
	FIELD_OF(biosnoop_record, dev, NUMBER),
	FIELD_OF(biosnoop_record, operation, NUMBER));

/*
 * A task that made a request longer ago than this, ns, has no group by its id (--by-cgroup): the id
 * may be another task's in the interval in which the request ends.
 */
#define BIO_OWNED 1000000000

/* Key of "sums"; its value. */
struct biotop_key {
	uint32_t epoch;
	uint32_t dev;
	uint32_t operation;
	uint32_t unused;
	u64 owner;		/* the process; --by-cgroup: its `whose`, 0 if that is unknown */
	char comm[16];		/* --by-cgroup: empty */
};

RECORD_LAYOUT(biotop_key,
	FIELD_OF(biotop_key, dev, NUMBER),
	FIELD_AS(biotop_key, owner, "pid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(biotop_key, operation, NUMBER),
	FIELD_OF(biotop_key, comm, COMM));

struct biotop_sums {
	u64 requests;
	u64 bytes;
	u64 timed;		/* requests with a known latency */
	u64 latency;	/* ns, sum over these */
};

RECORD_LAYOUT(biotop_sums,
	FIELD_OF(biotop_sums, requests, NUMBER),
	FIELD_OF(biotop_sums, bytes, NUMBER, .unit = "bytes"),
	FIELD_OF(biotop_sums, timed, NUMBER),
	FIELD_OF(biotop_sums, latency, NUMBER, .unit = "ns"));

/* By the request itself, or otherwise by made keys. */
extern const struct program_set biosnoop_programs, biosnoop_made_programs;
extern const struct program_set biotop_programs, biotop_made_programs;

#endif
