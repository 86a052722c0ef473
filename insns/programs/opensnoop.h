/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_OPENSNOOP_H
#define SONDE_OPENSNOOP_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

/* Results of opens by io_uring: it is unknown; the file got a place in the ring, no descriptor. */
#define OPEN_UNKNOWN	(-65536)
#define OPEN_SLOT	(-65537)

struct opensnoop_record {
	u64 time;
	u64 pid_tgid;
	u64 flags;
	uint32_t mode;
	int32_t dfd;
	int32_t ret;
	uint32_t uid;
	char comm[16];
	s64 path_length;	/* with its NUL; negative: unknown */
	char path[PATH_READ];
};

RECORD_LAYOUT(opensnoop_record,
	FIELD_OF(opensnoop_record, time, TIME),
	FIELD_AS(opensnoop_record, pid_tgid, "pid", TGID),
	FIELD_AS(opensnoop_record, pid_tgid, "tid", TID),
	FIELD_OF(opensnoop_record, flags, NUMBER, .input = "open.enter:flags"),
	FIELD_OF(opensnoop_record, mode, NUMBER, .input = "open.enter:mode"),
	FIELD_OF(opensnoop_record, dfd, NUMBER),
	FIELD_OF(opensnoop_record, ret, NUMBER),
	FIELD_OF(opensnoop_record, uid, NUMBER, .input = "open.exit:uid"),
	FIELD_OF(opensnoop_record, comm, COMM),
	FIELD_AS(opensnoop_record, path_length, "path", PATH));

extern const struct program_set opensnoop_programs;

#endif
