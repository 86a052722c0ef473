/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPRETRANS_H
#define SONDE_TCPRETRANS_H

#include <stdint.h>

#include "insns/tcp.h"

enum tcpretrans_type { TCPRETRANS_RESENT, TCPRETRANS_PROBE };
static const char *const tcpretrans_types[] = {
	[TCPRETRANS_RESENT] = "R", [TCPRETRANS_PROBE] = "L"
};

/*
 * Key of "flows", which counts: both ends of a connection. IPv4 addresses are ::ffff:192.0.2.1;
 * zeros: unknown.
 */
struct tcpretrans_flow {
	uint32_t epoch;
	uint32_t type;
	uint16_t lport, rport;
	uint32_t zero;
	uint8_t laddr[16];
	uint8_t raddr[16];
};

struct tcpretrans_record {
	u64 time;
	uint32_t state;
	uint32_t sequence;
	struct tcpretrans_flow flow;
};

RECORD_LAYOUT(tcpretrans_flow,
	FIELD_OF(tcpretrans_flow, type, NUMBER, FIELD_NAMES(tcpretrans_types)),
	FIELD_OF(tcpretrans_flow, lport, NUMBER),
	FIELD_OF(tcpretrans_flow, rport, NUMBER),
	FIELD_OF(tcpretrans_flow, laddr, MAPPED),
	FIELD_OF(tcpretrans_flow, raddr, MAPPED));
RECORD_LAYOUT(tcpretrans_record,
	FIELD_OF(tcpretrans_record, time, TIME),
	FIELD_OF(tcpretrans_record, state, NUMBER, FIELD_NAMES(tcp_state_names)),
	FIELD_OF(tcpretrans_record, sequence, NUMBER),
	FIELD_AS(tcpretrans_record, flow.type, "type", NUMBER, FIELD_NAMES(tcpretrans_types)),
	FIELD_AS(tcpretrans_record, flow.lport, "lport", NUMBER),
	FIELD_AS(tcpretrans_record, flow.rport, "rport", NUMBER),
	FIELD_AS(tcpretrans_record, flow.laddr, "laddr", MAPPED),
	FIELD_AS(tcpretrans_record, flow.raddr, "raddr", MAPPED));

extern const struct program_set tcpretrans_programs;

#endif
