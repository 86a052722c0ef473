// SPDX-License-Identifier: GPL-2.0
/* The network: connections. */
#include "compat/hooks/hooks_sock.h"

#define SOCKET_STATE	"sk=skaddr newstate=newstate family=family protocol=protocol " \
			"lport=sport dport=dport " \
			"saddr=saddr daddr=daddr saddr6=saddr_v6 daddr6=daddr_v6"
#define SOCK_COMMON	SOCK_HEAD("$arg1") " newstate=2"
#define SOCK_COMMON6	SOCK_HEAD6("$arg1") " newstate=2"
#define SOCK_OLD6	SOCK_TAIL6("$arg1") " newstate=2"
#define SOCKADDR_IN6	"sk=$arg1 newstate=2 protocol=6 family=10 dport=+2($arg2):be16 " \
			"daddr6=+8($arg2):c16"
/* A socket whose state is about to change. Its old state is at offset 18. */
#define SET_STATE(SOCK)	SOCK("$arg1") " newstate=$arg2:s32 oldstate=+18($arg1):u8"
#define SET_STATES(...) \
	ONE(KPROBE("tcp_set_state", SET_STATE(SOCK_HEAD6)), .family = "functions", __VA_ARGS__), \
	ONE(KPROBE("tcp_set_state", SET_STATE(SOCK_TAIL6)), .family = "functions", TO_3_12, \
	    __VA_ARGS__), \
	ONE(KPROBE("tcp_set_state", SET_STATE(SOCK_HEAD)), .family = "functions", __VA_ARGS__)

/*
 * The tracepoint tells the addresses of both families also as IPv6 addresses. Up to 6.x it is not
 * hit for a segment that could not be sent.
 */
#define RESENT		"family=10 lport=sport rport=dport laddr=saddr raddr=daddr " \
			"laddr6=saddr_v6 raddr6=daddr_v6"
#define RESENT_ENDS	"family=+16($arg1):u16 lport=+14($arg1):u16 rport=+12($arg1):be16 " \
			"laddr=+4($arg1):c4 raddr=+0($arg1):c4 state=+18($arg1):u8 err=0"
#define RESENT_ENDS6	RESENT_ENDS " laddr6=+{sock_common.skc_v6_rcv_saddr}($arg1):c16 " \
			"raddr6=+{sock_common.skc_v6_daddr}($arg1):c16"
#define RESENT_OLD6	RESENT_ENDS " laddr6=+{tcp6_sock.inet6.saddr}($arg1):c16 " \
			"raddr6=+{tcp6_sock.inet6.daddr}($arg1):c16"
/* TCP keeps its data of a packet in the packet's `cb`. The sequence number is the first member. */
#define TRACED_SEQ	" seq=+{sk_buff.cb}(skbaddr):u32"
#define CALLED_SEQ	" seq=+{sk_buff.cb}($arg2):u32"

#define BACKLOG		"family=+16($arg1):u16 backlog=+{sock.sk_ack_backlog}($arg1):u32 " \
			"limit=+{sock.sk_max_ack_backlog}($arg1):u32"

/*
 * `cloned` is 1 if the hook sees the sockets that a listener makes. tcp_set_state() is not called
 * for them.
 */
#define STATE_EVENT	SOCKET_STATE " oldstate=oldstate cloned=1"
#define STATE_CALL	"newstate=$arg2:u32 oldstate=+18($arg1):u8 cloned=0 "
#define ACCEPTED_STATE	" state=+18($retval):u8"
/* Both members are new in 4.1. */
#define BYTE_COUNTS(SK)	" tx=+{tcp_sock.bytes_acked}(" SK "):u64" \
			" rx=+{tcp_sock.bytes_received}(" SK "):u64"

#define SEND(INPUTS) \
	.with = "tcp.sent", PROBES( \
		KPROBE("tcp_sendmsg", INPUTS), \
		KPROBE("tcp_sendpage", "sk=$arg1", OPTIONAL))	/* until 6.4 */
/* splice(2), the kernel itself, and pages mapped for a program (4.18) do not call tcp_recvmsg(). */
#define RECEIVE(INPUTS) \
	.with = "tcp.received", PROBES( \
		KPROBE("tcp_recvmsg", INPUTS), \
		KPROBE("tcp_read_sock", "sk=$arg1 flags=0"), \
		KPROBE("__tcp_read_sock", "sk=$arg1 flags=0", OPTIONAL), \
		KPROBE("tcp_zerocopy_receive", "sk=$arg1 flags=0", OPTIONAL))

/*
 * The name is the first argument of all functions. Some functions call each other, and these calls
 * are probed too.
 */
#define LOOKUPS(PROBE, INPUTS) \
	PROBE("libc:getaddrinfo", "call=0" INPUTS, OPTIONAL), \
	PROBE("libc:gethostbyname", "call=1" INPUTS, OPTIONAL), \
	PROBE("libc:gethostbyname2", "call=2" INPUTS, OPTIONAL), \
	PROBE("libc:gethostbyname_r", "call=3" INPUTS, OPTIONAL), \
	PROBE("libc:gethostbyname2_r", "call=4" INPUTS, OPTIONAL)

