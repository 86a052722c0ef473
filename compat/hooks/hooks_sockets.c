// SPDX-License-Identifier: GPL-2.0
/* The network: what programs do with sockets. */
#include "compat/hooks/hooks_sock.h"

/*
 * What a call on a socket has moved, 6.3. In 6.3 and 6.4 sendfile(2) does not come here: later
 * kernels have the function in `needs`. Only programs in the kernel can follow the socket.
 */
#define LENGTH		"sk=sk family=family protocol=protocol ret=ret flags=flags"
#define SINCE_6_5	.needs = "skb_splice_from_iter"
#define LENGTHS(NAME) \
	ONE(TRACEPOINT(NAME, LENGTH " " SOCK_ENDS6("sk")), SINCE_6_5, .targets = FOR_BPF), \
	ONE(TRACEPOINT(NAME, LENGTH " " SOCK_ENDS("sk")), SINCE_6_5, .targets = FOR_BPF)

/* Up to 4.0 a kiocb is before the socket. The functions in `needs` came or went in one release. */
#define SINCE_4_1	.needs = "sock_read_iter"
#define TO_4_0		.needs = "sock_aio_read"
#define SEND(SOCK, SK) \
	.with = "flow.sent", PROBES( \
		KPROBE("tcp_sendmsg", SOCK(SK)), \
		KPROBE("tcp_sendpage", SOCK("$arg1"), OPTIONAL))	/* until 6.4 */
/*
 * Up to 5.18 an argument of its own says that a call does not wait. tcp_read_sock() takes bytes for
 * the kernel itself, by whatever task is current: as if it only looked.
 */
#define LOOKS		"sk=$arg1 flags=2"
#define RECEIVE(INPUTS) \
	.with = "flow.received", PROBES( \
		KPROBE("tcp_recvmsg", INPUTS), \
		KPROBE("tcp_read_sock", LOOKS), \
		KPROBE("__tcp_read_sock", LOOKS, OPTIONAL))
#define RECEIVED(FUNCTION, SOCK, ...) \
	ONE(KPROBE(FUNCTION, SOCK("$arg1") " copied=$arg2:s32"), .with = "flow.receive", \
	    __VA_ARGS__)

/*
 * A packet: where its headers are, and its socket. The offsets of headers count from `head`. A
 * packet that was received has no socket yet in many places; since 6.11 the event tells the socket.
 */
#define DROPPED		"location=location protocol=protocol"
#define SOCK_NETNS(SK)	"+{net.ns.inum}(+{sock_common.skc_net.net}(" SK ")):u32"
#define PACKET(SKB) \
	" head=+{sk_buff.head}(" SKB "):u64 network=+{sk_buff.network_header}(" SKB "):u16 " \
	"sk=+{sk_buff.sk}(" SKB "):u64 " \
	"netns=+{net.ns.inum}(+{net_device.nd_net.net}(+{sk_buff.dev}(" SKB "))):u32 " \
	"netns_sk=" SOCK_NETNS("+{sk_buff.sk}(" SKB ")")
#define WITH_RECEIVER	" receiver=rx_sk netns_rx=" SOCK_NETNS("rx_sk")
#define NO_RECEIVER	" receiver=0 netns_rx=0"
#define DROP(INPUTS, ...) \
	ONE(TRACEPOINT("skb:kfree_skb", DROPPED INPUTS), .foreign = true, __VA_ARGS__)
#define STATE_OF(SK)	" state=+18(" SK "):u8"
/* The addresses of both families as IPv6 addresses. */
#define RESET_ENDS	"lport=sport rport=dport local=saddr_v6 remote=daddr_v6"

#define RECEIVED_PACKET	"name=name len=len queue=queue_mapping"
#define DEVICE_NAME(DEV) "name=+{net_device.name}(" DEV "):string "
#define OF_PACKET(DEV) \
	DEVICE_NAME(DEV) "len=+{sk_buff.len}($arg1):u32 queue=+{sk_buff.queue_mapping}($arg1):u16"
/*
 * netif_rx stands for netif_rx_entry and netif_rx_ni_entry, whose records have the queue, but which
 * packets pass by that one device forwards to another (veth).
 */
