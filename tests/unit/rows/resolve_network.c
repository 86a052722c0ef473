// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/rows/resolve_rows.h"

#define CONNECT		"tcp.connect: tracepoint sock:inet_sock_set_state\n"
#define CONNECT_STATE	CONNECT "tcp.state: tracepoint sock:inet_sock_set_state\n"
#define CONNECT_CALLS	"tcp.connect: kprobe tcp_connect\n" "tcp.connect: kprobe tcp_v6_connect\n"
/* Where the offsets of a socket's IPv6 addresses are known, the socket has them. */
#define CONNECT_SOCKET	"tcp.connect: kprobe tcp_connect\n"
#define HANDSHAKE	"handshake.begin: tracepoint sock:inet_sock_set_state\n" \
			"handshake.reset: tracepoint tcp:tcp_receive_reset\n" \
			"handshake.state: tracepoint sock:inet_sock_set_state\n"
#define HANDSHAKE_CALLS	"handshake.begin: kprobe tcp_set_state\n" \
"handshake.reset: kprobe tcp_reset\n" \
			"handshake.state: kprobe tcp_set_state\n"
#define HANDSHAKE6	"handshake.state.saddr6\n" "handshake.state.daddr6\n"
#define RESENT		"retransmit.skb: tracepoint tcp:tcp_retransmit_skb\n"
#define RESENT_CALLS	"retransmit.skb: kprobe __tcp_retransmit_skb\n"
#define RESENT6		"retransmit.skb.laddr6\n" "retransmit.skb.raddr6\n"
#define PROBES		"retransmit.probe: kprobe tcp_send_loss_probe\n"
#define PROBES6		"retransmit.probe.laddr6\n" "retransmit.probe.raddr6\n"
#define NO_BACKLOG	"has no limit: offset of sock.sk_max_ack_backlog is not known"

/* Of a socket's members that move: those of the snapshot of 6.1 are known. */
#define STATE_EVENT	"tcp.set_state: tracepoint sock:inet_sock_set_state\n"
#define STATE_CALL	"tcp.set_state: kprobe tcp_set_state\n"
#define ACCEPT		"tcp.accept: kretprobe inet_csk_accept\n"
#define NO_COUNTS	"tcp.set_state.tx\n" "tcp.set_state.rx\n"
/* What is summed then. */
#define SENDS		"tcp.send: kprobe tcp_sendmsg\n" "tcp.send: kprobe tcp_sendpage\n" \
			"tcp.sent: kretprobe tcp_sendmsg\n" "tcp.sent: kretprobe tcp_sendpage\n"
#define SENDS_6_5	"tcp.send: kprobe tcp_sendmsg\n" "tcp.sent: kretprobe tcp_sendmsg\n"
#define RECEIVE		"tcp.receive: kprobe tcp_recvmsg\n" "tcp.receive: kprobe tcp_read_sock\n"
#define ZEROCOPY	"tcp.receive: kprobe tcp_zerocopy_receive\n"
#define RECEIVED	"tcp.received: kprobe tcp_cleanup_rbuf\n"
#define RECEIVES	RECEIVE RECEIVED
#define RECEIVES_6_0	RECEIVE "tcp.receive: kprobe __tcp_read_sock\n" ZEROCOPY \
	"tcp.received: kprobe __tcp_cleanup_rbuf\n"
#define NO_STATE6	"tcp.set_state.saddr6\n" "tcp.set_state.daddr6\n"
#define NO_ACCEPT6	"tcp.accept.saddr6\n" "tcp.accept.daddr6\n"

#define LOOKUP(HOOK, KIND) \
	HOOK ": " KIND " libc:getaddrinfo\n" HOOK ": " KIND " libc:gethostbyname\n" \
	HOOK ": " KIND " libc:gethostbyname2\n" HOOK ": " KIND " libc:gethostbyname_r\n" \
	HOOK ": " KIND " libc:gethostbyname2_r\n"
#define LOOKUPS		LOOKUP("host.enter", "uprobe") LOOKUP("host.exit", "uretprobe") \
			"task.exit: tracepoint sched:sched_process_exit\n"

