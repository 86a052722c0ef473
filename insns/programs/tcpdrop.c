// SPDX-License-Identifier: GPL-2.0
/*
 * packet.drop:	if (it has no reason, or is no packet of TCP) out, unless all are asked for
 *		output { reason, place, headers, state of the socket }, or drops[reason, place]++
 * skb.drop:	the same, where a packet's headers can't be read
 * reset.sent, reset.received:	output { ends of the socket, its state }
 *
 * Only programs in the kernel read the packet's headers. Addresses come from the IP header, ports
 * from the header behind it: the kernel may not have set that header's own offset yet. Where there
 * is no header, nothing tells TCP from other protocols.
 */
#include "insns/programs/tcpdrop.h"

#include <errno.h>

#include "insns/hist.h"

static const struct map maps[] = {
	{ "stacks", MAP_STACKS, ROLE_TABLE, 4, STACK_BYTES, 16384 },
	{ "drops", MAP_HASH, ROLE_RESULT, sizeof(struct tcpdrop_key), 8, 10240,
	  .key = &tcpdrop_key_layout },
	{ "events", MAP_OUTPUT, 0, 0, 0, 0, .value = &tcpdrop_record_layout },
	{ }
};

/* The used bytes of a struct sockaddr_in or sockaddr_in6. */
#define SOCKADDR 28

struct sockaddr_bytes {
	uint16_t family;
	uint8_t port[2];
	uint32_t inet;
	u64 inet6[2];
	uint32_t scope;
};

struct frame {
	struct tcpdrop_key key;
	struct tcpdrop_record record;
	struct sockaddr_bytes local, remote;
};

#define ETHERTYPE_INET	0x0800
#define ETHERTYPE_INET6	0x86dd
#define UDP_PROTOCOL	17

/* Registers. */
enum {
	HEADER = R6, STACK_NUMBER = R6, FAMILY = R6, NETNS = R6,
	NEXT = R7,			/* the header behind that of IP */
	REASON = R8, PROTOCOL = R8, SOCK = R8,
	AT = R9, ETHERTYPE = R9, LOCATION = R9,
};

/* REG = the SIZE bytes at address BASE + OFFSET of the kernel; 0 if they can't be read. */
#define BYTES_OF(REG, BASE, OFFSET, SIZE) \
	BPF_MOV64_REG(REG, BASE), \
	BPF_ALU64_IMM(BPF_ADD, REG, OFFSET), \
	FOLLOW(REG, REG, SIZE, 0, 0)

/* frame.record begins without anything known. */
#define NOTHING_KNOWN \
	ZERO(record), \
	SET_IMM(record.pid_tgid, -1), \
	SET_IMM(record.kernel_stack, -EFAULT), \
	SET_IMM(record.user_stack, -EFAULT)

/* frame.M = the IPv4 address in REG, or the mapped address */
#define MAPPED(M) \
	SET_IMM(M.zero, 0), \
	CONST(R1, "mapped"), \
	SET(M.mapped, R1)

/* HEADER = address of the IP header; if there is none, or of another VERSION, goto NONE. */
#define IP_HEADER(VERSION, NONE) \
	FIELD(HEADER, "head"), \
	JEQ(HEADER, 0, NONE), \
	FIELD(AT, "network"), \
	BPF_ALU64_REG(BPF_ADD, HEADER, AT), \
	BYTES_OF(NEXT, HEADER, 0, 1), \
	BPF_MOV64_REG(AT, NEXT), \
	BPF_ALU64_IMM(BPF_RSH, AT, 4), \
	JNE(AT, VERSION, NONE)

/* frame.record's addresses, PROTOCOL and NEXT of an IPv4 header; of a later fragment, goto PART. */
#define INET_HEADER(NONE, PART) \
	IP_HEADER(4, NONE), \
	BPF_ALU64_IMM(BPF_AND, NEXT, 15), \
	BPF_ALU64_IMM(BPF_LSH, NEXT, 2), \
	BPF_ALU64_REG(BPF_ADD, NEXT, HEADER), \
	MAPPED(record.saddr), \
	MAPPED(record.daddr), \
	BYTES_OF(AT, HEADER, 12, 4), \
	SET(record.saddr.inet, AT), \
	BYTES_OF(AT, HEADER, 16, 4), \
	SET(record.daddr.inet, AT), \
	BYTES_OF(PROTOCOL, HEADER, 9, 1), \
	SET(record.protocol, PROTOCOL), \
	BYTES_OF(AT, HEADER, 6, 1),			/* flags, and the fragment's offset */ \
	BPF_ALU64_IMM(BPF_AND, AT, 0x1f), \
	JNE(AT, 0, PART), \
	BYTES_OF(AT, HEADER, 7, 1), \
	JNE(AT, 0, PART)

