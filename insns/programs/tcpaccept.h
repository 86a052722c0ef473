/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPACCEPT_H
#define SONDE_TCPACCEPT_H

#include "insns/tcp.h"

struct tcpaccept_record {
	u64 time;
	u64 pid_tgid;
	char comm[16];
	struct tcp_ends ends;
};

RECORD_LAYOUT(tcpaccept_record,
	FIELD_OF(tcpaccept_record, time, TIME),
	FIELD_AS(tcpaccept_record, pid_tgid, "pid", TGID),
	FIELD_AS(tcpaccept_record, pid_tgid, "tid", TID),
	FIELD_OF(tcpaccept_record, comm, COMM),
	TCP_ENDS_FIELDS(tcpaccept_record, "tcp.accept"));

extern const struct program_set tcpaccept_programs;

#endif