static const struct resolve_row whole[] = {
	{ "3.10", "tcpconnect", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnect", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpconnect -c", BPF, .refused = UNSAFE_HASH },
	{ "4.4", "tcpconnect -P 80,443", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.4 4.9 4.12", "tcpconnect", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.19 " NEWER, "tcpconnect", BPF, CONNECT },
	{ TO_4_4 "4.9 4.12", "tcpconnect", RING, CONNECT_CALLS, "tcp.connect.saddr6\n"
	  "tcp.connect.uid\n" },
	{ "4.19 " NEWER, "tcpconnect", RING, CONNECT, "tcp.connect.uid\n" },
	/* The functions know the local port already: there is no later state to wait for. */
	{ "3.10", "tcpconnect -L", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnect -L", BPF, .refused = NO_IDENTITY },
	{ "4.4 4.9 4.12", "tcpconnect -L", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.19 " NEWER, "tcpconnect -L", BPF, CONNECT_STATE },
	{ TO_4_4 "4.9 4.12", "tcpconnect -L", RING, CONNECT_CALLS,
	  "tcp.connect.saddr6\n" "tcp.connect.uid\n" },
	{ "4.19 " NEWER, "tcpconnect -L", RING, CONNECT_STATE, "tcp.connect.uid\n" },

	{ "3.10", "tcpconnlat", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnlat", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpconnlat", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcpconnlat", BPF, HANDSHAKE_CALLS, HANDSHAKE6 },
	{ TO_4_4 "4.9 4.12", "tcpconnlat", RING, HANDSHAKE_CALLS, HANDSHAKE6 },
	{ "4.19 " NEWER, "tcpconnlat", BPF | RING, HANDSHAKE },

	{ "3.10", "tcpretrans", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpretrans", BPF, .refused = "can't hand over records (since 4.4)" },
	{ "4.4", "tcpretrans -c", BPF, .refused = UNSAFE_HASH },
	{ "4.4 4.9 4.12", "tcpretrans", BPF, RESENT_CALLS, RESENT6 },
	{ TO_4_4 "4.9 4.12", "tcpretrans", RING, RESENT_CALLS, RESENT6 },
	/* Its tracepoint has no state yet; a program reads it of the socket. */
	{ "4.19", "tcpretrans", BPF, RESENT },
	{ "4.19", "tcpretrans", RING, RESENT, "retransmit.skb.state\n" },
	{ NEWER, "tcpretrans", BPF | RING, RESENT },
	/* Nobody has asked these kernels, but for 6.1, for the offset of sk_buff.cb. */
	{ "4.19 5.10 6.12 7.2", "tcpretrans -s", BPF, RESENT, "retransmit.skb.seq\n" },
	{ "6.1", "tcpretrans -s", BPF, RESENT },
	{ NEWER, "tcpretrans -s", RING, RESENT, "retransmit.skb.seq\n" },
	{ "4.9", "tcpretrans -l", RING, RESENT_CALLS PROBES, RESENT6 PROBES6 },
	{ "5.10", "tcpretrans -l", BPF | RING, RESENT PROBES, PROBES6 },

	{ TO_4_4, "tcprtt", BPF, .refused = NO_TRACEPOINT_PROGRAMS },
	{ "4.9 4.12", "tcprtt", BPF,
	  .refused = "rtt.segment: this kernel has no tracepoint tcp:tcp_probe (since 4.16)" },
	{ TO_4_4 "4.9 4.12", "tcprtt", RING,
	  .refused = "rtt.segment: this kernel has no tracepoint tcp:tcp_probe (since 4.16)" },
	{ "4.19 " NEWER, "tcprtt", BPF | RING, "rtt.segment: tracepoint tcp:tcp_probe\n" },

	{ "3.10", "tcpsynbl", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1 4.4 4.9 4.12 4.19 5.10 6.12 7.2", "tcpsynbl", BPF, .refused = NO_BACKLOG },
	{ OLD "5.10 6.12 7.2", "tcpsynbl", RING, .refused = NO_BACKLOG },
	{ "6.1", "tcpsynbl", BPF | RING,
	  "backlog.add: kprobe tcp_v4_syn_recv_sock\n"
	  "backlog.add: kprobe tcp_v6_syn_recv_sock\n" },
	{ "3.10", "tcplife", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcplife", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcplife", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcplife", BPF, STATE_CALL ACCEPT SENDS RECEIVES, NO_COUNTS NO_STATE6 },
	{ "4.19", "tcplife", BPF, STATE_EVENT ACCEPT SENDS RECEIVES, NO_COUNTS },
	{ "5.10", "tcplife", BPF, STATE_EVENT ACCEPT SENDS RECEIVE ZEROCOPY RECEIVED, NO_COUNTS },
	{ "6.12 7.2", "tcplife", BPF, STATE_EVENT ACCEPT SENDS_6_5 RECEIVES_6_0, NO_COUNTS },
	{ "6.1", "tcplife", BPF, STATE_EVENT ACCEPT },
	{ TO_4_4 "4.9 4.12", "tcplife", RING, STATE_CALL ACCEPT SENDS RECEIVES,
	  NO_COUNTS NO_STATE6 },
	{ "4.19", "tcplife", RING, STATE_EVENT ACCEPT SENDS RECEIVES, NO_COUNTS },
	{ "5.10", "tcplife", RING, STATE_EVENT ACCEPT SENDS RECEIVE ZEROCOPY RECEIVED, NO_COUNTS },
	{ "6.12 7.2", "tcplife", RING, STATE_EVENT ACCEPT SENDS_6_5 RECEIVES_6_0, NO_COUNTS },
	{ "6.1", "tcplife", RING, STATE_CALL ACCEPT },

	{ "3.10", "tcpaccept", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpaccept", BPF, .refused = NO_IDENTITY },
	{ "4.4 4.9 4.12 4.19 5.10 6.12 7.2", "tcpaccept", BPF, ACCEPT, NO_ACCEPT6 },
	{ TO_4_4 "4.9 4.12 4.19 5.10 6.12 7.2", "tcpaccept", RING, ACCEPT, NO_ACCEPT6 },
	{ "6.1", "tcpaccept", BPF | RING, ACCEPT },

	{ "3.10", "tcpstates", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpstates", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpstates", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcpstates", BPF, STATE_CALL, NO_STATE6 },
	{ TO_4_4 "4.9 4.12", "tcpstates", RING, STATE_CALL, NO_STATE6 },
	{ "4.19 " NEWER, "tcpstates", BPF | RING, STATE_EVENT },
	/* A snapshot has no files: each library is one, with all the functions. */
	{ "3.10 4.1", "gethostlatency", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "gethostlatency", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "gethostlatency", BPF, LOOKUPS },
	{ "3.10", "gethostlatency", RING, .refused = NO_UPROBE_MEMORY },
	{ "4.1 4.4 4.9 4.12 4.19 " NEWER, "gethostlatency", RING, LOOKUPS },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "gethostlatency", BPF, .without = "uprobes",
	  .refused = "host.enter: this kernel has no uprobes, for "
	  "getaddrinfo()" },
	{ "6.1", "gethostlatency", RING, .without = "uprobes",
	  .refused = "this kernel has no uprobes" },
	{ "6.1", "gethostlatency", BPF | RING, .without = "uretprobe-seccomp",
	  .refused = "crash programs that have a seccomp filter" },
	{ "6.1", "gethostlatency", BPF, LOOKUPS, .without = "uprobe-pmu,kprobes" },
	{ "6.1", "gethostlatency", RING, LOOKUPS, .without = "uprobe-pmu,kprobes" },
	{ "4.4", "tcpconnect --backend bpf", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	/* BPF can do with perf's own kprobes; the rings' need tracefs to define them. */
	{ "6.1", "tcpconnect", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n",
	  .without = "bpf-tracepoint,btf" },
	{ "6.1", "tcpconnect", BPF, CONNECT_SOCKET, .without = "bpf-tracepoint" },
	{ "6.1", "tcpconnect", RING, CONNECT, "tcp.connect.uid\n", .without = "kprobes" },
	{ "4.12", "tcpconnect", RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for tcp_connect()" },
	{ "6.1", "tcpconnect", RING, CONNECT_CALLS, "tcp.connect.saddr6\n" "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state,btf" },
	{ "6.1", "tcpconnect", RING, CONNECT_SOCKET, "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state" },
	{ "6.1", "tcpconnect -L", BPF, CONNECT_SOCKET,
	  .without = "tracepoint:sock:inet_sock_set_state" },
	{ "6.1", "tcpconnect", RING, "tcp.connect: kprobe tcp_connect\n",
	  "tcp.connect.saddr6\n" "tcp.connect.daddr6\n" "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state,function:tcp_v6_connect,btf" },

	{ "6.1", "tcpconnlat", BPF | RING, HANDSHAKE_CALLS,
	  .without = "tracepoint:sock:inet_sock_set_state" },
	/* A family that does without anything comes last. */
	{ "6.1", "tcpconnlat", BPF | RING, HANDSHAKE_CALLS,
	  .without = "tracepoint:tcp:tcp_receive_reset" },
	{ "6.1", "tcpconnlat", BPF | RING, "handshake.begin: tracepoint sock:inet_sock_set_state\n"
	  "handshake.state: tracepoint sock:inet_sock_set_state\n", "handshake.reset\n",
	  .without = "tracepoint:tcp:tcp_receive_reset,kprobes" },
	/* Its first part is in its callers. */
	{ "6.1", "tcpretrans", BPF | RING, "retransmit.skb: kprobe tcp_retransmit_skb\n",
	  .without = "tracepoint:tcp:tcp_retransmit_skb" },
	{ "6.1", "tcpsynbl", BPF | RING, "backlog.add: kprobe tcp_v4_syn_recv_sock\n",
	  .without = "function:tcp_v6_syn_recv_sock" },
	{ "6.1", "tcpsynbl", BPF | RING, .without = "btf", .refused = NO_BACKLOG },
	{ "6.1", "tcpretrans -l", BPF | RING, .without = "kprobes",
	  .refused = "retransmit.probe: this kernel has no kprobes, for tcp_send_loss_probe()" },
	/* The rings have the event, which does not tell what the function's argument leads to. */
	{ "6.1", "tcplife", RING, STATE_EVENT, NO_COUNTS "tcp.accept\n", .without = "kprobes" },
	{ "6.1", "tcplife", BPF, STATE_EVENT, "tcp.accept\n", .without = "kprobes,kprobe-pmu" },
	{ "6.1", "tcplife", BPF | RING, STATE_EVENT ACCEPT SENDS RECEIVES_6_0, NO_COUNTS,
	  .without = "btf" },
	{ "6.1", "tcplife", BPF | RING, STATE_EVENT ACCEPT SENDS RECEIVES_6_0, NO_COUNTS,
	  .without = "member:tcp_sock.bytes_acked,member:tcp_sock.bytes_received" },
	/* None of a half: a call that begins is worth nothing without what it returns. */
	{ "4.12", "tcplife", BPF | RING, STATE_CALL ACCEPT, NO_COUNTS NO_STATE6,
	  .without = "function:sock_read_iter" },
	{ "4.12", "tcplife", BPF | RING, STATE_CALL ACCEPT SENDS, NO_COUNTS NO_STATE6,
	  .without = "function:tcp_read_sock" },
	{ "3.10", "tcplife", RING, STATE_CALL ACCEPT SENDS, NO_COUNTS NO_STATE6,
	  .without = "function:tcp_cleanup_rbuf" },
	{ "6.1", "tcplife", BPF | RING, STATE_CALL ACCEPT,
	  .without = "tracepoint:sock:inet_sock_set_state" },
	{ "6.1", "tcplife", BPF | RING, STATE_CALL ACCEPT SENDS RECEIVES_6_0, NO_COUNTS NO_STATE6,
	  .without = "tracepoint:sock:inet_sock_set_state,btf" },
	{ "6.1", "tcpaccept", BPF | RING, .without = "kprobes,kprobe-pmu",
	  .refused = "this kernel has no kprobes, for inet_csk_accept()" },
	{ "6.1", "tcpaccept", BPF | RING, ACCEPT, NO_ACCEPT6, .without = "btf" },
	{ "6.1", "tcpstates", BPF | RING, STATE_CALL,
	  .without = "tracepoint:sock:inet_sock_set_state" },
	{ "4.12", "tcpstates", RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for tcp_set_state()" },
};

RESOLVE_ROWS(network, whole, lacking);