const struct hook hooks_network[] = {
	/*
	 * The current task causes only some of the changes: when a program connects, shuts down or
	 * closes. The tracepoint's record has only the address of the socket. So the rings read the
	 * socket's byte counts at the function.
	 */
	HOOK("tcp.set_state", "a TCP socket changes its state",
		ONE(TRACEPOINT("sock:inet_sock_set_state", STATE_EVENT BYTE_COUNTS("skaddr"),
			       .filter = "protocol == 6")),		/* 4.16 */
		ONE(KPROBE("tcp_set_state", STATE_CALL SOCK_HEAD6("$arg1") BYTE_COUNTS("$arg1"))),
		ONE(TRACEPOINT("sock:inet_sock_set_state", STATE_EVENT, .filter = "protocol == 6")),
		ONE(KPROBE("tcp_set_state", STATE_CALL SOCK_HEAD6("$arg1"))),
		ONE(KPROBE("tcp_set_state", STATE_CALL SOCK_TAIL6("$arg1")), TO_3_12),
		ONE(KPROBE("tcp_set_state", STATE_CALL SOCK_HEAD("$arg1"))),
	),
	HOOK("tcp.accept", "a program is handed a connection",
		ONE(KRETPROBE("inet_csk_accept", SOCK_HEAD6("$retval") ACCEPTED_STATE)),
		ONE(KRETPROBE("inet_csk_accept", SOCK_TAIL6("$retval") ACCEPTED_STATE), TO_3_12),
		ONE(KRETPROBE("inet_csk_accept", SOCK_HEAD("$retval") ACCEPTED_STATE)),
	),
	/*
	 * Bytes that calls send and receive. Up to 4.0 a kiocb is before the socket. Up to 5.18 an
	 * argument of its own says that a call does not wait. The functions in `needs` were added
	 * or removed in the same release.
	 */
	HOT_HOOK("each send over TCP", "tcp.send", "bytes are handed to a TCP socket",
		{ .needs = "sock_read_iter", SEND("sk=$arg1") },		/* 4.1 */
		{ .needs = "sock_aio_read", SEND("sk=$arg2") },
	),
	HOT_HOOK("each send over TCP", "tcp.sent", "a TCP socket has taken so many bytes",
		{ .with = "tcp.send", PROBES(
			KRETPROBE("tcp_sendmsg", RET),
			KRETPROBE("tcp_sendpage", RET, OPTIONAL)) },
	),
	HOT_HOOK("each receive over TCP", "tcp.receive", "bytes are asked of a TCP socket",
		/* 5.19 */
		{ .needs = "skb_attempt_defer_free", RECEIVE("sk=$arg1 flags=$arg4:u32") },
		/* 4.1 */
		{ .needs = "sock_read_iter", RECEIVE("sk=$arg1 flags=$arg5:u32") },
		{ .needs = "sock_aio_read", RECEIVE("sk=$arg2 flags=$arg6:u32") },
	),
	HOT_HOOK("each receive over TCP", "tcp.received",
		 "a TCP socket has given so many bytes so far",
		/* 6.0 */
		ONE(KPROBE("__tcp_cleanup_rbuf", "sk=$arg1 copied=$arg2:s32"),
		    .with = "tcp.receive"),
		ONE(KPROBE("tcp_cleanup_rbuf", "sk=$arg1 copied=$arg2:s32"), .with = "tcp.receive"),
	),

	/* At the tracepoint the local port is not set yet: the socket's next state has it. */
	HOOK("tcp.connect", "a TCP connection is begun",
		ONE(TRACEPOINT("sock:inet_sock_set_state", SOCKET_STATE,
			       .filter = "newstate == 2 && protocol == 6"),
		    .family = "state"),		/* 4.16 */
		ONE(KPROBE("tcp_connect", SOCK_COMMON6), .family = "functions"),
		ONE(KPROBE("tcp_connect", SOCK_OLD6), .family = "functions", TO_3_12),
		/* if the place of a socket's IPv6 addresses is unknown */
		{ .family = "functions", PROBES(
			KPROBE("tcp_connect", SOCK_COMMON),
			KPROBE("tcp_v6_connect", SOCKADDR_IN6, OPTIONAL)) },
	),
	HOOK("tcp.state", "the state a connecting socket comes to next",
		ONE(TRACEPOINT("sock:inet_sock_set_state", SOCKET_STATE,
			       .filter = "oldstate == 2 && protocol == 6"),
		    .family = "state", .foreign = true),
	),

	/* From SYN_SENT to the next state. Another task is current when the next state comes. */
	HOOK("handshake.begin", "a TCP connection is begun",
		ONE(TRACEPOINT("sock:inet_sock_set_state", SOCKET_STATE,
			       .filter = "newstate == 2 && protocol == 6"),
		    .family = "state"),		/* 4.16 */
		SET_STATES(.foreign = false),
	),
	HOOK("handshake.reset", "a TCP socket is reset by its peer",
		ONE(TRACEPOINT("tcp:tcp_receive_reset", "sk=skaddr"),
		    .family = "state", .foreign = true),	/* 4.15 */
		ONE(KPROBE("tcp_reset", "sk=$arg1", TRY(CONNECT)), .family = "functions",
		    .foreign = true),
		/*
		 * Callers may have inlined the beginning of tcp_reset(), which skips closed
		 * sockets.
		 */
		ONE(KPROBE("tcp_reset.part", "sk=$arg1"), .family = "functions", .foreign = true),
	),
	HOOK("handshake.state", "a connecting socket is answered, or given up",
		ONE(TRACEPOINT("sock:inet_sock_set_state", SOCKET_STATE " oldstate=oldstate",
			       .filter = "oldstate == 2 && protocol == 6"), .family = "state",
			       .foreign = true),
		SET_STATES(.foreign = true),
	),

	/* Timers and acknowledgements cause retransmits: the current task means nothing. */
	HOOK("retransmit.skb", "a TCP segment is sent again",
		ONE(TRACEPOINT("tcp:tcp_retransmit_skb", RESENT " err=err state=state" TRACED_SEQ),
		    .foreign = true),				/* 7.x */
		ONE(TRACEPOINT("tcp:tcp_retransmit_skb", RESENT " err=0 state=state" TRACED_SEQ),
		    .foreign = true),				/* 5.x */
		ONE(TRACEPOINT("tcp:tcp_retransmit_skb", RESENT " err=0 state=+18(skaddr):u8"
			       TRACED_SEQ),
		    .targets = FOR_BPF, .foreign = true),		/* 4.15 */
		/* The same without the sequence number. */
		ONE(TRACEPOINT("tcp:tcp_retransmit_skb", RESENT " err=err state=state"),
		    .foreign = true),
		ONE(TRACEPOINT("tcp:tcp_retransmit_skb", RESENT " err=0 state=state"),
		    .foreign = true),
		ONE(TRACEPOINT("tcp:tcp_retransmit_skb", RESENT " err=0 state=+18(skaddr):u8"),
		    .targets = FOR_BPF, .foreign = true),
		/* The same without the sequence number and the state. */
		ONE(TRACEPOINT("tcp:tcp_retransmit_skb", RESENT " err=0"), .foreign = true),
		/* Tail loss probes also call this function, unless the compiler has split it. */
		ONE(KPROBE("__tcp_retransmit_skb", RESENT_ENDS6 CALLED_SEQ), .foreign = true),
		ONE(KPROBE("__tcp_retransmit_skb", RESENT_ENDS6), .foreign = true),
		ONE(KPROBE("__tcp_retransmit_skb", RESENT_OLD6), .foreign = true, TO_3_12),
		ONE(KPROBE("__tcp_retransmit_skb", RESENT_ENDS), .foreign = true),
		/* Tail loss probes do not call this function. */
		ONE(KPROBE("tcp_retransmit_skb", RESENT_ENDS6 CALLED_SEQ), .foreign = true),
		ONE(KPROBE("tcp_retransmit_skb", RESENT_ENDS6), .foreign = true),
		ONE(KPROBE("tcp_retransmit_skb", RESENT_OLD6), .foreign = true, TO_3_12),
		ONE(KPROBE("tcp_retransmit_skb", RESENT_ENDS), .foreign = true),
	),
	HOOK("retransmit.probe", "a tail loss probe is due",
		ONE(KPROBE("tcp_send_loss_probe", RESENT_ENDS6), .foreign = true),	/* 3.10 */
		ONE(KPROBE("tcp_send_loss_probe", RESENT_OLD6), .foreign = true, TO_3_12),
		ONE(KPROBE("tcp_send_loss_probe", RESENT_ENDS), .foreign = true),
	),

	HOT_HOOK("each segment that comes in over TCP", "rtt.segment",
		 "a segment comes in on an open TCP connection",
		ONE(TRACEPOINT("tcp:tcp_probe",
			       "lport=sport rport=dport local=saddr remote=daddr srtt=srtt"),
		    .foreign = true),		/* 4.16 */
	),

	HOOK("backlog.add", "a handshake is complete; the connection goes into the listener's "
			    "backlog",
		{ .foreign = true, PROBES(
			KPROBE("tcp_v4_syn_recv_sock", BACKLOG " own_family=2"),
			KPROBE("tcp_v6_syn_recv_sock", BACKLOG " own_family=10", OPTIONAL)) },
	),
	HOOK("host.enter", "a program asks the C library for a host's addresses",
		{ PROBES(LOOKUPS(UPROBE, " pointer=$arg1:uW host=+0($arg1):uname")) },
	),
	HOOK("host.exit", "the C library answers",
		{ PROBES(LOOKUPS(URETPROBE, "")) },
	),
	{ }
};
