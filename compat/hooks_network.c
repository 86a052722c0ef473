// SPDX-License-Identifier: GPL-2.0
/* The network: connections. */
#include "compat/hooks_rows.h"

#define SOCKET_STATE	"sk=skaddr newstate=newstate family=family protocol=protocol lport=sport dport=dport " \
			"saddr=saddr daddr=daddr saddr6=saddr_v6 daddr6=daddr_v6"
/*
 * The head of struct sock_common is the same from 3.10 on: daddr 0, rcv_saddr 4, dport 12 (network order), num 14,
 * family 16. The IPv6 addresses behind it (3.13) move with the configuration.
 */
#define SOCK_COMMON	"sk=$arg1 newstate=2 protocol=6 family=+16($arg1):u16 lport=+14($arg1):u16 " \
			"dport=+12($arg1):be16 saddr=+4($arg1):c4 daddr=+0($arg1):c4"
#define SOCK_COMMON6	SOCK_COMMON " saddr6=+{sock_common.skc_v6_rcv_saddr}($arg1):c16 " \
			"daddr6=+{sock_common.skc_v6_daddr}($arg1):c16"
#define SOCKADDR_IN6	"sk=$arg1 newstate=2 protocol=6 family=10 dport=+2($arg2):be16 daddr6=+8($arg2):c16"

/* All of them have the name first; some call each other, within libc, where probes are passed too. */
#define LOOKUPS(PROBE, INPUTS) \
	PROBE("libc:getaddrinfo", "call=0" INPUTS, OPTIONAL), \
	PROBE("libc:gethostbyname", "call=1" INPUTS, OPTIONAL), \
	PROBE("libc:gethostbyname2", "call=2" INPUTS, OPTIONAL), \
	PROBE("libc:gethostbyname_r", "call=3" INPUTS, OPTIONAL), \
	PROBE("libc:gethostbyname2_r", "call=4" INPUTS, OPTIONAL)

const struct hook hooks_network[] = {
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

	HOOK("host.enter", "a program asks the C library for a host's addresses",
		{ PROBES(LOOKUPS(UPROBE, " pointer=$arg1:uW host=+0($arg1):uname")) },
	),
	HOOK("host.exit", "it is answered",
		{ PROBES(LOOKUPS(URETPROBE, "")) },
	),
	{ }
};
