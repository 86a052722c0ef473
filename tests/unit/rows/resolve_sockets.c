// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define SEND		"flow.send: kprobe tcp_sendmsg\n" "flow.send: kprobe tcp_sendpage\n"
#define SENT		"flow.sent: kretprobe tcp_sendmsg\n" "flow.sent: kretprobe tcp_sendpage\n"
#define SENDS		SEND SENT
#define SENDS_6_5	"flow.send: kprobe tcp_sendmsg\n" "flow.sent: kretprobe tcp_sendmsg\n"
#define RECEIVE		"flow.receive: kprobe tcp_recvmsg\n" "flow.receive: kprobe tcp_read_sock\n"
#define RECEIVES	RECEIVE "flow.received: kprobe tcp_cleanup_rbuf\n"
#define RECEIVES_6_0	RECEIVE "flow.receive: kprobe __tcp_read_sock\n" \
			"flow.received: kprobe __tcp_cleanup_rbuf\n"
#define CALLS		SENDS RECEIVES
#define NO_ENDS6	"flow.send.saddr6\n" "flow.send.daddr6\n" \
			"flow.received.saddr6\n" "flow.received.daddr6\n"
#define LENGTHS(HOOK)	HOOK ".sent: tracepoint sock:sock_send_length\n" \
			HOOK ".received: tracepoint sock:sock_recv_length\n"
#define NO_SOCKETS6	"socket.sent.saddr6\n" "socket.sent.daddr6\n" \
			"socket.received.saddr6\n" "socket.received.daddr6\n"
#define ENDS		"ends.state: tracepoint sock:inet_sock_set_state\n" \
			"ends.adjust: tracepoint tcp:tcp_rcv_space_adjust\n"

#define NO_LENGTH	"this kernel has no tracepoint sock:sock_send_length"

#define DROP		"skb.drop: tracepoint skb:kfree_skb\n"
#define RESETS		"reset.sent: tracepoint tcp:tcp_send_reset\n" \
			"reset.received: tracepoint tcp:tcp_receive_reset\n"
#define NO_RESETS	"this kernel has no tracepoint tcp:tcp_send_reset"

#define ENTRY(HOOK, NAME)	HOOK ".receive: tracepoint net:" NAME "_entry\n"
#define RECEIVE_ENTRIES(HOOK) \
	ENTRY(HOOK, "napi_gro_receive") ENTRY(HOOK, "netif_receive_skb") \
	HOOK ".receive: tracepoint net:netif_rx\n" ENTRY(HOOK, "napi_gro_frags")
#define LIST(HOOK)	ENTRY(HOOK, "netif_receive_skb_list")
#define DEVICES		"device.xmit: tracepoint net:net_dev_xmit\n"
#define QUEUES		"queue.xmit: tracepoint net:net_dev_start_xmit\n"

#define SEGMENTS	"segment.in: tracepoint tcp:tcp_probe\n" \
			"segment.read: tracepoint tcp:tcp_rcv_space_adjust\n" \
			"segment.end: tracepoint tcp:tcp_destroy_sock\n"
#define NO_SEGMENTS	"this kernel has no tracepoint tcp:tcp_probe (since 4.16)"

static const struct resolve_row whole[] = {
	{ TO_4_4, "tcppktlat", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ TO_4_4, "tcppktlat", RING, .refused = NO_SEGMENTS },
	{ "4.9 4.12", "tcppktlat", BPF | RING, .refused = NO_SEGMENTS },
	{ "4.19 " NEWER, "tcppktlat", BPF | RING, SEGMENTS },

	{ TO_4_4, "nettop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "3.10", "nettop", RING,
	  DEVICES "device.receive: tracepoint net:netif_receive_skb\n" },
	{ "3.10", "nettop -q", RING,
	  .refused = "this kernel has no tracepoint net:net_dev_start_xmit" },
	{ "4.1 4.4 4.9 4.12", "nettop", RING, DEVICES RECEIVE_ENTRIES("device") },
	{ "4.9 4.12", "nettop", BPF, DEVICES RECEIVE_ENTRIES("device") },
	{ "4.19 " NEWER, "nettop", BPF | RING,
	  DEVICES RECEIVE_ENTRIES("device") LIST("device") },
	{ "6.1 6.12 7.2", "nettop -q", BPF | RING, QUEUES RECEIVE_ENTRIES("queue") LIST("queue") },

	{ TO_4_4, "tcpdrop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ TO_4_4, "tcpdrop", RING, DROP, "skb.drop.reason\n" },
	{ "4.9 4.12 4.19 5.10", "tcpdrop", BPF | RING, DROP, "skb.drop.reason\n" },
	/* Nobody has asked these kernels, but for 6.1, for the offsets of a packet's headers. */
	{ "6.1", "tcpdrop", BPF, "packet.drop: tracepoint skb:kfree_skb\n" },
	{ "6.1", "tcpdrop --netns-id 5", BPF, "packet.drop: tracepoint skb:kfree_skb\n" },
	{ "6.1 6.12 7.2", "tcpdrop", RING, DROP },
	{ "6.12 7.2", "tcpdrop", BPF, DROP },
	{ TO_4_4, "tcpdrop --resets", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ TO_4_4, "tcpdrop --resets", RING, .refused = NO_RESETS },
	{ "4.9 4.12", "tcpdrop --resets", BPF | RING, .refused = NO_RESETS },
	{ "4.19", "tcpdrop --resets", BPF, RESETS, "reset.sent.state\n" "reset.sent.reason\n" },
	{ "4.19", "tcpdrop --resets", RING, RESETS, "reset.sent.state\n" "reset.sent.reason\n"
	  "reset.received.state\n" },

	{ TO_4_4, "tcptop", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12 4.19 5.10", "tcptop", BPF, CALLS, NO_ENDS6 },
	{ "6.1", "tcptop", BPF | RING, SENDS RECEIVES_6_0 },
	{ "6.12 7.2", "tcptop", BPF, LENGTHS("socket"), NO_SOCKETS6 },
	{ OLD "5.10", "tcptop", RING, CALLS, NO_ENDS6 },
	{ "6.12 7.2", "tcptop", RING, SENDS_6_5 RECEIVES_6_0, NO_ENDS6 },
	{ "6.12 7.2", "tcptop -a", RING, SENDS_6_5 RECEIVES_6_0 LENGTHS("length"), NO_ENDS6 },
	{ "6.1", "tcptop -a", BPF | RING, .refused = NO_LENGTH },
};

static const struct resolve_row lacking[] = {
	{ "6.12 7.2", "tcptop", RING, LENGTHS("length") ENDS, .without = "kprobes" },
	{ "6.1", "tcptop", RING, .without = "kprobes",
	  .refused = NO_LENGTH },
};

RESOLVE_ROWS(sockets, whole, lacking);
