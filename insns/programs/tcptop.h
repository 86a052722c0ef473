/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_TCPTOP_H
#define SONDE_TCPTOP_H

#include "insns/tcp.h"

/*
 * The ends of a socket. Addresses of IPv4 are the first four bytes. An address of zeros with a port
 * is any address; without a port it is unknown.
 */
struct tcptop_ends {
	uint16_t family, protocol;
	uint16_t lport, rport;
	uint8_t laddr[16], raddr[16];
};

/* Key of "flows": a process, the name of its thread, a socket; its value. */
struct tcptop_key {
	uint32_t epoch;
	uint32_t unused;
	u64 owner;			/* the process; --by-cgroup: its control group */
	char comm[16];
	struct tcptop_ends ends;
};

RECORD_LAYOUT(tcptop_key,
	FIELD_AS(tcptop_key, owner, "pid", NUMBER, FIELD_UNKNOWN(UINT32_MAX)),
	FIELD_OF(tcptop_key, comm, COMM),
	FIELD_AS(tcptop_key, ends.family, "family", NUMBER),
	FIELD_AS(tcptop_key, ends.protocol, "protocol", NUMBER),
	FIELD_AS(tcptop_key, ends.lport, "lport", NUMBER),
	FIELD_AS(tcptop_key, ends.rport, "rport", NUMBER),
	FIELD_AS(tcptop_key, ends.laddr, "laddr", ADDRESS,
		 FIELD_FAMILY(tcptop_key, ends.family)),
	FIELD_AS(tcptop_key, ends.raddr, "raddr", ADDRESS,
		 FIELD_FAMILY(tcptop_key, ends.family)));

struct tcptop_bytes {
	u64 rx, tx;
};

RECORD_LAYOUT(tcptop_bytes,
	FIELD_OF(tcptop_bytes, rx, NUMBER, .unit = "bytes"),
	FIELD_OF(tcptop_bytes, tx, NUMBER, .unit = "bytes"));

/*
 * By what calls on sockets have moved, with the sockets' ends; or by functions of TCP; or by what
 * calls have moved, and the ends that other events tell.
 */
extern const struct program_set tcptop_programs, tcptop_calls_programs, tcptop_known_programs;

#endif
