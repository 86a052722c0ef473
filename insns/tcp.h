/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_TCP_H
#define SONDE_INSNS_TCP_H

#include <stddef.h>

#include "insns/common.h"

/* For programs that show connections. */

/* The kernel's numbers. */
#define TCP_INET	2
#define TCP_INET6	10
#define TCP_PROTOCOL	6

#define TCP_PORTS 1024		/* entries of a map of wanted ports */

/* States, as the kernel numbers them. */
enum {
	TCP_IS_ESTABLISHED = 1, TCP_IS_SYN_SENT, TCP_IS_SYN_RECV, TCP_IS_FIN_WAIT1,
	TCP_IS_FIN_WAIT2, TCP_IS_TIME_WAIT, TCP_IS_CLOSE, TCP_IS_CLOSE_WAIT, TCP_IS_LAST_ACK,
	TCP_IS_LISTEN, TCP_IS_CLOSING, TCP_IS_NEW_SYN_RECV,
};
static const char *const tcp_state_names[] = {
	[TCP_IS_ESTABLISHED] = "ESTABLISHED", [TCP_IS_SYN_SENT] = "SYN_SENT",
	[TCP_IS_SYN_RECV] = "SYN_RECV", [TCP_IS_FIN_WAIT1] = "FIN_WAIT1",
	[TCP_IS_FIN_WAIT2] = "FIN_WAIT2", [TCP_IS_TIME_WAIT] = "TIME_WAIT",
	[TCP_IS_CLOSE] = "CLOSE", [TCP_IS_CLOSE_WAIT] = "CLOSE_WAIT",
	[TCP_IS_LAST_ACK] = "LAST_ACK", [TCP_IS_LISTEN] = "LISTEN",
	[TCP_IS_CLOSING] = "CLOSING", [TCP_IS_NEW_SYN_RECV] = "NEW_SYN_RECV",
};

/* Both ends of a connection. Unknown addresses are zeros. */
struct tcp_ends {
	u64 family;
	uint32_t lport, rport;
	uint8_t laddr[16], raddr[16];
};

/* Rows of a table of fields for `ends` of STRUCT, a struct tcp_ends with the inputs of HOOK. */
#define TCP_ENDS_FIELDS(STRUCT, HOOK) \
	FIELD_AS(STRUCT, ends.family, "ip", VERSION), \
	FIELD_AS(STRUCT, ends.lport, "lport", NUMBER), \
	FIELD_AS(STRUCT, ends.rport, "rport", NUMBER), \
	FIELD_AS(STRUCT, ends.laddr, "laddr", ADDRESS, \
		 .input = HOOK ":saddr6", FIELD_FAMILY(STRUCT, ends.family)), \
	FIELD_AS(STRUCT, ends.raddr, "raddr", ADDRESS, \
		 .input = HOOK ":daddr6", FIELD_FAMILY(STRUCT, ends.family))

#define TCP_PORT_MAPS \
	{ "lports", MAP_HASH, ROLE_TABLE, 4, 4, TCP_PORTS }, \
	{ "rports", MAP_HASH, ROLE_TABLE, 4, 4, TCP_PORTS }

/* frame.M = a port of the event; if the user asked for other ports, goto OUT */
#define TCP_PORT(M, INPUT, OPTION, TABLE, OUT) \
	SET_FIELD(M, INPUT), \
	JUMP_UNLESS(OPTION, ".any_port"), \
	LOOKUP_OR(TABLE, M, OUT), \
	LABEL(".any_port")

/* frame.LOCAL, REMOTE = both addresses of the event, 16 bytes each; FAMILY: a register. */
#define TCP_ADDRESSES(LOCAL, REMOTE, FAMILY) \
	JEQ(FAMILY, TCP_INET6, ".inet6"), \
	ZERO(LOCAL), \
	ZERO(REMOTE), \
	SET_BYTES_N(LOCAL, "saddr", 4), \
	SET_BYTES_N(REMOTE, "daddr", 4), \
	JUMP(".addresses"), \
	LABEL(".inet6"), \
	SET_BYTES(LOCAL, "saddr6?"), \
	SET_BYTES(REMOTE, "daddr6?"), \
	LABEL(".addresses")

/* if the user asked for another address family, goto OUT; FAMILY: a register */
#define TCP_FAMILY(FAMILY, OUT) \
	JUMP_UNLESS("family", ".any_family"), \
	CONST(R1, "family"), \
	JNE_REG(FAMILY, R1, OUT), \
	LABEL(".any_family")

/*
 * frame.ENDS = the ends of the event's socket; if the user asked for other ones, goto OUT. FAMILY:
 * a register.
 */
#define TCP_ENDS(ENDS, FAMILY, OUT) \
	FIELD(FAMILY, "family"), \
	TCP_FAMILY(FAMILY, OUT), \
	SET(ENDS.family, FAMILY), \
	TCP_PORT(ENDS.lport, "lport", "localport", "lports", OUT), \
	TCP_PORT(ENDS.rport, "dport", "remoteport", "rports", OUT), \
	TCP_ADDRESSES(ENDS.laddr, ENDS.raddr, FAMILY)

#endif
