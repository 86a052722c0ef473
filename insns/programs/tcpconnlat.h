/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPCONNLAT_H
#define SONDE_TCPCONNLAT_H

#include <stdint.h>

#include "insns/program.h"

/* Value of "begun": the task that began a connection, and the time. */
struct tcpconnlat_begun {
	u64 time;
	u64 pid_tgid;
	char comm[16];
	u64 reset;		/* 1: the answer was a reset */
};

/* Names by `reset`. */
static const char *const tcpconnlat_answers[] = { "accepted", "reset" };

struct tcpconnlat_record {
	u64 time;		/* of the answer */
	u64 pid_tgid;
	char comm[16];
	u64 reset;
	u64 nanoseconds;
	uint32_t family;
	uint16_t lport, dport;
	uint8_t saddr[16];
	uint8_t daddr[16];
};

RECORD_LAYOUT(tcpconnlat_record,
	FIELD_OF(tcpconnlat_record, time, TIME),
	FIELD_AS(tcpconnlat_record, pid_tgid, "pid", TGID),
	FIELD_AS(tcpconnlat_record, pid_tgid, "tid", TID),
	FIELD_OF(tcpconnlat_record, comm, COMM),
	FIELD_AS(tcpconnlat_record, reset, "answer", NUMBER, FIELD_NAMES(tcpconnlat_answers)),
	FIELD_AS(tcpconnlat_record, nanoseconds, "latency", NUMBER, .unit = "ns"),
	FIELD_AS(tcpconnlat_record, family, "ip", VERSION),
	FIELD_OF(tcpconnlat_record, lport, NUMBER),
	FIELD_OF(tcpconnlat_record, dport, NUMBER),
	FIELD_OF(tcpconnlat_record, saddr, END, FIELD_FAMILY(tcpconnlat_record, family)),
	FIELD_OF(tcpconnlat_record, daddr, END, FIELD_FAMILY(tcpconnlat_record, family)));

extern const struct program_set tcpconnlat_programs;

#endif
