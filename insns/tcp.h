/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_INSNS_TCP_H
#define SONDE_INSNS_TCP_H

#include <stddef.h>

#include "insns/common.h"

/* What programs share that show connections. */

#define TCP_PORTS 1024		/* that can be asked for */

/* States, as the kernel numbers them. */
enum { TCP_IS_ESTABLISHED = 1, TCP_IS_SYN_SENT, TCP_IS_SYN_RECV, TCP_IS_FIN_WAIT1, TCP_IS_FIN_WAIT2, TCP_IS_TIME_WAIT,
	TCP_IS_CLOSE, TCP_IS_CLOSE_WAIT, TCP_IS_LAST_ACK, TCP_IS_LISTEN, TCP_IS_CLOSING, TCP_IS_NEW_SYN_RECV };

/* Both ends of a connection. An address that is not told is zeros. */
struct tcp_ends {
	uint64_t family;
	uint32_t lport, rport;
	uint8_t laddr[16], raddr[16];
};

#define TCP_PORT_MAPS \
	{ "lports", MAP_HASH, ROLE_TABLE, 4, 4, TCP_PORTS }, \
	{ "rports", MAP_HASH, ROLE_TABLE, 4, 4, TCP_PORTS }

#define TCP_END(ENDS, MEMBER) ((ENDS) + (int)offsetof(struct tcp_ends, MEMBER))

#define TCP_PORT(ENDS, MEMBER, INPUT, OPTION, TABLE) \
	FIELD(R7, INPUT), \
	BPF_STX_MEM(BPF_W, R10, R7, TCP_END(ENDS, MEMBER)), \
	UNLESS(OPTION, ".any_port"), \
	LOOKUP(TABLE, TCP_END(ENDS, MEMBER)), \
	JUMP_IF(BPF_JEQ, R0, 0, "out"), \
	LABEL(".any_port")

/* stack[ENDS] = the ends of the event's socket; leaves for "out" unless they were asked for. Clobbers r6 and r7. */
#define TCP_ENDS(ENDS) \
	FIELD(R6, "family"), \
	UNLESS("family", ".any_family"), \
	CONST(R1, "family"), \
	JUMP_IF_REG(BPF_JNE, R6, R1, "out"), \
	LABEL(".any_family"), \
	BPF_STX_MEM(BPF_DW, R10, R6, TCP_END(ENDS, family)), \
	TCP_PORT(ENDS, lport, "lport", "localport", "lports"), \
	TCP_PORT(ENDS, rport, "dport", "remoteport", "rports"), \
	JUMP_IF(BPF_JEQ, R6, 10, ".inet6"), \
	BPF_ST_MEM(BPF_W, R10, TCP_END(ENDS, laddr) + 4, 0), \
	BPF_ST_MEM(BPF_DW, R10, TCP_END(ENDS, laddr) + 8, 0), \
	BPF_ST_MEM(BPF_W, R10, TCP_END(ENDS, raddr) + 4, 0), \
	BPF_ST_MEM(BPF_DW, R10, TCP_END(ENDS, raddr) + 8, 0), \
	BYTES(TCP_END(ENDS, laddr), "saddr", 4), \
	BYTES(TCP_END(ENDS, raddr), "daddr", 4), \
	JUMP(".addresses"), \
	LABEL(".inet6"), \
	BYTES(TCP_END(ENDS, laddr), "saddr6?", 16), \
	BYTES(TCP_END(ENDS, raddr), "daddr6?", 16), \
	LABEL(".addresses")

#endif
