/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPSTATES_H
#define SONDE_TCPSTATES_H

#include "insns/tcp.h"

struct tcpstates_record {
	u64 time;
	u64 since;		/* when the old state began; 0: unknown */
	u64 sk;
	u64 oldstate, newstate;
	u64 pid_tgid;	/* the acting task; -1: a packet or a timer */
	char comm[16];		/* its name; empty: a packet or a timer */
	struct tcp_ends ends;
};

RECORD_LAYOUT(tcpstates_record,
	FIELD_OF(tcpstates_record, time, TIME),
	FIELD_OF(tcpstates_record, since, TIME),
	FIELD_OF(tcpstates_record, sk, NUMBER),
	FIELD_OF(tcpstates_record, oldstate, NUMBER, FIELD_NAMES(tcp_state_names)),
	FIELD_OF(tcpstates_record, newstate, NUMBER, FIELD_NAMES(tcp_state_names)),
	FIELD_AS(tcpstates_record, pid_tgid, "pid", TGID),
	FIELD_AS(tcpstates_record, pid_tgid, "tid", TID),
	FIELD_OF(tcpstates_record, comm, COMM),
	TCP_ENDS_FIELDS(tcpstates_record, "tcp.set_state"));

extern const struct program_set tcpstates_programs;

#endif
