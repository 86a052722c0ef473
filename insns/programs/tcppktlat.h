/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPPKTLAT_H
#define SONDE_TCPPKTLAT_H

#include "insns/tcp.h"

struct tcppktlat_record {
	u64 time;
	u64 pid_tgid;
	u64 latency;	/* ns from the arrival to the read */
	uint32_t lport, rport;
	uint8_t laddr[16], raddr[16];	/* IPv4 is ::ffff:192.0.2.1 */
	char comm[16];
};

RECORD_LAYOUT(tcppktlat_record,
	FIELD_OF(tcppktlat_record, time, TIME),
	FIELD_AS(tcppktlat_record, pid_tgid, "pid", TGID),
	FIELD_AS(tcppktlat_record, pid_tgid, "tid", TID),
	FIELD_OF(tcppktlat_record, latency, NUMBER, .unit = "ns"),
	FIELD_OF(tcppktlat_record, lport, NUMBER),
	FIELD_OF(tcppktlat_record, rport, NUMBER),
	FIELD_OF(tcppktlat_record, laddr, MAPPED),
	FIELD_OF(tcppktlat_record, raddr, MAPPED),
	FIELD_OF(tcppktlat_record, comm, COMM));

extern const struct program_set tcppktlat_programs;

#endif