/* The same of an IPv6 header. Of a packet with extensions PROTOCOL is that of the first one. */
#define INET6_HEADER(NONE) \
	IP_HEADER(6, NONE), \
	BPF_MOV64_REG(NEXT, HEADER), \
	BPF_ALU64_IMM(BPF_ADD, NEXT, 40), \
	BYTES_OF(AT, HEADER, 8, 8), \
	SET(record.saddr.half[0], AT), \
	BYTES_OF(AT, HEADER, 16, 8), \
	SET(record.saddr.half[1], AT), \
	BYTES_OF(AT, HEADER, 24, 8), \
	SET(record.daddr.half[0], AT), \
	BYTES_OF(AT, HEADER, 32, 8), \
	SET(record.daddr.half[1], AT), \
	BYTES_OF(PROTOCOL, HEADER, 6, 1), \
	SET(record.protocol, PROTOCOL)

/* frame.M = the number of two bytes, in network order, behind NEXT. */
#define PORT_AT(M, OFFSET) \
	BYTES_OF(AT, NEXT, OFFSET, 1), \
	BPF_ALU64_IMM(BPF_LSH, AT, 8), \
	BPF_MOV64_REG(HEADER, AT), \
	BYTES_OF(AT, NEXT, (OFFSET) + 1, 1), \
	BPF_ALU64_REG(BPF_OR, AT, HEADER), \
	SET(M, AT)

/* frame.record's ports, and the flags of TCP. */
#define PORTS(DONE) \
	JEQ(PROTOCOL, UDP_PROTOCOL, ".ports"), \
	JNE(PROTOCOL, TCP_PROTOCOL, DONE), \
	BYTES_OF(AT, NEXT, 13, 1), \
	SET(record.flags, AT), \
	LABEL(".ports"), \
	PORT_AT(record.sport, 0), \
	PORT_AT(record.dport, 2)

/* if (the user asked for another family) goto OUT */
#define IS_FAMILY(NUMBER, OUT) \
	JUMP_UNLESS("family", ".any_family"), \
	CONST(R1, "family"), \
	JNE(R1, NUMBER, OUT), \
	LABEL(".any_family")

/* if (the user asked for another network namespace) goto OUT */
#define IS_NETNS(OUT) \
	JUMP_UNLESS("net_ns", ".any_netns"), \
	CONST(AT, "net_ns"), \
	FIELD(NETNS, "netns"),				/* of the device */ \
	JEQ_REG(NETNS, AT, ".any_netns"), \
	FIELD(NETNS, "netns_sk"),			/* TCP has forgotten the device */ \
	JEQ_REG(NETNS, AT, ".any_netns"), \
	FIELD(NETNS, "netns_rx"), \
	JNE_REG(NETNS, AT, OUT), \
	LABEL(".any_netns")

/* Outputs frame.record, or drops[reason, place]++. */
#define SHOW(OUT) \
	JUMP_UNLESS("count", ".each"), \
	COPY(key.reason, record.reason), \
	COPY(key.location, record.location), \
	SET_EPOCH(key.epoch), \
	COUNT("drops", key), \
	JUMP(OUT), \
	LABEL(".each"), \
	JUMP_UNLESS("kernel-stacks", ".no_stack"), \
	STACK(STACK_NUMBER, "kernel_stack"), \
	SET(record.kernel_stack, STACK_NUMBER), \
	LABEL(".no_stack"), \
	SET_FIELD(record.time, "time"), \
	OUTPUT("events", record)

/* if (REASON is that of the constant, which is 0 if all are asked for) goto OUT */
#define UNLESS_REASON(CONSTANT, OUT) \
	JUMP_UNLESS(CONSTANT, "." CONSTANT), \
	CONST(R1, CONSTANT), \
	JEQ_REG(REASON, R1, OUT), \
	LABEL("." CONSTANT)

/*
 * if (the kernel gives no reason, or a socket that closes frees it, and these are not asked for)
 * goto OUT; frame.record's first members
 */
#define DROP(OUT) \
	NOTHING_KNOWN, \
	FIELD(REASON, "reason?"), \
	UNLESS_REASON("unspecified", OUT), \
	UNLESS_REASON("purge", OUT), \
	SET(record.reason, REASON), \
	SET_FIELD(record.location, "location"), \
	IS_NETNS(OUT), \
	FIELD(ETHERTYPE, "protocol"), \
	SET(record.ethertype, ETHERTYPE)

/* A packet that is not of TCP, as far as is known: goto SHOW if all are asked for, else OUT. */
#define ONLY_OF_ALL(SHOW, OUT) \
	JUMP_UNLESS("all", ".only_tcp"), \
	JUMP(SHOW), \
	LABEL(".only_tcp"), \
	JUMP(OUT)

/* With the packet's headers. */
static const struct insn on_packet_drop[] = {
	DROP("out"),
	JEQ(ETHERTYPE, ETHERTYPE_INET, "inet"),
	JEQ(ETHERTYPE, ETHERTYPE_INET6, "inet6"),
	IS_FAMILY(0, "out"),
	ONLY_OF_ALL("show", "out"),
LABEL("inet"),
	IS_FAMILY(TCP_INET, "out"),
	INET_HEADER("other", "known"),			/* r.saddr, daddr, protocol */
	JUMP("ports"),
LABEL("inet6"),
	IS_FAMILY(TCP_INET6, "out"),
	INET6_HEADER("other"),
LABEL("ports"),
	PORTS("known"),					/* r.sport, dport, flags */
LABEL("known"),
	JEQ(PROTOCOL, TCP_PROTOCOL, "tcp"),
LABEL("other"),
	ONLY_OF_ALL("show", "out"),
LABEL("tcp"),
	FIELD(SOCK, "receiver"),			/* r.state = state of the socket */
	JNE(SOCK, 0, "socket"),
	FIELD(SOCK, "sk"),
	JEQ(SOCK, 0, "show"),
LABEL("socket"),
	BYTES_OF(AT, SOCK, 18, 1),
	SET(record.state, AT),
LABEL("show"),
	SHOW("out"),
LABEL("out"),
	EXIT,
};

