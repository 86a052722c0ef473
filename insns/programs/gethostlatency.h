/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_GETHOSTLATENCY_H
#define SONDE_GETHOSTLATENCY_H

#include <stdint.h>

#include "insns/path.h"
#include "insns/program.h"

/* By their numbers in compat/hooks/hooks_network.c. */
static const char *const gethostlatency_calls[] = {
	"getaddrinfo", "gethostbyname", "gethostbyname2", "gethostbyname_r", "gethostbyname2_r",
	NULL
};

struct gethostlatency_record {
	u64 time;
	u64 pid_tgid;
	u64 ns;		/* from the call to its return */
	u64 call;		/* index of gethostlatency_calls[] */
	char comm[16];
	struct path_name host;
};

RECORD_LAYOUT(gethostlatency_record,
	FIELD_OF(gethostlatency_record, time, TIME),
	FIELD_AS(gethostlatency_record, pid_tgid, "pid", TGID),
	FIELD_AS(gethostlatency_record, pid_tgid, "tid", TID),
	FIELD_AS(gethostlatency_record, ns, "latency", NUMBER, .unit = "ns"),
	FIELD_OF(gethostlatency_record, call, NUMBER, FIELD_NAMES(gethostlatency_calls)),
	FIELD_OF(gethostlatency_record, comm, COMM),
	FIELD_OF(gethostlatency_record, host, PATH));

extern const struct program_set gethostlatency_programs;

#endif