#define ENTRIES(PROBE, INPUTS, RX) \
	.foreign = true, PROBES( \
		PROBE("net:napi_gro_receive_entry", INPUTS), \
		PROBE("net:netif_receive_skb_entry", INPUTS), \
		PROBE("net:netif_rx", RX), \
		PROBE("net:napi_gro_frags_entry", INPUTS, OPTIONAL), \
		PROBE("net:netif_receive_skb_list_entry", INPUTS, OPTIONAL))
#define OF_RECEIVED	OF_PACKET("+{sk_buff.dev}($arg1)")
#define RECEIVE_ENTRIES \
	{ NEEDS_FEATURE(RAW_WHOLE), ENTRIES(TYPED_TP, OF_RECEIVED, OF_RECEIVED) },	/* 5.5 */ \
	{ ENTRIES(TRACEPOINT, RECEIVED_PACKET, "name=name len=len queue=0") }	/* 3.14 */

const struct hook hooks_sockets[] = {
	/* The cookie is the number of a socket. All three events tell it since 4.16. */
	HOT_HOOK("each segment that comes in over TCP", "segment.in",
		 "a segment comes in on an open TCP connection",
		ONE(TRACEPOINT("tcp:tcp_probe", "cookie=sock_cookie data_len=data_len",
			       .filter = "data_len > 0"), .foreign = true),
	),
	HOT_HOOK("each receive over TCP", "segment.read",
		 "a task has taken bytes from a TCP socket",
		ONE(TRACEPOINT("tcp:tcp_rcv_space_adjust",
			       "cookie=sock_cookie lport=sport rport=dport laddr=saddr_v6 "
			       "raddr=daddr_v6")),
	),
	HOOK("segment.end", "a TCP socket is gone",
		ONE(TRACEPOINT("tcp:tcp_destroy_sock", "cookie=sock_cookie"), .foreign = true),
	),

	/* A device may refuse a packet; it is handed to it again then. */
	HOT_HOOK("each packet sent", "device.xmit", "a packet was handed to a device",
		ONE(TYPED_TP("net:net_dev_xmit",		/* 5.5 */
			     DEVICE_NAME("$arg3") "len=$arg4:u32 rc=$arg2:s32 queue=0"),
		    NEEDS_FEATURE(RAW_WHOLE), .foreign = true),
		ONE(TRACEPOINT("net:net_dev_xmit", "name=name len=len rc=rc queue=0"),
		    .foreign = true),
	),
	HOT_HOOK("each packet sent", "queue.xmit", "a packet is handed to a queue of a device",
		ONE(TYPED_TP("net:net_dev_start_xmit", OF_PACKET("$arg2") " rc=0"),	/* 5.5 */
		    NEEDS_FEATURE(RAW_WHOLE), .foreign = true),
		ONE(TRACEPOINT("net:net_dev_start_xmit",		/* 3.14 */
			       "name=name len=len queue=queue_mapping rc=0"), .foreign = true),
	),
	/* Each packet comes in by one of these. */
	HOT_HOOK("each packet received", "device.receive", "a device hands out a packet",
		RECEIVE_ENTRIES,
		/* several packets may have become one */
		ONE(TRACEPOINT("net:netif_receive_skb", "name=name len=len queue=0"),
		    .foreign = true),
	),
	HOT_HOOK("each packet received", "queue.receive",
		 "a queue of a device hands out a packet",
		RECEIVE_ENTRIES,
	),
	HOOK("packet.drop", "the kernel drops a packet, whose headers can be read",
		/* 6.11 */
		DROP(" reason=reason" WITH_RECEIVER PACKET("skbaddr"), .targets = FOR_BPF),
		DROP(" reason=reason" NO_RECEIVER PACKET("skbaddr"), .targets = FOR_BPF),
		DROP(NO_RECEIVER PACKET("skbaddr"), .targets = FOR_BPF),
	),
	HOOK("skb.drop", "the kernel drops a packet",
		DROP(" reason=reason"),				/* 5.17 */
		DROP(""),
	),
	HOOK("reset.sent", "TCP sends a reset",
		ONE(TRACEPOINT("tcp:tcp_send_reset",		/* 6.10 */
			       "state=state reason=reason local=saddr remote=daddr lport=0 "
			       "rport=0"),
		    .foreign = true),
		ONE(TRACEPOINT("tcp:tcp_send_reset", RESET_ENDS " state=state"), .foreign = true),
		ONE(TRACEPOINT("tcp:tcp_send_reset", RESET_ENDS), .foreign = true),	/* 4.15 */
	),
	HOOK("reset.received", "TCP receives a reset",
		ONE(TRACEPOINT("tcp:tcp_receive_reset", RESET_ENDS STATE_OF("skaddr")),
		    .targets = FOR_BPF, .foreign = true),
		ONE(TRACEPOINT("tcp:tcp_receive_reset", RESET_ENDS), .foreign = true),	/* 4.15 */
	),
	HOT_HOOK("each send over a socket", "socket.sent",
		 "a socket has taken so many bytes, and has these ends",
		LENGTHS("sock:sock_send_length"),
	),
	HOT_HOOK("each receive over a socket", "socket.received",
		 "a socket has given so many bytes, and has these ends",
		LENGTHS("sock:sock_recv_length"),
	),
	HOT_HOOK("each send over a socket", "length.sent", "a socket has taken so many bytes",
		ONE(TRACEPOINT("sock:sock_send_length", LENGTH)),
	),
	HOT_HOOK("each receive over a socket", "length.received",
		 "a socket has given so many bytes",
		ONE(TRACEPOINT("sock:sock_recv_length", LENGTH)),
	),
	/* Both tell the ends of a socket whose bytes are counted by its address alone. */
	HOOK("ends.state", "a TCP connection is open",
		ONE(TRACEPOINT("sock:inet_sock_set_state",
			       "sk=skaddr newstate=newstate family=family protocol=protocol "
			       "lport=sport dport=dport saddr=saddr daddr=daddr saddr6=saddr_v6 "
			       "daddr6=daddr_v6", .filter = "newstate == 1"), .foreign = true),
	),
	HOT_HOOK("each receive over TCP", "ends.adjust", "a task has taken bytes from a TCP socket",
		ONE(TRACEPOINT("tcp:tcp_rcv_space_adjust",
			       "sk=skaddr family=family lport=sport dport=dport saddr=saddr "
			       "daddr=daddr saddr6=saddr_v6 daddr6=daddr_v6"), .foreign = true),
	),

	/* Bytes that calls send and receive over TCP, by functions. */
	HOT_HOOK("each send over TCP", "flow.send", "bytes are handed to a TCP socket",
		{ SINCE_4_1, SEND(SOCK_HEAD6, "$arg1") },
		{ TO_4_0, SEND(SOCK_HEAD6, "$arg2") },
		{ TO_4_0, SEND(SOCK_TAIL6, "$arg2"), TO_3_12 },
		{ SINCE_4_1, SEND(SOCK_HEAD, "$arg1") },
		{ TO_4_0, SEND(SOCK_HEAD, "$arg2") },
	),
	HOT_HOOK("each send over TCP", "flow.sent", "a TCP socket has taken so many bytes",
		{ .with = "flow.send", PROBES(
			KRETPROBE("tcp_sendmsg", RET),
			KRETPROBE("tcp_sendpage", RET, OPTIONAL)) },
	),
	HOT_HOOK("each send over TCP", "flow.returned", "a TCP socket has taken so many bytes",
		{ PROBES(KRETPROBE("tcp_sendmsg", SOCK_HEAD6("$arg1") " " RET),
			 KRETPROBE("tcp_sendpage", SOCK_HEAD6("$arg1") " " RET, OPTIONAL)) },
	),
	HOT_HOOK("each receive over TCP", "flow.receive", "bytes are asked of a TCP socket",
		/* 5.19 */
		{ .needs = "skb_attempt_defer_free", RECEIVE("sk=$arg1 flags=$arg4:u32") },
		{ SINCE_4_1, RECEIVE("sk=$arg1 flags=$arg5:u32") },
		{ TO_4_0, RECEIVE("sk=$arg2 flags=$arg6:u32") },
	),
	HOT_HOOK("each receive over TCP", "flow.received",
		 "a TCP socket has given so many bytes so far",
		/* 6.0 */
		RECEIVED("__tcp_cleanup_rbuf", SOCK_HEAD6),
		RECEIVED("__tcp_cleanup_rbuf", SOCK_HEAD),
		RECEIVED("tcp_cleanup_rbuf", SOCK_HEAD6),
		RECEIVED("tcp_cleanup_rbuf", SOCK_TAIL6, TO_3_12),
		RECEIVED("tcp_cleanup_rbuf", SOCK_HEAD),
	),
	{ }
};
