/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPCONNECT_H
#define SONDE_TCPCONNECT_H

#include <stdint.h>

#include "insns/program.h"

#define TCPCONNECT_PORTS 1024	/* entries of a map of wanted ports */

struct tcpconnect_record {
	u64 time;
	u64 pid_tgid;
	uint32_t uid;
	uint16_t lport;		/* 0: not chosen yet, or unavailable on this kernel */
	uint16_t dport;
	u64 family;
	uint8_t saddr[16];
	uint8_t daddr[16];
	char comm[16];
};

RECORD_LAYOUT(tcpconnect_record,
	FIELD_OF(tcpconnect_record, time, TIME),
	FIELD_AS(tcpconnect_record, pid_tgid, "pid", TGID),
	FIELD_AS(tcpconnect_record, pid_tgid, "tid", TID),
	FIELD_OF(tcpconnect_record, uid, NUMBER, .input = "tcp.connect:uid"),
	FIELD_OF(tcpconnect_record, lport, NUMBER, FIELD_UNKNOWN(0)),
	FIELD_OF(tcpconnect_record, dport, NUMBER),
	FIELD_AS(tcpconnect_record, family, "ip", VERSION),
	FIELD_OF(tcpconnect_record, saddr, END, FIELD_FAMILY(tcpconnect_record, family)),
	FIELD_OF(tcpconnect_record, daddr, ADDRESS, FIELD_FAMILY(tcpconnect_record, family)),
	FIELD_OF(tcpconnect_record, comm, COMM));

/* Key of "connects", for counts instead of a line each. */
struct tcpconnect_key {
	uint32_t epoch;
	uint16_t family;
	uint16_t dport;
	uint8_t saddr[16];
	uint8_t daddr[16];
};

RECORD_LAYOUT(tcpconnect_key,
	FIELD_AS(tcpconnect_key, family, "ip", VERSION),
	FIELD_OF(tcpconnect_key, dport, NUMBER),
	FIELD_OF(tcpconnect_key, saddr, END, FIELD_FAMILY(tcpconnect_key, family)),
	FIELD_OF(tcpconnect_key, daddr, ADDRESS, FIELD_FAMILY(tcpconnect_key, family)));

extern const struct program_set tcpconnect_programs;

#endif
