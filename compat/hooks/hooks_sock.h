/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SONDE_HOOKS_SOCK_H
#define SONDE_HOOKS_SOCK_H

#include "compat/hooks/hooks_rows.h"

/*
 * Inputs of a socket at SK. The head of struct sock_common is the same since 3.10: daddr 0,
 * rcv_saddr 4, dport 12 (network order), num 14, family 16, state 18. The IPv6 addresses behind it
 * (3.13) move with the configuration. Before 3.13 the IPv6 addresses are in the last part of an
 * IPv6 socket, struct ipv6_pinfo.
 */
#define SOCK_ENDS(SK)	"lport=+14(" SK "):u16 dport=+12(" SK "):be16 " \
			"saddr=+4(" SK "):c4 daddr=+0(" SK "):c4"
#define SOCK_ENDS6(SK)	SOCK_ENDS(SK) " saddr6=+{sock_common.skc_v6_rcv_saddr}(" SK "):c16 " \
			"daddr6=+{sock_common.skc_v6_daddr}(" SK "):c16"
#define SOCK_HEAD(SK)	"sk=" SK " protocol=6 family=+16(" SK "):u16 " SOCK_ENDS(SK)
#define SOCK_HEAD6(SK)	"sk=" SK " protocol=6 family=+16(" SK "):u16 " SOCK_ENDS6(SK)
#define SOCK_TAIL6(SK)	SOCK_HEAD(SK) " saddr6=+{tcp6_sock.inet6.saddr}(" SK "):c16 " \
			"daddr6=+{tcp6_sock.inet6.daddr}(" SK "):c16"
/* The newest kernels again have a member of that name, with another meaning. */
#define TO_3_12		.until = "openat2"

#endif
