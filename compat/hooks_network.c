// SPDX-License-Identifier: GPL-2.0
/* The network: connections. */
#include "compat/hooks_rows.h"

#define SOCKET_STATE	"sk=skaddr newstate=newstate family=family protocol=protocol lport=sport dport=dport " \
			"saddr=saddr daddr=daddr saddr6=saddr_v6 daddr6=daddr_v6"
/*
 * The head of struct sock_common is the same from 3.10 on: daddr 0, rcv_saddr 4, dport 12 (network order), num 14,
 * family 16, state 18. The IPv6 addresses behind it (3.13) move with the configuration.
 */
#define SOCK_HEAD(SK)	"sk=" SK " protocol=6 family=+16(" SK "):u16 lport=+14(" SK "):u16 dport=+12(" SK "):be16 " \
			"saddr=+4(" SK "):c4 daddr=+0(" SK "):c4"
#define SOCK_HEAD6(SK)	SOCK_HEAD(SK) " saddr6=+{sock_common.skc_v6_rcv_saddr}(" SK "):c16 " \
			"daddr6=+{sock_common.skc_v6_daddr}(" SK "):c16"
#define SOCK_COMMON	SOCK_HEAD("$arg1") " newstate=2"
#define SOCK_COMMON6	SOCK_HEAD6("$arg1") " newstate=2"
#define SOCKADDR_IN6	"sk=$arg1 newstate=2 protocol=6 family=10 dport=+2($arg2):be16 daddr6=+8($arg2):c16"

/* Of tcp_set_state(), which is not called when a listener makes a socket: `cloned` says whether that is seen. */
#define STATE_EVENT	SOCKET_STATE " oldstate=oldstate cloned=1"
#define STATE_CALL	"newstate=$arg2:u32 oldstate=+18($arg1):u8 cloned=0 "
/* Both since 4.1. */
#define BYTE_COUNTS(SK)	" tx=+{tcp_sock.bytes_acked}(" SK "):u64 rx=+{tcp_sock.bytes_received}(" SK "):u64"

const struct hook hooks_network[] = {
	/*
	 * Who is current acts only in some of the changes: where a program connects, shuts down or closes. The event's
	 * record has a socket's address and not what stands there: so the rings have its counts from the function.
	 */
	HOOK("tcp.set_state", "a TCP socket changes its state",
		ONE(TRACEPOINT("sock:inet_sock_set_state", STATE_EVENT BYTE_COUNTS("skaddr"),
			       .filter = "protocol == 6")),		/* 4.16 */
		ONE(KPROBE("tcp_set_state", STATE_CALL SOCK_HEAD6("$arg1") BYTE_COUNTS("$arg1"))),
		ONE(TRACEPOINT("sock:inet_sock_set_state", STATE_EVENT, .filter = "protocol == 6")),
		ONE(KPROBE("tcp_set_state", STATE_CALL SOCK_HEAD6("$arg1"))),
		ONE(KPROBE("tcp_set_state", STATE_CALL SOCK_HEAD("$arg1"))),
	),
	HOOK("tcp.accept", "a program is handed a connection",
		ONE(KRETPROBE("inet_csk_accept", SOCK_HEAD6("$retval"), .waits = true)),
		ONE(KRETPROBE("inet_csk_accept", SOCK_HEAD("$retval"), .waits = true)),
	),
	/* The tracepoint has no local port yet: it comes with the socket's next state. */
	HOOK("tcp.connect", "a TCP connection is begun",
		ONE(TRACEPOINT("sock:inet_sock_set_state", SOCKET_STATE, .filter = "newstate == 2 && protocol == 6"),
		    .family = "state"),		/* 4.16 */
		ONE(KPROBE("tcp_connect", SOCK_COMMON6), .family = "functions"),
		{ .family = "functions", PROBES(	/* where a socket's IPv6 addresses are not known */
			KPROBE("tcp_connect", SOCK_COMMON),
			KPROBE("tcp_v6_connect", SOCKADDR_IN6, OPTIONAL)) },
	),
	HOOK("tcp.state", "the state a connecting socket comes to next",
		ONE(TRACEPOINT("sock:inet_sock_set_state", SOCKET_STATE, .filter = "oldstate == 2 && protocol == 6"),
		    .family = "state", .foreign = true),
	),
	{ }
};