/* Without them. */
static const struct insn on_drop[] = {
	DROP("out"),
	JEQ(ETHERTYPE, ETHERTYPE_INET, "inet"),
	JEQ(ETHERTYPE, ETHERTYPE_INET6, "inet6"),
	IS_FAMILY(0, "out"),
	ONLY_OF_ALL("show", "out"),
LABEL("inet"),
	IS_FAMILY(TCP_INET, "out"),
	JUMP("show"),
LABEL("inet6"),
	IS_FAMILY(TCP_INET6, "out"),
LABEL("show"),
	SHOW("out"),
LABEL("out"),
	EXIT,
};

/* frame.record.M = the address of a sockaddr. */
#define ADDRESS_OF(M, END) \
	GET(FAMILY, END.family), \
	JEQ(FAMILY, TCP_INET6, ".inet6"), \
	MAPPED(record.M), \
	COPY(record.M.inet, END.inet), \
	JUMP(".address"), \
	LABEL(".inet6"), \
	COPY(record.M.half, END.inet6), \
	LABEL(".address")

/* frame.record.M = the port of a sockaddr, which is in network order. */
#define PORT_OF(M, END) \
	GET(R1, END.port[0]), \
	BPF_ALU64_IMM(BPF_LSH, R1, 8), \
	GET(R2, END.port[1]), \
	BPF_ALU64_REG(BPF_OR, R1, R2), \
	SET(record.M, R1)

/* The reset's family, of its address; if the user asked for another, goto OUT. */
#define RESET_FAMILY(OUT) \
	JUMP_UNLESS("family", ".any"), \
	BPF_MOV64_IMM(FAMILY, TCP_INET6), \
	GET(R1, record.saddr.half[0]), \
	JNE(R1, 0, ".family"), \
	GET(R1, record.saddr.mapped), \
	CONST(R2, "mapped"), \
	JNE_REG(R1, R2, ".family"), \
	BPF_MOV64_IMM(FAMILY, TCP_INET), \
	LABEL(".family"), \
	CONST(R1, "family"), \
	JNE_REG(FAMILY, R1, OUT), \
	LABEL(".any")

static const struct insn on_reset_sent[] = {
	NOTHING_KNOWN,
	SET_IMM(record.what, TCPDROP_RESET_SENT),
	SET_FIELD(record.state, "state?"),
	SET_FIELD(record.reason, "reason?"),
	JUMP_UNLESS("constant:lport", "by_ports"),	/* 6.10: sockaddrs have the ports */
	SET_BYTES_N(local, "local", SOCKADDR),
	SET_BYTES_N(remote, "remote", SOCKADDR),
	ADDRESS_OF(saddr, local),
	ADDRESS_OF(daddr, remote),
	PORT_OF(sport, local),
	PORT_OF(dport, remote),
	JUMP("ends"),
LABEL("by_ports"),
	SET_BYTES(record.saddr.bytes, "local"),
	SET_BYTES(record.daddr.bytes, "remote"),
	SET_FIELD(record.sport, "lport"),
	SET_FIELD(record.dport, "rport"),
LABEL("ends"),
	RESET_FAMILY("out"),
	SHOW("out"),
LABEL("out"),
	EXIT,
};

static const struct insn on_reset_received[] = {
	NOTHING_KNOWN,
	SET_IMM(record.what, TCPDROP_RESET_RECEIVED),
	SET_FIELD(record.state, "state?"),
	SET_BYTES(record.saddr.bytes, "remote"),
	SET_BYTES(record.daddr.bytes, "local"),
	SET_FIELD(record.sport, "rport"),
	SET_FIELD(record.dport, "lport"),
	RESET_FAMILY("out"),
	SHOW("out"),
LABEL("out"),
	EXIT,
};

static const struct program packet_programs[] = {
	PROGRAM("packet.drop", on_packet_drop, .option = "drops"),
	PROGRAM("reset.sent", on_reset_sent, .option = "resets"),
	PROGRAM("reset.received", on_reset_received, .option = "resets"),
	{ }
}, programs[] = {
	PROGRAM("skb.drop", on_drop, .option = "drops"),
	PROGRAM("reset.sent", on_reset_sent, .option = "resets"),
	PROGRAM("reset.received", on_reset_received, .option = "resets"),
	{ }
};

static const struct program_set bare_programs = { programs, maps };
const struct program_set tcpdrop_programs = { packet_programs, maps, .otherwise = &bare_programs };
