// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "tests/unit/resolve_rows.h"

#define CONNECT		"tcp.connect: tracepoint sock:inet_sock_set_state\n"
#define CONNECT_STATE	CONNECT "tcp.state: tracepoint sock:inet_sock_set_state\n"
#define CONNECT_CALLS	"tcp.connect: kprobe tcp_connect\n" "tcp.connect: kprobe tcp_v6_connect\n"
/* Where the offsets of a socket's IPv6 addresses are known, the socket has them. */
#define CONNECT_SOCKET	"tcp.connect: kprobe tcp_connect\n"

#define LOOKUP(HOOK, KIND) \
	HOOK ": " KIND " libc:getaddrinfo\n" HOOK ": " KIND " libc:gethostbyname\n" \
	HOOK ": " KIND " libc:gethostbyname2\n" HOOK ": " KIND " libc:gethostbyname_r\n" \
	HOOK ": " KIND " libc:gethostbyname2_r\n"
#define LOOKUPS		LOOKUP("host.enter", "uprobe") LOOKUP("host.exit", "uretprobe")

static const struct resolve_row whole[] = {
	{ "3.10", "tcpconnect", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnect", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpconnect", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcpconnect", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.19 " NEWER, "tcpconnect", BPF, CONNECT },
	{ TO_4_4 "4.9 4.12", "tcpconnect", RING, CONNECT_CALLS, "tcp.connect.saddr6\n" "tcp.connect.uid\n" },
	{ "4.19 " NEWER, "tcpconnect", RING, CONNECT, "tcp.connect.uid\n" },
	/* The functions know the local port already: there is no later state to wait for. */
	{ "3.10", "tcpconnect -L", BPF, .refused = NO_KPROBE_PROGRAMS },
	{ "4.1", "tcpconnect -L", BPF, .refused = NO_IDENTITY },
	{ "4.4", "tcpconnect -L", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12", "tcpconnect -L", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	{ "4.19 " NEWER, "tcpconnect -L", BPF, CONNECT_STATE },
	{ TO_4_4 "4.9 4.12", "tcpconnect -L", RING, CONNECT_CALLS,
	  "tcp.connect.saddr6\n" "tcp.connect.uid\n" },
	{ "4.19 " NEWER, "tcpconnect -L", RING, CONNECT_STATE, "tcp.connect.uid\n" },
	/* A snapshot has no files: each library is one, with all the functions. */
	{ "3.10 4.1", "gethostlatency", BPF, .refused = NO_UPROBE_PROGRAMS },
	{ "4.4", "gethostlatency", BPF, .refused = UNSAFE_HASH },
	{ "4.9 4.12 4.19 " NEWER, "gethostlatency", BPF, LOOKUPS },
	{ "3.10", "gethostlatency", RING, .refused = NO_UPROBE_MEMORY },
	{ "4.1 4.4 4.9 4.12 4.19 " NEWER, "gethostlatency", RING, LOOKUPS },
};

static const struct resolve_row lacking[] = {
	{ "6.1", "gethostlatency", BPF, .without = "uprobes", .refused = "host.enter: this kernel has no uprobes, for "
	  "getaddrinfo()" },
	{ "6.1", "gethostlatency", RING, .without = "uprobes", .refused = "this kernel has no uprobes" },
	{ "6.1", "gethostlatency", BPF, LOOKUPS, .without = "uprobe-pmu,kprobes" },
	{ "6.1", "gethostlatency", RING, LOOKUPS, .without = "uprobe-pmu,kprobes" },
	{ "4.4", "tcpconnect --backend bpf", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n" },
	/* BPF can do with perf's own kprobes; the rings' need tracefs to define them. */
	{ "6.1", "tcpconnect", BPF, CONNECT_CALLS, "tcp.connect.saddr6\n", .without = "bpf-tracepoint,btf" },
	{ "6.1", "tcpconnect", BPF, CONNECT_SOCKET, .without = "bpf-tracepoint" },
	{ "6.1", "tcpconnect", RING, CONNECT, "tcp.connect.uid\n", .without = "kprobes" },
	{ "4.12", "tcpconnect", RING, .without = "kprobes",
	  .refused = "this kernel has no kprobes, for tcp_connect()" },
	{ "6.1", "tcpconnect", RING, CONNECT_CALLS, "tcp.connect.saddr6\n" "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state,btf" },
	{ "6.1", "tcpconnect", RING, CONNECT_SOCKET, "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state" },
	{ "6.1", "tcpconnect -L", BPF, CONNECT_SOCKET, .without = "tracepoint:sock:inet_sock_set_state" },
	{ "6.1", "tcpconnect", RING, "tcp.connect: kprobe tcp_connect\n",
	  "tcp.connect.saddr6\n" "tcp.connect.daddr6\n" "tcp.connect.uid\n",
	  .without = "tracepoint:sock:inet_sock_set_state,function:tcp_v6_connect,btf" },
};

RESOLVE_ROWS(network, whole, lacking);
